/** MCP servers and hooks. Facts: STATE.md. */

import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type Hook, pathOf, type Tools } from "@asp-convert/core";
import {
  addHook,
  belonging,
  change,
  EditError,
  hookLine,
  isForbiddenKey,
  isObject,
  type JsonEditor,
  jsonEditor,
  jsonObject,
  leave,
  lose,
  readHooks,
  ServerWriter,
  sameHook,
  tomlEditor,
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
    state.hooks.push(...readHooks((await jsonObject(path, source)).hooks, place));
  } catch (error) {
    invalid(path, error);
  }
}

async function write(state: Tools, target: KindTarget): Promise<KindPlan> {
  const [toml, json] = await Promise.all([tomlEditor(), jsonEditor()]);
  const { environment, source, root } = target;
  const paths = pathOf(environment);
  const writer = new ServerWriter(
    {
      legalName: LEGAL_NAME,
      fileOf: (project) =>
        paths.join(project === undefined ? root : paths.join(project, PROJECT_FOLDER), CONFIG),
      entriesIn: async (file) =>
        (await readConfig(paths.dirname(file), source, environment)).table.mcp_servers,
      read: (name, entry) => readServer(name, entry, { scope: "user" }),
      write: (server) => writeServer(server, environment),
      edits: (name, { entry }) => [
        {
          edit: (before) => toml.set(before, ["mcp_servers", name], entry),
          what: `[mcp_servers.${name}]`,
        },
      ],
    },
    target,
  );
  const items: Item[] = [];
  for (const server of state.servers) items.push(await writer.server(server));
  const actions: Action[] = [...writer.actions];
  for (const hook of state.hooks) items.push(await writeHook(hook, json, actions, target));
  return { actions, items };
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
  let value: Record<string, unknown>;
  try {
    value = await jsonObject(path, target.source);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return leave(target, of, { ...HOOK, reason: "invalid-form", note: `${path} ${error.message}` });
  }
  if (readHooks(value.hooks, hook).some((one) => sameHook(one, hook))) return { ...of, outcome: "present" };
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
