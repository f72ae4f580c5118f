/** MCP servers: `mcpServers` of one file of the person's. */
import type {
  Item,
  KindContext,
  KindPlan,
  KindTarget,
  McpServer,
  StateKind,
  Store,
  Tools,
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
} from "@asp-convert/core/kinds";
import { toolFidelity } from "./fidelity.js";
import { NAME, serversPath } from "./places.js";
import { readServer, writeServer } from "./servers.js";

const KIND = { kind: "tools", axis: "mcp-servers" } as const;
/** The program makes tool names of it. */
const LEGAL_NAME = /^[A-Za-z0-9_-]+$/;

export const tools: StateKind<Tools> = { read, write, fidelity: toolFidelity };

async function read(store: Store, context: KindContext): Promise<Tools | undefined> {
  if (!context.user) return undefined;
  const settings = await readJsonObject(serversPath(store.root, context.environment), KIND, context);
  const servers: McpServer[] = [];
  for (const [name, entry] of Object.entries(isObject(settings.mcpServers) ? settings.mcpServers : {})) {
    const left = (words: Parameters<typeof leave>[2]) =>
      context.items.push(leave(context, belonging({ scope: "user" }, name), words));
    if (isForbiddenKey(name)) {
      left({ ...KIND, reason: "unsafe", note: "its name" });
      continue;
    }
    const found = readServer(name, entry);
    if ("invalid" in found) {
      left({ ...KIND, reason: "invalid-form", note: found.invalid });
      continue;
    }
    for (const note of found.left)
      lose(context.losses, {
        ...KIND,
        axis: "mcp-options",
        level: "dropped",
        reason: "not-supported",
        item: name,
        note,
      });
    servers.push(found.server);
  }
  return servers.length > 0 ? { servers, hooks: [] } : undefined;
}

async function write(state: Tools, target: KindTarget): Promise<KindPlan> {
  const json = await jsonEditor();
  const path = serversPath(target.root, target.environment);
  const writer = new ServerWriter(
    {
      legalName: LEGAL_NAME,
      // One file for all: a project's server would be everywhere.
      fileOf: () => path,
      entriesIn: async (file) => (await jsonObject(file, target.source)).mcpServers,
      read: (name, entry) => {
        const found = readServer(name, entry);
        return "server" in found ? found.server : undefined;
      },
      write: (server) => writeServer(server),
      edits: (name, { entry }) => [
        { edit: (before) => json.set(before, ["mcpServers", name], entry), what: `mcpServers.${name}` },
      ],
    },
    target,
  );
  const items: Item[] = [];
  for (const server of state.servers) {
    const { asp } = server._meta;
    items.push(
      asp.project === undefined
        ? await writer.server(server)
        : leave(target, belonging(asp, server.name), {
            ...KIND,
            reason: "scope-changed",
            note: `${NAME} has no servers of a project: it would run in all of them`,
          }),
    );
  }
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
