/** MCP servers in `mcp.json`. Pi has no hooks: what runs at an event is an extension, a program. Facts: STATE.md. */
import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type McpServer, pathOf, type ToolOptions, type Tools } from "@asp-convert/core";
import {
  belonging,
  change,
  commandLine,
  EditError,
  hookLine,
  isForbiddenKey,
  isObject,
  type JsonEditor,
  jsonEditor,
  leave,
  legalServerName,
  lose,
  sameServer,
  withoutSecrets,
} from "@asp-convert/core/kinds";
import { toolFidelity } from "./fidelity-state.js";
import { folderOf, objectIn, PROJECT_FOLDER, readObject, SERVERS } from "./layout-state.js";
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
  const actions: Action[] = [];
  const items: Item[] = [];
  /** By file: the servers in it, and those planned for it. */
  const known = new Map<string, Map<string, McpServer>>();
  for (const server of state.servers) items.push(await writeOne(server, json, known, actions, target));
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
  return { actions, items };
}

async function writeOne(
  server: McpServer,
  json: JsonEditor,
  known: Map<string, Map<string, McpServer>>,
  actions: Action[],
  target: KindTarget,
): Promise<Item> {
  const { scope, project } = server._meta.asp;
  const of = belonging(server._meta.asp, server.name);
  const folder = project === undefined ? undefined : target.projectFolder(project);
  if (project !== undefined && folder === undefined)
    return leave(target, of, { ...KIND, reason: "no-place" });
  const path = pathOf(target.environment).join(folderOf(target, folder, target.environment), SERVERS);
  let servers: Map<string, McpServer>;
  try {
    servers = known.get(path) ?? (await serversIn(path, json, target));
    known.set(path, servers);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return leave(target, of, { ...KIND, reason: "invalid-form", note: `${path} ${error.message}` });
  }
  // What was private to a person goes into a file of the project: no secret may come to stand there.
  const kept = target.includeSecrets && scope !== "local" ? server : withoutSecrets(server);
  const had = servers.get(server.name);
  const isLegal = LEGAL_NAME.test(server.name);
  const same = [...servers.values()].find((one) => isSame(one, server) || isSame(one, kept));
  if (same && (same === had || !isLegal)) return { ...of, outcome: "present" };
  if (had && isLegal)
    return leave(target, of, {
      ...KIND,
      reason: "exists",
      note: `another server of this name is in ${path}`,
    });
  if (isForbiddenKey(server.name)) return leave(target, of, { ...KIND, reason: "unsafe", note: "its name" });
  const written = writeServer(kept);
  if ("impossible" in written)
    return leave(target, of, { ...KIND, reason: "not-supported", note: written.impossible });
  if (!target.allowTools)
    return leave(target, of, { ...KIND, reason: "consent-needed", note: commandLine(server) });
  const name = legalServerName(server.name, LEGAL_NAME, new Set(servers.keys()));
  servers.set(name, kept);
  actions.push({
    do: "edit",
    path,
    edit: (before) => json.set(before, ["mcpServers", name], written.entry),
    what: `mcpServers.${name}`,
    mode: folder === undefined ? 0o600 : 0o644,
  });
  return told(server, kept, name, path, written.lost, target);
}

/** A server that Pi would come to hold as the one it holds is that one. */
function isSame(had: McpServer, server: McpServer): boolean {
  if (sameServer(had, server)) return true;
  const written = writeServer(server);
  const back =
    "impossible" in written ? undefined : readServer(server.name, written.entry, { scope: "user" });
  return back !== undefined && "server" in back && sameServer(had, back.server);
}

async function serversIn(
  path: string,
  json: JsonEditor,
  { source }: KindTarget,
): Promise<Map<string, McpServer>> {
  const { mcpServers } = await objectIn(path, source, json);
  const found = new Map<string, McpServer>();
  for (const [name, entry] of Object.entries(isObject(mcpServers) ? mcpServers : {})) {
    const read = readServer(name, entry, { scope: "user" });
    // What is no server takes its name all the same.
    const nobody: McpServer = { name, command: "", args: [], env: [], _meta: { asp: { scope: "user" } } };
    found.set(name, "server" in read ? read.server : nobody);
  }
  return found;
}

function told(
  server: McpServer,
  kept: McpServer,
  name: string,
  path: string,
  lost: readonly string[],
  target: KindTarget,
): Item {
  const of = belonging(server._meta.asp, server.name);
  const changes: Item[] = [];
  const variables = (kept._meta.asp.secrets ?? []).map(({ variable }) => variable);
  if (variables.length > 0)
    changes.push(
      change(target, of, {
        ...KIND,
        axis: "secrets",
        reason: "secret",
        note: `set ${[...new Set(variables)].join(", ")}`,
      }),
    );
  if (name !== server.name)
    changes.push(change(target, of, { ...KIND, reason: "id-not-legal", note: `it is called ${name} now` }));
  if (server._meta.asp.scope === "local")
    changes.push(
      change(target, of, {
        ...KIND,
        reason: "scope-changed",
        note: `private to you before, now in ${path} (${PROJECT_FOLDER} of the project)`,
      }),
    );
  if (lost.length > 0)
    changes.push(
      change(target, of, { ...KIND, axis: "mcp-options", reason: "no-equal", note: lost.join(", ") }),
    );
  return changes[0] ?? { ...of, outcome: "written" };
}
