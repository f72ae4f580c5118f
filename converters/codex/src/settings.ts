/** Options in `config.toml` and command rules. Facts: STATE.md. */

import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type Permission, pathOf, type Setting, type Settings } from "@asp-convert/core";
import {
  belonging,
  change,
  EditError,
  filesBelow,
  isForbiddenKey,
  isMode,
  isObject,
  isThoughtLevel,
  leave,
  looksSecret,
  lose,
  type Mode,
  narrowest,
  nearestLevel,
  readText,
  type TomlEditor,
  type TomlTable,
  type TomlValue,
  tomlEditor,
  valueAt,
  variableName,
} from "@asp-convert/core/kinds";
import { type PrefixRule, readRules, withRule } from "./exec-rules.js";
import { settingFidelity } from "./fidelity-state.js";
import { CONFIG, PROJECT_FOLDER, RULES, readConfig } from "./layout-state.js";

const HARNESS = "codex";
const KIND = { kind: "settings", axis: "options" } as const;
const RULE = { kind: "settings", axis: "permissions" } as const;

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"] as const;
const UNASKED = new Set<Mode>(["sandbox", "auto", "full"]);
/**
 * Approval and sandbox for each mode. `edit` has no equal: in a sandbox that may write, Codex runs commands unasked
 * too. (`approval_policy = "untrusted"`, which older versions had, makes 0.171 refuse to start.)
 */
const BY_MODE = {
  // Nothing is written unasked either; that it plans first is Codex's to be told in the session.
  plan: ["on-request", "read-only"],
  deny: ["never", "read-only"],
  ask: ["on-request", "read-only"],
  sandbox: ["on-request", "workspace-write"],
  full: ["never", "danger-full-access"],
} as const;
type OwnMode = keyof typeof BY_MODE;
/** Keys that other kinds carry, and those that make up the mode. */
const NOT_OPTIONS = new Set([
  "mcp_servers",
  "skills",
  "hooks",
  "projects",
  "agents",
  "developer_instructions",
  "shell_environment_policy",
  "approval_policy",
  "sandbox_mode",
  "model",
  "model_reasoning_effort",
]);
/** Harmless options, and the values Codex takes: only these are written. */
const CARRIED: Readonly<Record<string, readonly string[] | "boolean" | "number">> = {
  model_reasoning_summary: ["auto", "concise", "detailed", "none"],
  model_verbosity: ["low", "medium", "high"],
  personality: ["none", "friendly", "pragmatic"],
  web_search: ["disabled", "cached"],
  hide_agent_reasoning: "boolean",
  project_doc_max_bytes: "number",
};

export const settings: StateKind<Settings> = { read, write, fidelity: settingFidelity };

type Place = Pick<Setting, "scope" | "project">;
type State = Settings & { permissions: Permission[] };

async function read(store: Store, context: KindContext): Promise<Settings | undefined> {
  const paths = pathOf(context.environment);
  const state: State = { harness: HARNESS, options: [], permissions: [] };
  if (context.user) await ofFolder(store.root, { scope: "user" }, state, context);
  for (const project of context.projects)
    await ofFolder(paths.join(project, PROJECT_FOLDER), { scope: "project", project }, state, context);
  return state.options.length + state.permissions.length > 0 ? state : undefined;
}

async function ofFolder(folder: string, place: Place, state: State, context: KindContext): Promise<void> {
  const { source, environment, losses, items } = context;
  const paths = pathOf(environment);
  try {
    const { table } = await readConfig(folder, source, environment);
    state.options.push(...optionsIn(table, place));
    for (const [key, value] of Object.entries(table)) {
      if (NOT_OPTIONS.has(key) || isScalar(value)) continue;
      items.push(
        leave(context, belonging(place, key), {
          ...KIND,
          reason: "no-counterpart",
          note: "a setting of Codex's own",
        }),
      );
    }
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    lose(losses, {
      ...KIND,
      level: "dropped",
      reason: "invalid-form",
      item: paths.join(folder, CONFIG),
      note: error.message,
    });
  }
  for (const { name } of await source.readDir(folder)) {
    const profile = /^(.+)\.config\.toml$/.exec(name)?.[1];
    if (profile !== undefined)
      items.push(
        leave(context, belonging(place, `profile ${profile}`), { ...KIND, reason: "no-counterpart" }),
      );
  }
  for (const name of await filesBelow(
    paths.join(folder, RULES),
    (file) => file.endsWith(".rules"),
    source,
    environment,
    { depth: 0 },
  )) {
    const text = (await readText(source, paths.join(folder, RULES, name)))?.text ?? "";
    const { rules, unread } = readRules(text);
    for (const { pattern, decision, text: rule } of rules) {
      state.permissions.push({
        effect: EFFECTS[decision],
        rule,
        ...(pattern && { command: pattern }),
        ...place,
      });
    }
    if (unread > 0)
      lose(losses, {
        ...RULE,
        level: "dropped",
        reason: "invalid-form",
        item: `${RULES}/${name}`,
        note: `${unread} rule(s) that are no literal call`,
      });
  }
}

