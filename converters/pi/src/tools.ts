/** MCP servers in `mcp.json`. Pi has no hooks: what runs at an event is an extension, a program. Facts: STATE.md. */
import type { Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type McpServer, pathOf, type ToolOptions, type Tools } from "@asp-convert/core";
import {
  belonging,
  hookLine,
  isForbiddenKey,
  isObject,
  jsonEditor,
  jsonObject,
  leave,
  lose,
  ServerWriter,
} from "@asp-convert/core/kinds";
import { toolFidelity } from "./fidelity-state.js";
import { folderOf, readObject, SERVERS } from "./layout-state.js";
import { readServer, writeServer } from "./servers.js";

const KIND = { kind: "tools", axis: "mcp-servers" } as const;
const LEGAL_NAME = /^[A-Za-z0-9_-]+$/;
/** What a project may say of a server of the person's without naming it anew. */
const OVERRIDE = new Set(["enabled", "exposure", "toolExposure"]);

export const tools: StateKind<Tools> = { read, write, fidelity: toolFidelity };

type Place = Pick<ToolOptions, "scope" | "project">;

async function read(store: Store, context: KindContext): Promise<Tools | undefined> {
  const paths = pathOf(context.environment);
  const servers: McpServer[] = [];
  const of = async (folder: string, place: Place) => {
    const file = await readObject(paths.join(folder, SERVERS), "tools", context);
    servers.push(...serversOf(file.mcpServers, place, context));
  };
  if (context.user) await of(store.root, { scope: "user" });
  for (const project of context.projects)
    await of(folderOf(store, project, context.environment), { scope: "project", project });
  return servers.length > 0 ? { servers, hooks: [] } : undefined;
}

function serversOf(value: unknown, place: Place, context: KindContext): McpServer[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, entry]) => {
    const of = belonging(place, name);
    const left = (words: Parameters<typeof leave>[2]): [] => {
      context.items.push(leave(context, of, words));
      return [];
    };
    if (isForbiddenKey(name)) return left({ ...KIND, reason: "unsafe", note: "its name" });
    if (isOverride(entry, place))
      return left({
        ...KIND,
        axis: "mcp-options",
        reason: "no-counterpart",
        note: "how this project uses a server of the person's own",
      });
    const read = readServer(name, entry, place);
    if ("invalid" in read) return left({ ...KIND, reason: "invalid-form", note: read.invalid });
    for (const note of read.left)
      lose(context.losses, {
        ...KIND,
        axis: "mcp-options",
        level: "dropped",
        reason: "not-supported",
        item: name,
        note,
      });
    return [read.server];
  });
}

function isOverride(entry: unknown, { scope }: Place): boolean {
  return scope === "project" && isObject(entry) && Object.keys(entry).every((key) => OVERRIDE.has(key));
}

async function write(state: Tools, target: KindTarget): Promise<KindPlan> {
  const json = await jsonEditor();
  const { environment, source } = target;
  const writer = new ServerWriter(
    {
      legalName: LEGAL_NAME,
      fileOf: (project) => pathOf(environment).join(folderOf(target, project, environment), SERVERS),
      entriesIn: async (file) => (await jsonObject(file, source)).mcpServers,
      read: (name, entry) => {
        const read = readServer(name, entry, { scope: "user" });
        return "server" in read ? read.server : undefined;
      },
      write: writeServer,
      edits: (name, { entry }) => [
        { edit: (before) => json.set(before, ["mcpServers", name], entry), what: `mcpServers.${name}` },
      ],
    },
    target,
  );
  const items: Item[] = [];
  for (const server of state.servers) items.push(await writer.server(server));
  for (const hook of state.hooks) {
    items.push(
      leave(target, belonging(hook, hookLine(hook)), {
        kind: "tools",
        axis: "hooks",
        reason: "no-counterpart",
        note: "in Pi an extension would do it, a program in TypeScript",
      }),
    );
  }
  return { actions: writer.actions, items };
}
