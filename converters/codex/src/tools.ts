/** MCP servers and hooks. Facts: STATE.md. */

import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type Hook, type McpServer, pathOf, type Tools } from "@asp-convert/core";
import {
  addHook,
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
  readHooks,
  readText,
  sameHook,
  sameServer,
  type TomlEditor,
  tomlEditor,
  withoutSecrets,
} from "@asp-convert/core/kinds";
import { toolFidelity } from "./fidelity-state.js";
import { CONFIG, HOOKS, PROJECT_FOLDER, readConfig } from "./layout-state.js";
import { readServer, writeServer } from "./servers.js";

const KIND = { kind: "tools", axis: "mcp-servers" } as const;
const HOOK = { kind: "tools", axis: "hooks" } as const;
/** Codex lists a server of any other name, but offers none of its tools. */
const LEGAL_NAME = /^[A-Za-z0-9_.-]+$/;

export const tools: StateKind<Tools> = { read, write, fidelity: toolFidelity };

async function read(store: Store, context: KindContext): Promise<Tools | undefined> {
  const paths = pathOf(context.environment);
  const state: Tools = { servers: [], hooks: [] };
  if (context.user) await ofFolder(store.root, { scope: "user" }, state, context);
  for (const project of context.projects) {
    await ofFolder(paths.join(project, PROJECT_FOLDER), { scope: "project", project }, state, context);
  }
  return state.servers.length + state.hooks.length > 0 ? state : undefined;
}

type Place = { scope: "user" | "project"; project?: string };

async function ofFolder(folder: string, place: Place, state: Tools, context: KindContext): Promise<void> {
  const { source, environment, losses, items } = context;
  const paths = pathOf(environment);
  const invalid = (path: string, error: unknown): void => {
    if (!(error instanceof EditError)) throw error;
    lose(losses, { ...KIND, level: "dropped", reason: "invalid-form", item: path, note: error.message });
  };
  try {
    const { table } = await readConfig(folder, source, environment);
    for (const [name, value] of Object.entries(isObject(table.mcp_servers) ? table.mcp_servers : {})) {
      const server = isForbiddenKey(name) ? undefined : readServer(name, value, place);
      if (server) state.servers.push(server);
      else
        items.push(
          leave(context, belonging(place, name), {
            ...KIND,
            reason: "invalid-form",
            note: "neither a command nor an address",
          }),
        );
    }
    state.hooks.push(...readHooks(table.hooks, place));
  } catch (error) {
    invalid(paths.join(folder, CONFIG), error);
  }
  const path = paths.join(folder, HOOKS);
  try {
    const value = (await jsonEditor()).parse((await readText(source, path))?.text);
    state.hooks.push(...readHooks(isObject(value) ? value.hooks : undefined, place));
  } catch (error) {
    invalid(path, error);
  }
}

async function write(state: Tools, target: KindTarget): Promise<KindPlan> {
  const [toml, json] = await Promise.all([tomlEditor(), jsonEditor()]);
  const actions: Action[] = [];
  const items: Item[] = [];
  /** By config file: the servers in it, and those planned for it. */
  const known = new Map<string, Map<string, McpServer>>();
  for (const server of state.servers) items.push(await writeOne(server, toml, known, actions, target));
  for (const hook of state.hooks) items.push(await writeHook(hook, json, actions, target));
  return { actions, items };
}

