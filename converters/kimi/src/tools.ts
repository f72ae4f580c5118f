/** MCP servers: `mcp.json`, and of a project the `.mcp.json` that other programs read too. Hooks are told of. */
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
  EditError,
  hookLine,
  isForbiddenKey,
  isObject,
  jsonEditor,
  jsonObject,
  leave,
  readJsonObject,
  ServerWriter,
} from "@asp-convert/core/kinds";
import { readConfig } from "./config.js";
import { toolFidelity } from "./fidelity-state.js";
import { folderOf, NAME, type Place, placesOf, SERVERS, SHARED_SERVERS } from "./layout-state.js";
import { readServer, writeServer } from "./servers.js";

const KIND = { kind: "tools", axis: "mcp-servers" } as const;
/** Names of tools are made of it. */
const LEGAL_NAME = /^[A-Za-z0-9_-]+$/;

export const tools: StateKind<Tools> = { read, write, fidelity: toolFidelity };

async function read(store: Store, context: KindContext): Promise<Tools | undefined> {
  const paths = pathOf(context.environment);
  const servers: McpServer[] = [];
  for (const place of placesOf(context)) {
    const own = paths.join(folderOf(store, place.project, context.environment), SERVERS);
    const shared = place.project === undefined ? [] : [paths.join(place.project, SHARED_SERVERS)];
    const named = new Set<string>();
    for (const path of [own, ...shared]) {
      const { mcpServers } = await readJsonObject(path, KIND, context);
      for (const [name, entry] of Object.entries(isObject(mcpServers) ? mcpServers : {})) {
        if (named.has(name)) continue;
        named.add(name);
        servers.push(...serverIn(name, entry, place, context));
      }
    }
  }
  if (context.user) await tellHooks(store, context);
  return servers.length > 0 ? { servers, hooks: [] } : undefined;
}

function serverIn(name: string, entry: unknown, place: Place, context: KindContext): McpServer[] {
  const left = (words: Parameters<typeof leave>[2]): [] => {
    context.items.push(leave(context, belonging(place, name), words));
    return [];
  };
  if (isForbiddenKey(name)) return left({ ...KIND, reason: "unsafe", note: "its name" });
  const found = readServer(name, entry, place);
  return "invalid" in found ? left({ ...KIND, reason: "invalid-form", note: found.invalid }) : [found.server];
}

async function tellHooks(store: Store, context: KindContext): Promise<void> {
  const { hooks } = await readConfig(store, context).catch((error: unknown) => {
    if (error instanceof EditError) return { hooks: undefined }; // whoever reads the settings tells of that
    throw error;
  });
  if (Array.isArray(hooks) && hooks.length > 0)
    context.items.push(
      leave(context, belonging({ scope: "user" }, "hooks"), {
        ...KIND,
        axis: "hooks",
        reason: "not-supported",
        note: `${hooks.length} of ${NAME}'s own`,
      }),
    );
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
        const found = readServer(name, entry, { scope: "user" });
        return "server" in found ? found.server : undefined;
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
  for (const hook of state.hooks)
    items.push(
      leave(target, belonging(hook, hookLine(hook)), {
        ...KIND,
        axis: "hooks",
        reason: "not-supported",
        note: `${NAME} has other events, and hands hooks other words`,
      }),
    );
  return { actions: writer.actions, items };
}
