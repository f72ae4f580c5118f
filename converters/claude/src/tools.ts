/** MCP servers of every scope, and hooks. Facts: STATE.md. */

import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type Hook, type McpServer, pathOf, type ToolOptions, type Tools } from "@asp-convert/core";
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
  jsonObject,
  leave,
  readHooks,
  readJsonObject,
  readMcpServer,
  sameHook,
  sameServer,
  valueAt,
  withoutSecrets,
  writeMcpServer,
} from "@asp-convert/core/kinds";
import { toolFidelity } from "./fidelity-state.js";
import { globalState, LOCAL_SETTINGS, PROJECT_FOLDER, PROJECT_SERVERS, SETTINGS } from "./layout-state.js";

const HARNESS = "claude";
const KIND = { kind: "tools", axis: "mcp-servers" } as const;
const HOOK = { kind: "tools", axis: "hooks" } as const;
const TOKEN_KEYS = new Set(["oauthTokens", "accessToken", "refreshToken", "token"]);

export const tools: StateKind<Tools> = { read, write, fidelity: toolFidelity };

type Place = Pick<ToolOptions, "scope" | "project">;

async function read(store: Store, context: KindContext): Promise<Tools | undefined> {
  const paths = pathOf(context.environment);
  const state: Tools = { servers: [], hooks: [] };
  const statePath = await globalState(store.root, context.source, context.environment);
  const global = await readJsonObject(statePath, KIND, context);
  const projects = isObject(global.projects) ? global.projects : {};
  if (context.user) {
    state.servers.push(...serversOf(global.mcpServers, { scope: "user" }, context));
    const settings = await readJsonObject(paths.join(store.root, SETTINGS), KIND, context);
    state.hooks.push(...readHooks(settings.hooks, { scope: "user" }));
    for (const [project, value] of Object.entries(projects)) {
      if (context.projects.includes(project) || !isObject(value)) continue;
      for (const name of Object.keys(isObject(value.mcpServers) ? value.mcpServers : {})) {
        context.items.push(
          leave(
            context,
            { item: name, scope: "local", project },
            { ...KIND, reason: "no-place", note: project },
          ),
        );
      }
    }
  }
  for (const project of context.projects) {
    const known = isObject(projects[project]) ? projects[project] : {};
    const off = new Set(
      [known.disabledMcpServers, known.disabledMcpjsonServers].flatMap((list) =>
        Array.isArray(list) ? list : [],
      ),
    );
    const mark = (server: McpServer): McpServer =>
      off.has(server.name) ? { ...server, _meta: { asp: { ...server._meta.asp, enabled: false } } } : server;
    const file = await readJsonObject(paths.join(project, PROJECT_SERVERS), KIND, context);
    state.servers.push(...serversOf(file.mcpServers, { scope: "project", project }, context).map(mark));
    state.servers.push(...serversOf(known.mcpServers, { scope: "local", project }, context).map(mark));
    for (const [name, scope] of [
      [SETTINGS, "project"],
      [LOCAL_SETTINGS, "local"],
    ] as const) {
      const settings = await readJsonObject(paths.join(project, PROJECT_FOLDER, name), KIND, context);
      state.hooks.push(...readHooks(settings.hooks, { scope, project }));
    }
  }
  return state.servers.length + state.hooks.length > 0 ? state : undefined;
}

function serversOf(value: unknown, place: Place, context: KindContext): McpServer[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => {
    const of = belonging(place, name);
    if (isForbiddenKey(name)) {
      context.items.push(leave(context, of, { ...KIND, reason: "unsafe", note: "its name" }));
      return [];
    }
    // Tokens that a server gave after a log-in are bound to it and to this machine: never carried.
    const bare = isObject(entry)
      ? Object.fromEntries(Object.entries(entry).filter(([key]) => !TOKEN_KEYS.has(key)))
      : entry;
    const server = readMcpServer(name, bare, place, HARNESS);
    if (server) return [server];
    context.items.push(
      leave(context, of, { ...KIND, reason: "invalid-form", note: "neither a command nor an address" }),
    );
    return [];
  });
}

