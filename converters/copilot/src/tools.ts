/** MCP servers: `mcp-config.json`, and of a project the `.mcp.json` that other programs read too. Hooks are told of. */
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
  readJsonObject,
  ServerWriter,
} from "@asp-convert/core/kinds";
import { toolFidelity } from "./fidelity-state.js";
import { NAME, type Place, PROJECT_SERVERS, placesOf, SERVERS, SETTINGS } from "./layout-state.js";
import { readServer, writeServer } from "./servers.js";

const KIND = { kind: "tools", axis: "mcp-servers" } as const;
/** Names of tools are made of it. */
const LEGAL_NAME = /^[A-Za-z0-9_-]+$/;
/** In the settings: names of servers that are switched off. */
const OFF = "disabledMcpServers";

export const tools: StateKind<Tools> = { read, write, fidelity: toolFidelity };

async function read(store: Store, context: KindContext): Promise<Tools | undefined> {
  const paths = pathOf(context.environment);
  const settings = await readJsonObject(paths.join(store.root, SETTINGS), KIND, context);
  const off = new Set(Array.isArray(settings[OFF]) ? settings[OFF] : []);
  const servers: McpServer[] = [];
  for (const place of placesOf(context)) {
    const path =
      place.project === undefined
        ? paths.join(store.root, SERVERS)
        : paths.join(place.project, PROJECT_SERVERS);
    const { mcpServers } = await readJsonObject(path, KIND, context);
    for (const [name, entry] of Object.entries(isObject(mcpServers) ? mcpServers : {}))
      servers.push(...serverIn(name, entry, place, off.has(name), context));
  }
  if (context.user && isObject(settings.hooks) && Object.keys(settings.hooks).length > 0)
    context.items.push(
      leave(context, belonging({ scope: "user" }, "hooks"), {
        ...KIND,
        axis: "hooks",
        reason: "not-supported",
      }),
    );
  return servers.length > 0 ? { servers, hooks: [] } : undefined;
}

function serverIn(
  name: string,
  entry: unknown,
  place: Place,
  isOff: boolean,
  context: KindContext,
): McpServer[] {
  const left = (words: Parameters<typeof leave>[2]): [] => {
    context.items.push(leave(context, belonging(place, name), words));
    return [];
  };
  if (isForbiddenKey(name)) return left({ ...KIND, reason: "unsafe", note: "its name" });
  const found = readServer(name, entry, place, isOff);
  return "invalid" in found ? left({ ...KIND, reason: "invalid-form", note: found.invalid }) : [found.server];
}

async function write(state: Tools, target: KindTarget): Promise<KindPlan> {
  const json = await jsonEditor();
  const { environment, source, root } = target;
  const paths = pathOf(environment);
  const actions: KindPlan["actions"] = [];
  const writer = new ServerWriter(
    {
      legalName: LEGAL_NAME,
      fileOf: (project) =>
        project === undefined ? paths.join(root, SERVERS) : paths.join(project, PROJECT_SERVERS),
      entriesIn: async (file) => (await jsonObject(file, source)).mcpServers,
      read: (name, entry) => {
        const found = readServer(name, entry, { scope: "user" });
        return "server" in found ? found.server : undefined;
      },
      write: writeServer,
      edits: (name, { entry, isOff }) => {
        if (isOff)
          actions.push({
            do: "edit",
            path: paths.join(root, SETTINGS),
            edit: (before) => json.add(before, [OFF], [name]),
            what: OFF,
          });
        return [
          { edit: (before) => json.set(before, ["mcpServers", name], entry), what: `mcpServers.${name}` },
        ];
      },
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
  return { actions: [...writer.actions, ...actions], items };
}