const EFFECTS = { allow: "allow", prompt: "ask", forbidden: "deny" } as const;
const DECISIONS = { allow: "allow", ask: "prompt", deny: "forbidden" } as const;

function isScalar(value: unknown): value is string | boolean | number {
  return typeof value === "string" || typeof value === "boolean" || typeof value === "number";
}

function optionsIn(table: TomlTable, place: Place): Setting[] {
  const options: Setting[] = [];
  const { model, model_reasoning_effort: effort, shell_environment_policy: policy } = table;
  if (typeof model === "string") options.push({ id: "model", value: model, category: "model", ...place });
  const mode = modeOf(table);
  if (mode) options.push({ id: "mode", ...mode, category: "mode", ...place });
  if (typeof effort === "string") {
    options.push({
      id: "reasoning_effort",
      value: effort,
      category: "thought_level",
      ...(isThoughtLevel(effort) && { means: effort }),
      ...place,
    });
  }
  for (const [name, value] of Object.entries(isObject(policy) && isObject(policy.set) ? policy.set : {})) {
    if (typeof value === "string")
      options.push({ id: `env.${name}`, value, category: "environment", ...place });
  }
  for (const [key, value] of Object.entries(table)) {
    if (!NOT_OPTIONS.has(key) && isScalar(value)) options.push({ id: key, value, ...place });
  }
  return options;
}

/** What approval policy and sandbox allow together, never more. What is not said counts as the narrower. */
function modeOf({ approval_policy, sandbox_mode }: TomlTable): Pick<Setting, "value" | "means"> | undefined {
  if (approval_policy === undefined && sandbox_mode === undefined) return undefined;
  const approval =
    typeof approval_policy === "string"
      ? approval_policy
      : approval_policy === undefined
        ? "on-request"
        : "granular";
  const sandbox = typeof sandbox_mode === "string" ? sandbox_mode : "read-only";
  return { value: `${approval}, ${sandbox}`, means: meansOf(approval, sandbox) };
}

function meansOf(approval: string, sandbox: string): Mode {
  if (approval === "untrusted" || approval === "granular") return "ask";
  if (sandbox === "danger-full-access") return approval === "never" ? "full" : "auto";
  if (sandbox === "workspace-write") return "sandbox";
  return approval === "never" ? "deny" : "ask";
}

async function write(state: Settings, target: KindTarget): Promise<KindPlan> {
  const paths = pathOf(target.environment);
  const toml = await tomlEditor();
  const actions: Action[] = [];
  const items: Item[] = [];
  const tables = new Map<string, TomlTable>();
  const folderOf = ({ project }: Place): string | undefined => {
    if (project === undefined) return target.root;
    const folder = target.projectFolder(project);
    return folder && paths.join(folder, PROJECT_FOLDER);
  };
  for (const setting of state.options) {
    const of = belonging(setting, setting.id);
    const folder = folderOf(setting);
    if (folder === undefined) {
      items.push(leave(target, of, { ...KIND, reason: "no-place" }));
      continue;
    }
    try {
      const table = tables.get(folder) ?? (await readConfig(folder, target.source, target.environment)).table;
      tables.set(folder, table);
      items.push(
        writeOption(setting, state.harness, paths.join(folder, CONFIG), table, toml, actions, target),
      );
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      items.push(
        leave(target, of, {
          ...KIND,
          reason: "invalid-form",
          note: `${paths.join(folder, CONFIG)} ${error.message}`,
        }),
      );
    }
  }
  for (const permission of state.permissions ?? [])
    items.push(await writePermission(permission, state.harness, folderOf(permission), actions, target));
  return { actions, items };
}

type Assignment = readonly [path: readonly string[], value: TomlValue];

function writeOption(
  setting: Setting,
  harness: string,
  path: string,
  table: TomlTable,
  toml: TomlEditor,
  actions: Action[],
  target: KindTarget,
): Item {
  const of = belonging(setting, setting.id);
  const chosen = choose(setting, harness, target);
  if ("left" in chosen) return chosen.left;
  const had = chosen.set.map(([keys]) => valueAt(table, keys));
  if (had.every((value, i) => value === chosen.set[i]?.[1])) return { ...of, outcome: "present" };
  if (had.some((value) => value !== undefined)) {
    return leave(target, of, {
      ...KIND,
      reason: "exists",
      note: `${had
        .filter((value) => value !== undefined)
        .map(String)
        .join(", ")} in ${path}`,
    });
  }
  for (const [keys, value] of chosen.set) {
    actions.push({
      do: "edit",
      path,
      edit: (before) => toml.set(before, keys, value),
      what: keys.join("."),
      mode: setting.project === undefined ? 0o600 : 0o644,
    });
  }
  const now = chosen.set.map(([, value]) => String(value)).join(", ");
  return chosen.exact
    ? { ...of, outcome: "written" }
    : change(target, of, { ...KIND, reason: "no-equal", note: `${String(setting.value)} → ${now}` });
}

