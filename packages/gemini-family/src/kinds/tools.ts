/** MCP servers: `mcpServers` of `settings.json`, and the list of those that are switched off beside it. */
import {
  type Item,
  type KindContext,
  type KindPlan,
  type KindTarget,
  type McpServer,
  pathOf,
  type StateKind,
  type Store,
  type Tools,
} from "@asp-convert/core";
import {
  belonging,
  hookLine,
  isForbiddenKey,
  isObject,
  jsonEditor,
  jsonObject,
  leave,
  lose,
  readJsonObject,
  ServerWriter,
  valueAt,
} from "@asp-convert/core/kinds";
import { toolFidelity } from "./fidelity.js";
import { folderOf, type Place, type Program, SETTINGS } from "./program.js";
import { readServer, writeServer } from "./servers.js";

const KIND = { kind: "tools", axis: "mcp-servers" } as const;
/** The programs make tool names of it. */
const LEGAL_NAME = /^[A-Za-z0-9_-]+$/;

export function tools(program: Program): StateKind<Tools> {
  return {
    read: (store, context) => read(program, store, context),
    write: (state, target) => write(program, state, target),
    fidelity: toolFidelity,
  };
}

async function read(program: Program, store: Store, context: KindContext): Promise<Tools | undefined> {
  const servers: McpServer[] = [];
  const places: Place[] = [
    ...(context.user ? [{ scope: "user" } as const] : []),
    ...context.projects.map((project) => ({ scope: "project", project }) as const),
  ];
  for (const place of places) {
    const folder = await folderOf(program, store.root, place.project, context);
    const path = pathOf(context.environment).join(folder, SETTINGS);
    servers.push(...serversIn(program, await readJsonObject(path, KIND, context), place, context));
  }
  return servers.length > 0 ? { servers, hooks: [] } : undefined;
}

function serversIn(
  program: Program,
  settings: Record<string, unknown>,
  place: Place,
  context: KindContext,
): McpServer[] {
  const excluded = valueAt(settings, ["mcp", "excluded"]);
  const off = new Set(Array.isArray(excluded) ? excluded : []);
  if (isObject(settings.hooks) && Object.keys(settings.hooks).length > 0)
    context.items.push(
      leave(context, belonging(place, "hooks"), { ...KIND, axis: "hooks", reason: "not-supported" }),
    );
  return Object.entries(isObject(settings.mcpServers) ? settings.mcpServers : {}).flatMap(([name, entry]) => {
    const of = belonging(place, name);
    const left = (words: Parameters<typeof leave>[2]): [] => {
      context.items.push(leave(context, of, words));
      return [];
    };
    if (isForbiddenKey(name)) return left({ ...KIND, reason: "unsafe", note: "its name" });
    const found = readServer(name, entry, place, program.id, off.has(name));
    if ("invalid" in found) return left({ ...KIND, reason: "invalid-form", note: found.invalid });
    for (const note of found.left)
      lose(context.losses, {
        ...KIND,
        axis: "mcp-options",
        level: "dropped",
        reason: "not-supported",
        item: name,
        note,
      });
    return [found.server];
  });
}

async function write(program: Program, state: Tools, target: KindTarget): Promise<KindPlan> {
  const json = await jsonEditor();
  const { environment, source, root } = target;
  const writer = new ServerWriter(
    {
      legalName: LEGAL_NAME,
      fileOf: async (project) =>
        pathOf(environment).join(await folderOf(program, root, project, target), SETTINGS),
      entriesIn: async (file) => (await jsonObject(file, source)).mcpServers,
      read: (name, entry) => {
        const found = readServer(name, entry, { scope: "user" }, program.id);
        return "server" in found ? found.server : undefined;
      },
      write: (server) => writeServer(server, program.id),
      edits: (name, { entry, isOff }) => [
        { edit: (before) => json.set(before, ["mcpServers", name], entry), what: `mcpServers.${name}` },
        ...(isOff
          ? [
              {
                edit: (before?: string) => json.add(before, ["mcp", "excluded"], [name]),
                what: "mcp.excluded",
              },
            ]
          : []),
      ],
    },
    target,
  );
  const items: Item[] = [];
  for (const server of state.servers) items.push(await writer.server(server));
  for (const hook of state.hooks)
    items.push(
      leave(target, belonging(hook, hookLine(hook)), {
        ...KIND,
        axis: "hooks",
        reason: "not-supported",
        note: `${program.name} has other events, and hands hooks other words`,
      }),
    );
  return { actions: writer.actions, items };
}
