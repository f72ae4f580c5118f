/** MCP servers: `servers` of `servers.json`, in the den and in `.marmot` of a project. */
import { posix } from "node:path";
import type { Item, KindContext, McpServer, StateKind, Tools } from "@asp-convert/core";
import {
  belonging,
  hookLine,
  isForbiddenKey,
  isObject,
  jsonEditor,
  jsonObject,
  leave,
  readJsonObject,
  readMcpServer,
  ServerWriter,
  writeMcpServer,
} from "@asp-convert/core/kinds";
import { SERVERS } from "./layout.js";

const KIND = { kind: "tools", axis: "mcp-servers" } as const;

type Place = { scope: "user" } | { scope: "project"; project: string };

const fileOf = (root: string, project: string | undefined): string =>
  project === undefined ? posix.join(root, SERVERS) : posix.join(project, ".marmot", SERVERS);

export const tools: StateKind<Tools> = {
  fidelity: {
    read: { "mcp-servers": "partial", "mcp-options": "preserved", secrets: "preserved" },
    write: { "mcp-servers": "partial", "mcp-options": "preserved", hooks: "dropped", secrets: "partial" },
  },

  async read(store, context) {
    const places: Place[] = [
      ...(context.user ? [{ scope: "user" } as const] : []),
      ...context.projects.map((project) => ({ scope: "project", project }) as const),
    ];
    const servers: McpServer[] = [];
    for (const place of places) servers.push(...(await serversOf(store.root, place, context)));
    return servers.length > 0 ? { servers, hooks: [] } : undefined;
  },

  async write(state, target) {
    const json = await jsonEditor();
    const writer = new ServerWriter(
      {
        legalName: /^[A-Za-z0-9_-]+$/,
        fileOf: (project) => fileOf(target.root, project),
        entriesIn: async (file) => (await jsonObject(file, target.source)).servers,
        read: (name, entry) => readMcpServer(name, entry, { scope: "user" }, "marmot"),
        write: (server) => ({ entry: writeMcpServer(server, "marmot"), lost: [] }),
        edits: (name, { entry }) => [
          { edit: (before) => json.set(before, ["servers", name], entry), what: `servers.${name}` },
        ],
      },
      target,
    );
    const items: Item[] = [];
    for (const server of state.servers) items.push(await writer.server(server));
    for (const hook of state.hooks)
      items.push(
        leave(target, belonging(hook, hookLine(hook)), { ...KIND, axis: "hooks", reason: "not-supported" }),
      );
    return { actions: writer.actions, items };
  },
};

async function serversOf(root: string, place: Place, context: KindContext): Promise<McpServer[]> {
  const project = place.scope === "project" ? place.project : undefined;
  const { servers } = await readJsonObject(fileOf(root, project), KIND, context);
  return Object.entries(isObject(servers) ? servers : {}).flatMap(([name, entry]) => {
    const server = isForbiddenKey(name) ? undefined : readMcpServer(name, entry, place, "marmot");
    if (server) return [server];
    context.items.push(leave(context, belonging(place, name), { ...KIND, reason: "invalid-form" }));
    return [];
  });
}