function choose(
  setting: Setting,
  harness: string,
  target: KindTarget,
): { set: Assignment[]; exact: boolean } | { left: Item } {
  const own = harness === HARNESS;
  const of = belonging(setting, setting.id);
  const left = (words: Parameters<typeof leave>[2]): { left: Item } => ({ left: leave(target, of, words) });
  const { id, value, category, means } = setting;
  if (id.split(".").some(isForbiddenKey)) return left({ ...KIND, reason: "unsafe", note: "its name" });
  switch (category) {
    case "model":
      if (!own || typeof value !== "string")
        return left({ ...KIND, reason: "no-equal", note: `${String(value)} is another vendor's model` });
      return { set: [[["model"], value]], exact: true };
    case "mode": {
      const found = isMode(means) ? narrowest(means, Object.keys(BY_MODE) as OwnMode[]) : undefined;
      if (!found) return left({ ...KIND, reason: "no-equal", note: String(value) });
      if (UNASKED.has(found.mode) && !target.allowTools)
        return left({ ...KIND, reason: "consent-needed", note: `${String(value)} runs things unasked` });
      const [approval, sandbox] = BY_MODE[found.mode];
      return {
        set: [
          [["approval_policy"], approval],
          [["sandbox_mode"], sandbox],
        ],
        exact: found.exact && found.mode !== "plan",
      };
    }
    case "thought_level": {
      const level = isThoughtLevel(means) ? nearestLevel(means, EFFORTS) : undefined;
      if (!level) return left({ ...KIND, reason: "no-equal", note: String(value) });
      return { set: [[["model_reasoning_effort"], level.level]], exact: level.exact };
    }
    case "environment": {
      const name = id.slice("env.".length);
      if (!target.allowTools)
        return left({ ...KIND, reason: "consent-needed", note: "a variable that every command would get" });
      if (typeof value !== "string") return left({ ...KIND, reason: "invalid-form" });
      const hides = !target.includeSecrets || setting.scope === "local";
      if (looksSecret(name, value) && hides)
        return left({
          ...KIND,
          axis: "secrets",
          reason: "secret",
          note: `set ${variableName(name)} yourself`,
        });
      return { set: [[["shell_environment_policy", "set", name], value]], exact: true };
    }
    default: {
      const values = Object.hasOwn(CARRIED, id) ? CARRIED[id] : undefined;
      if (!own) return left({ ...KIND, reason: "no-equal", note: String(value) });
      const legal = Array.isArray(values) ? values.includes(value) : typeof value === values;
      return legal
        ? { set: [[[id], value]], exact: true }
        : left({ ...KIND, reason: "not-supported", note: "not among the options that are carried" });
    }
  }
}

/** Rules that forbid or ask go over where they are about a command; rules that allow never do. */
async function writePermission(
  permission: Permission,
  harness: string,
  folder: string | undefined,
  actions: Action[],
  target: KindTarget,
): Promise<Item> {
  const paths = pathOf(target.environment);
  const { effect, command, rule } = permission;
  const of = belonging(permission, `${effect} ${rule}`);
  if (folder === undefined) return leave(target, of, { ...RULE, reason: "no-place" });
  if (!command)
    return leave(target, of, { ...RULE, reason: "no-equal", note: "Codex has rules about commands only" });
  const decision: PrefixRule["decision"] = DECISIONS[effect];
  for (const name of await filesBelow(
    paths.join(folder, RULES),
    (file) => file.endsWith(".rules"),
    target.source,
    target.environment,
    { depth: 0 },
  )) {
    const text = (await readText(target.source, paths.join(folder, RULES, name)))?.text ?? "";
    const had = readRules(text).rules.some(
      (one) => one.decision === decision && JSON.stringify(one.pattern) === JSON.stringify(command),
    );
    if (had) return { ...of, outcome: "present" };
  }
  if (effect === "allow") {
    if (harness !== HARNESS) return leave(target, of, { ...RULE, reason: "would-widen" });
    if (!target.allowTools) return leave(target, of, { ...RULE, reason: "consent-needed" });
  }
  const path = paths.join(
    folder,
    RULES,
    harness === HARNESS ? "default.rules" : `from-${harness.replace(/[^a-z0-9-]/gi, "")}.rules`,
  );
  actions.push({
    do: "edit",
    path,
    edit: (before) => withRule(before, command, decision, `carried over: ${rule}`),
    what: rule,
    mode: 0o644,
  });
  return { ...of, outcome: "written" };
}