async function write(state: Tools, target: KindTarget): Promise<KindPlan> {
  const json = await jsonEditor();
  const actions: Action[] = [];
  const items: Item[] = [];
  const writer = await serverWriter(json, target);
  for (const server of state.servers) items.push(await writer(server, actions));
  for (const hook of state.hooks) items.push(await writeHook(hook, json, actions, target));
  return { actions, items };
}

/** What is there already is read once; what is planned counts as there for the servers that follow. */
async function serverWriter(
  json: JsonEditor,
  target: KindTarget,
): Promise<(server: McpServer, actions: Action[]) => Promise<Item>> {
  const { source, environment, root } = target;
  const paths = pathOf(environment);
  const statePath = await globalState(root, source, environment);
  const mapAt = async (path: string, keys: readonly string[]): Promise<Record<string, unknown>> => {
    const value = valueAt(await jsonObject(path, source), keys);
    return isObject(value) ? value : {};
  };
  const planned = new Map<string, McpServer>();

  return async (server, actions) => {
    const { scope, project } = server._meta.asp;
    const of = belonging(server._meta.asp, server.name);
    const folder = project === undefined ? undefined : target.projectFolder(project);
    if (project !== undefined && folder === undefined)
      return leave(target, of, { ...KIND, reason: "no-place" });
    const places = {
      user: { path: statePath, keys: ["mcpServers"] },
      ...(folder !== undefined && {
        project: { path: paths.join(folder, PROJECT_SERVERS), keys: ["mcpServers"] },
        local: { path: statePath, keys: ["projects", folder, "mcpServers"] },
      }),
    };
    const place = places[scope];
    if (!place) return leave(target, of, { ...KIND, reason: "no-place" });
    if (isForbiddenKey(server.name))
      return leave(target, of, { ...KIND, reason: "unsafe", note: "its name" });
    try {
      // A server of the same name that this project sees already, in whatever file, is that server.
      for (const { path, keys } of Object.values(places)) {
        const map = await mapAt(path, keys);
        const key = JSON.stringify([path, keys, server.name]);
        const had = Object.hasOwn(map, server.name)
          ? readMcpServer(server.name, map[server.name], { scope }, HARNESS)
          : planned.get(key);
        if (!had) continue;
        if (sameServer(had, server) || sameServer(withoutSecrets(had), withoutSecrets(server)))
          return { ...of, outcome: "present" };
        if (path === place.path && JSON.stringify(keys) === JSON.stringify(place.keys)) {
          return leave(target, of, {
            ...KIND,
            reason: "exists",
            note: `another server of this name is in ${path}`,
          });
        }
      }
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      return leave(target, of, { ...KIND, reason: "invalid-form", note: `${place.path} ${error.message}` });
    }
    const refused = refusal(server, target);
    if (refused) return refused;
    const kept = target.includeSecrets ? server : withoutSecrets(server);
    const value = writeMcpServer(kept, HARNESS);
    planned.set(JSON.stringify([place.path, place.keys, server.name]), server);
    const edit = (before: string | undefined): string =>
      json.set(before, [...place.keys, server.name], value);
    actions.push({
      do: "edit",
      path: place.path,
      edit,
      what: `mcpServers.${server.name}`,
      mode: scope === "project" ? 0o644 : 0o600,
    });
    const { disabledTools } = server._meta.asp;
    if (disabledTools && disabledTools.length > 0)
      actions.push(denyTools(server.name, disabledTools, folder ?? root, folder !== undefined, json, target));
    return told(server, kept, target);
  };
}

/** Why a server may not go over; told before anything about it is planned. */
function refusal(server: McpServer, target: KindTarget): Item | undefined {
  const of = belonging(server._meta.asp, server.name);
  if (!target.allowTools)
    return leave(target, of, { ...KIND, reason: "consent-needed", note: commandLine(server) });
  const { enabled, enabledTools } = server._meta.asp;
  if (enabled === false) return leave(target, of, { ...KIND, reason: "switched-off" });
  if (enabledTools && !target.dropRestrictions) {
    return leave(target, of, {
      ...KIND,
      axis: "permissions",
      reason: "restriction-lost",
      note: `only ${enabledTools.join(", ")} of its tools were offered`,
    });
  }
  return undefined;
}