async function writeOne(
  server: McpServer,
  toml: TomlEditor,
  known: Map<string, Map<string, McpServer>>,
  actions: Action[],
  target: KindTarget,
): Promise<Item> {
  const paths = pathOf(target.environment);
  const { scope, project } = server._meta.asp;
  const of = belonging(server._meta.asp, server.name);
  const folder = project === undefined ? undefined : target.projectFolder(project);
  if (project !== undefined && folder === undefined)
    return leave(target, of, { ...KIND, reason: "no-place" });
  const home = folder === undefined ? target.root : paths.join(folder, PROJECT_FOLDER);
  let servers: Map<string, McpServer>;
  try {
    servers = known.get(home) ?? (await serversIn(home, target));
    known.set(home, servers);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return leave(target, of, {
      ...KIND,
      reason: "invalid-form",
      note: `${paths.join(home, CONFIG)} ${error.message}`,
    });
  }
  // What was private to a person goes into a file of the project: no secret may come to stand there.
  const hide = !target.includeSecrets || scope === "local";
  const kept = hide ? withoutSecrets(server) : server;
  const had = servers.get(server.name);
  const same = [...servers.values()].find((one) => sameAs(one, kept, target) || sameAs(one, server, target));
  if (same && (same === had || !LEGAL_NAME.test(server.name))) return { ...of, outcome: "present" };
  if (had && LEGAL_NAME.test(server.name))
    return leave(target, of, {
      ...KIND,
      reason: "exists",
      note: `another server of this name is in ${paths.join(home, CONFIG)}`,
    });
  if (isForbiddenKey(server.name)) return leave(target, of, { ...KIND, reason: "unsafe", note: "its name" });
  const written = writeServer(kept, target.environment);
  if ("impossible" in written)
    return leave(target, of, { ...KIND, reason: "not-supported", note: written.impossible });
  if (!target.allowTools)
    return leave(target, of, { ...KIND, reason: "consent-needed", note: commandLine(server) });
  const name = legalServerName(server.name, LEGAL_NAME, new Set(servers.keys()));
  servers.set(name, kept);
  const edit = (before: string | undefined): string => toml.set(before, ["mcp_servers", name], written.table);
  actions.push({
    do: "edit",
    path: paths.join(home, CONFIG),
    edit,
    what: `[mcp_servers.${name}]`,
    mode: folder === undefined ? 0o600 : 0o644,
  });

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
  if (scope === "local")
    changes.push(
      change(target, of, {
        ...KIND,
        reason: "scope-changed",
        note: `private to you before, now in ${paths.join(home, CONFIG)}`,
      }),
    );
  if (written.resolved.length > 0)
    changes.push(
      change(target, of, {
        ...KIND,
        axis: "mcp-options",
        reason: "re-encoded",
        note: `filled in as they are now: ${written.resolved.join(", ")}`,
      }),
    );
  if (written.lost.length > 0)
    changes.push(
      change(target, of, { ...KIND, axis: "mcp-options", reason: "no-equal", note: written.lost.join(", ") }),
    );
  return changes[0] ?? { ...of, outcome: "written" };
}

async function serversIn(
  folder: string,
  { source, environment }: KindTarget,
): Promise<Map<string, McpServer>> {
  const { table } = await readConfig(folder, source, environment);
  const found = new Map<string, McpServer>();
  for (const [name, value] of Object.entries(isObject(table.mcp_servers) ? table.mcp_servers : {})) {
    const server = readServer(name, value, { scope: "user" });
    // What is no server takes its name all the same.
    found.set(name, server ?? { name, command: "", args: [], env: [], _meta: { asp: { scope: "user" } } });
  }
  return found;
}

/** The server as Codex would hold it is the one it holds. */
function sameAs(had: McpServer, server: McpServer, target: KindTarget): boolean {
  if (sameServer(had, server)) return true;
  const written = writeServer(server, target.environment);
  const back =
    "impossible" in written ? undefined : readServer(server.name, written.table, { scope: "user" });
  return back !== undefined && sameServer(had, back);
}

const EVENTS = new Set(
  (
    "PreModelRequest PostModelRequest PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SessionStart " +
    "SessionEnd UserPromptSubmit SubagentStart SubagentStop Stop Interrupt"
  ).split(" "),
);

async function writeHook(hook: Hook, json: JsonEditor, actions: Action[], target: KindTarget): Promise<Item> {
  const paths = pathOf(target.environment);
  const of = belonging(hook, hookLine(hook));
  const folder = hook.project === undefined ? undefined : target.projectFolder(hook.project);
  if (hook.project !== undefined && folder === undefined)
    return leave(target, of, { ...HOOK, reason: "no-place" });
  const path = paths.join(folder === undefined ? target.root : paths.join(folder, PROJECT_FOLDER), HOOKS);
  let value: unknown;
  try {
    value = json.parse((await readText(target.source, path))?.text);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return leave(target, of, { ...HOOK, reason: "invalid-form", note: `${path} ${error.message}` });
  }
  if (readHooks(isObject(value) ? value.hooks : undefined, hook).some((one) => sameHook(one, hook)))
    return { ...of, outcome: "present" };
  if (!EVENTS.has(hook.event))
    return leave(target, of, { ...HOOK, reason: "no-counterpart", note: "Codex has no such event" });
  if (hook.type !== "command")
    return leave(target, of, { ...HOOK, reason: "not-supported", note: `of type ${hook.type}` });
  if (!target.allowTools) return leave(target, of, { ...HOOK, reason: "consent-needed" });
  actions.push({
    do: "edit",
    path,
    edit: (before) => addHook(json, before, hook),
    what: `hooks.${hook.event}`,
    mode: 0o644,
  });
  if (hook.scope === "local")
    return change(target, of, {
      ...HOOK,
      reason: "scope-changed",
      note: `private to you before, now in ${path}`,
    });
  return { ...of, outcome: "written" };
}