/** Tool prefixes as Claude Code makes them of any name. */
function toolRule(server: string, tool: string): string {
  return `mcp__${server.replace(/[^A-Za-z0-9_-]/g, "_")}__${tool}`;
}

function denyTools(
  server: string,
  disabled: readonly string[],
  folder: string,
  isProject: boolean,
  json: JsonEditor,
  { environment }: KindTarget,
): Action {
  const paths = pathOf(environment);
  const path = isProject ? paths.join(folder, PROJECT_FOLDER, SETTINGS) : paths.join(folder, SETTINGS);
  const rules = disabled.map((tool) => toolRule(server, tool));
  return {
    do: "edit",
    path,
    edit: (before) => json.add(before, ["permissions", "deny"], rules),
    what: `permissions.deny ${rules.join(", ")}`,
  };
}

function told(server: McpServer, kept: McpServer, target: KindTarget): Item {
  const of = belonging(server._meta.asp, server.name);
  const { cwd, startupTimeoutMs, enabledTools, approval, toolApproval, literal, native } = server._meta.asp;
  const changes: Item[] = [];
  const variables = (kept._meta.asp.secrets ?? []).map(({ variable }) => variable);
  if (variables.length > 0) {
    changes.push(
      change(target, of, {
        ...KIND,
        axis: "secrets",
        reason: "secret",
        note: `set ${[...new Set(variables)].join(", ")}`,
      }),
    );
  }
  if (literal && literal.length > 0) {
    changes.push(
      change(target, of, {
        ...KIND,
        reason: "re-encoded",
        note: `Claude Code expands \${…} in ${literal.join(", ")}`,
      }),
    );
  }
  if (enabledTools)
    changes.push(
      change(target, of, {
        ...KIND,
        axis: "permissions",
        level: "dropped",
        reason: "restriction-lost",
        note: "its list of offered tools",
      }),
    );
  const lost = Object.entries({ cwd, startupTimeoutMs, approval, toolApproval }).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  );
  if (native && native.harness !== HARNESS) lost.push(...Object.keys(native.value));
  if (lost.length > 0)
    changes.push(
      change(target, of, { ...KIND, axis: "mcp-options", reason: "no-equal", note: lost.join(", ") }),
    );
  return changes[0] ?? { ...of, outcome: "written" };
}

async function writeHook(hook: Hook, json: JsonEditor, actions: Action[], target: KindTarget): Promise<Item> {
  const paths = pathOf(target.environment);
  const of = belonging(hook, hookLine(hook));
  const folder = hook.project === undefined ? undefined : target.projectFolder(hook.project);
  if (hook.project !== undefined && folder === undefined)
    return leave(target, of, { ...HOOK, reason: "no-place" });
  const path =
    folder === undefined
      ? paths.join(target.root, SETTINGS)
      : paths.join(folder, PROJECT_FOLDER, hook.scope === "local" ? LOCAL_SETTINGS : SETTINGS);
  const places =
    folder === undefined
      ? [path]
      : [SETTINGS, LOCAL_SETTINGS].map((name) => paths.join(folder, PROJECT_FOLDER, name));
  for (const place of places) {
    let value: Record<string, unknown>;
    try {
      value = await jsonObject(place, target.source);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      return leave(target, of, { ...HOOK, reason: "invalid-form", note: `${place} ${error.message}` });
    }
    const had = readHooks(value.hooks, { scope: hook.scope });
    if (had.some((one) => sameHook(one, hook))) return { ...of, outcome: "present" };
  }
  if (!EVENTS.has(hook.event))
    return leave(target, of, { ...HOOK, reason: "no-counterpart", note: "Claude Code has no such event" });
  if (!target.allowTools) return leave(target, of, { ...HOOK, reason: "consent-needed" });
  actions.push({
    do: "edit",
    path,
    edit: (before) => addHook(json, before, hook),
    what: `hooks.${hook.event}`,
  });
  return { ...of, outcome: "written" };
}

/** Claude Code says of any other event that it is unknown, and leaves it out. */
const EVENTS = new Set(
  (
    "PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion " +
    "SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch " +
    "PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation " +
    "ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged " +
    "MessageDisplay DirectoryAdded PreSkillShellCommand"
  ).split(" "),
);
