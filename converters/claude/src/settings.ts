/** Options and permission rules in `settings.json`. Facts: STATE.md. */

import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { type Permission, pathOf, type Setting, type Settings } from "@asp-convert/core";
import {
  belonging,
  change,
  EditError,
  isForbiddenKey,
  isMode,
  isObject,
  isThoughtLevel,
  type JsonEditor,
  type JsonValue,
  jsonEditor,
  leave,
  looksSecret,
  type Mode,
  narrowest,
  nearestLevel,
  readJsonObject,
  readText,
  valueAt,
  variableName,
} from "@asp-convert/core/kinds";
import { settingFidelity } from "./fidelity-state.js";
import { LOCAL_SETTINGS, PROJECT_FOLDER, SETTINGS } from "./layout-state.js";

const HARNESS = "claude";
const KIND = { kind: "settings", axis: "options" } as const;
const RULE = { kind: "settings", axis: "permissions" } as const;

/** Claude Code's permission modes in everybody's words. */
const MODES: Readonly<Record<string, Mode>> = {
  plan: "plan",
  dontAsk: "deny",
  default: "ask",
  manual: "ask",
  acceptEdits: "edit",
  auto: "auto",
  bypassPermissions: "full",
};
const BY_MODE = {
  plan: "plan",
  deny: "dontAsk",
  ask: "default",
  edit: "acceptEdits",
  auto: "auto",
  full: "bypassPermissions",
} as const;
type OwnMode = keyof typeof BY_MODE;
const EFFORTS = ["low", "medium", "high", "xhigh"] as const;
/** Modes that run things unasked: only with consent. A project's settings may not say them (Claude Code ignores it). */
const UNASKED = new Set<Mode>(["sandbox", "auto", "full"]);

/** Keys that other kinds carry, or that are no option. */
const NOT_OPTIONS = new Set([
  "$schema",
  "permissions",
  "hooks",
  "env",
  "model",
  "effortLevel",
  "modelSettings",
  "skillOverrides",
  "enabledPlugins",
]);
/** Harmless options, and what they may be: only these are written, for one wrong value spoils a whole file. */
const CARRIED: Readonly<Record<string, "boolean" | "string">> = {
  outputStyle: "string",
  language: "string",
  includeCoAuthoredBy: "boolean",
  includeGitInstructions: "boolean",
  respectGitignore: "boolean",
  spinnerTipsEnabled: "boolean",
  alwaysThinkingEnabled: "boolean",
  autoMemoryEnabled: "boolean",
  autoCompactEnabled: "boolean",
  fileCheckpointingEnabled: "boolean",
  showTurnDuration: "boolean",
  prefersReducedMotion: "boolean",
  verbose: "boolean",
  todoFeatureEnabled: "boolean",
};

export const settings: StateKind<Settings> = { read, write, fidelity: settingFidelity };

type Place = Pick<Setting, "scope" | "project">;

async function read(store: Store, context: KindContext): Promise<Settings | undefined> {
  const paths = pathOf(context.environment);
  const state: Settings & { permissions: Permission[] } = { harness: HARNESS, options: [], permissions: [] };
  if (context.user) await ofFile(paths.join(store.root, SETTINGS), { scope: "user" }, state, context);
  for (const project of context.projects) {
    const folder = paths.join(project, PROJECT_FOLDER);
    await ofFile(paths.join(folder, SETTINGS), { scope: "project", project }, state, context);
    await ofFile(paths.join(folder, LOCAL_SETTINGS), { scope: "local", project }, state, context);
  }
  return state.options.length + state.permissions.length > 0 ? state : undefined;
}

async function ofFile(
  path: string,
  place: Place,
  state: Settings & { permissions: Permission[] },
  context: KindContext,
): Promise<void> {
  const value = await readJsonObject(path, KIND, context);
  const { options } = state;
  const { model, env } = value;
  const permissions = isObject(value.permissions) ? value.permissions : {};
  if (typeof model === "string") options.push({ id: "model", value: model, category: "model", ...place });
  const mode = permissions.defaultMode;
  if (typeof mode === "string")
    options.push({
      id: "mode",
      value: mode,
      category: "mode",
      ...(MODES[mode] && { means: MODES[mode] }),
      ...place,
    });
  const effort = effortOf(value);
  if (effort !== undefined)
    options.push({ id: "effort", value: effort, category: "thought_level", means: effort, ...place });
  for (const [name, inner] of Object.entries(isObject(env) ? env : {})) {
    if (typeof inner === "string")
      options.push({ id: `env.${name}`, value: inner, category: "environment", ...place });
  }
  for (const effect of ["deny", "ask", "allow"] as const) {
    for (const rule of Array.isArray(permissions[effect]) ? permissions[effect] : []) {
      if (typeof rule === "string") state.permissions.push({ effect, rule, ...withCommand(rule), ...place });
    }
  }
  for (const [key, inner] of Object.entries(value)) {
    if (NOT_OPTIONS.has(key)) continue;
    if (typeof inner === "string" || typeof inner === "boolean" || typeof inner === "number")
      options.push({ id: key, value: inner, ...place });
    else
      context.items.push(
        leave(context, belonging(place, key), {
          ...KIND,
          reason: "no-counterpart",
          note: "a setting of Claude Code's own",
        }),
      );
  }
}

/** The level that counts: of the chosen model, else of any, else the plain one. */
function effortOf({ model, effortLevel, modelSettings }: Record<string, unknown>): string | undefined {
  const perModel = isObject(modelSettings) ? modelSettings : {};
  const own = typeof model === "string" ? perModel[model] : undefined;
  const level = isObject(own) ? own.effortLevel : undefined;
  const other = Object.values(perModel).flatMap((one) =>
    isObject(one) && typeof one.effortLevel === "string" ? [one.effortLevel] : [],
  )[0];
  const found = level ?? effortLevel ?? other;
  return typeof found === "string" && isThoughtLevel(found) ? found : undefined;
}

/** `Bash(rm -rf:*)` is about the command `rm -rf`. */
function withCommand(rule: string): Pick<Permission, "command"> {
  const words = /^Bash\(([\w./ -]+?)(?::\*| \*)?\)$/.exec(rule)?.[1]?.trim().split(/\s+/);
  return words && words[0] !== "" ? { command: words } : {};
}

async function write(state: Settings, target: KindTarget): Promise<KindPlan> {
  const json = await jsonEditor();
  const actions: Action[] = [];
  const items: Item[] = [];
  const files = new Map<string, unknown>();
  const fileOf = (place: Place): string | undefined => {
    const paths = pathOf(target.environment);
    if (place.project === undefined) return paths.join(target.root, SETTINGS);
    const folder = target.projectFolder(place.project);
    return folder && paths.join(folder, PROJECT_FOLDER, place.scope === "local" ? LOCAL_SETTINGS : SETTINGS);
  };
  const valueIn = async (path: string): Promise<unknown> => {
    if (!files.has(path)) files.set(path, json.parse((await readText(target.source, path))?.text));
    return files.get(path);
  };
  for (const setting of state.options) {
    const path = fileOf(setting);
    const of = belonging(setting, setting.id);
    if (path === undefined) {
      items.push(leave(target, of, { ...KIND, reason: "no-place" }));
      continue;
    }
    try {
      items.push(writeOption(setting, state.harness, path, await valueIn(path), json, actions, target));
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      items.push(leave(target, of, { ...KIND, reason: "invalid-form", note: `${path} ${error.message}` }));
    }
  }
  for (const permission of state.permissions ?? []) {
    const path = fileOf(permission);
    const of = belonging(permission, `${permission.effect} ${permission.rule}`);
    if (path === undefined) items.push(leave(target, of, { ...RULE, reason: "no-place" }));
    else
      items.push(
        writePermission(permission, state.harness, path, await valueIn(path), json, actions, target),
      );
  }
  return { actions, items };
}

interface Chosen {
  keys: readonly (readonly string[])[];
  value: JsonValue;
  exact: boolean;
}

function writeOption(
  setting: Setting,
  harness: string,
  path: string,
  file: unknown,
  json: JsonEditor,
  actions: Action[],
  target: KindTarget,
): Item {
  const of = belonging(setting, setting.id);
  const chosen = choose(setting, harness, file, target);
  if ("left" in chosen) return chosen.left;
  const had = chosen.keys.map((keys) => valueAt(file, keys)).find((value) => value !== undefined);
  if (had !== undefined) {
    return had === chosen.value
      ? { ...of, outcome: "present" }
      : leave(target, of, { ...KIND, reason: "exists", note: `${String(had)} in ${path}` });
  }
  for (const keys of chosen.keys) {
    actions.push({
      do: "edit",
      path,
      edit: (before) => json.set(before, keys, chosen.value),
      what: keys.join("."),
      mode: setting.scope === "project" ? 0o644 : 0o600,
    });
  }
  return chosen.exact
    ? { ...of, outcome: "written" }
    : change(target, of, {
        ...KIND,
        reason: "no-equal",
        note: `${String(setting.value)} → ${String(chosen.value)}`,
      });
}

/** Which keys get which value; only values that Claude Code knows, or it would ignore the whole file. */
function choose(
  setting: Setting,
  harness: string,
  file: unknown,
  target: KindTarget,
): Chosen | { left: Item } {
  const own = harness === HARNESS;
  const of = belonging(setting, setting.id);
  const left = (words: Parameters<typeof leave>[2]): { left: Item } => ({ left: leave(target, of, words) });
  const { id, value, category, means } = setting;
  if (id.split(".").some(isForbiddenKey)) return left({ ...KIND, reason: "unsafe", note: "its name" });
  switch (category) {
    case "model":
      if (!own || typeof value !== "string")
        return left({ ...KIND, reason: "no-equal", note: `${String(value)} is another vendor's model` });
      return { keys: [["model"]], value, exact: true };
    case "mode": {
      const mode = isMode(means) ? narrowest(means, Object.keys(BY_MODE) as OwnMode[]) : undefined;
      if (!mode) return left({ ...KIND, reason: "no-equal", note: String(value) });
      if (UNASKED.has(mode.mode) && setting.scope !== "user")
        return left({
          ...KIND,
          reason: "not-supported",
          note: "Claude Code takes this mode from the person's settings only",
        });
      if (UNASKED.has(mode.mode) && !target.allowTools)
        return left({ ...KIND, reason: "consent-needed", note: `${String(value)} runs things unasked` });
      return { keys: [["permissions", "defaultMode"]], value: BY_MODE[mode.mode], exact: mode.exact };
    }
    case "thought_level": {
      const level = isThoughtLevel(means) ? nearestLevel(means, EFFORTS) : undefined;
      if (!level) return left({ ...KIND, reason: "no-equal", note: String(value) });
      return { keys: effortKeys(setting, file), value: level.level, exact: level.exact };
    }
    case "environment": {
      const name = id.slice("env.".length);
      if (!target.allowTools)
        return left({ ...KIND, reason: "consent-needed", note: "a variable that every command would get" });
      if (typeof value !== "string") return left({ ...KIND, reason: "invalid-form" });
      if (looksSecret(name, value) && !target.includeSecrets)
        return left({
          ...KIND,
          axis: "secrets",
          reason: "secret",
          note: `set ${variableName(name)} yourself`,
        });
      return { keys: [["env", name]], value, exact: true };
    }
    default:
      if (!own) return left({ ...KIND, reason: "no-equal", note: String(value) });
      if (!Object.hasOwn(CARRIED, id) || typeof value !== CARRIED[id])
        return left({ ...KIND, reason: "not-supported", note: "not among the options that are carried" });
      return { keys: [[id]], value, exact: true };
  }
}

/**
 * In a person's settings the newer models heed a level only by their own name, in a project's the plain one
 * counts for all. Without a chosen model: for those one can choose.
 */
function effortKeys({ scope }: Setting, file: unknown): string[][] {
  if (scope !== "user") return [["effortLevel"]];
  const model = valueAt(file, ["model"]);
  const models = typeof model === "string" ? [model] : ["opus", "sonnet"];
  return [["effortLevel"], ...models.map((name) => ["modelSettings", name, "effortLevel"])];
}

/** undefined where a word has a meaning of its own in a rule. */
function commandRule(command: readonly string[] | undefined): string | undefined {
  const plain = command?.every((word) => /^[\w./=@+,~-]+$/.test(word));
  return command && plain ? `Bash(${command.join(" ")}:*)` : undefined;
}

/** Rules that forbid go over where they can be said; rules that allow never do: they would widen what is allowed. */
function writePermission(
  permission: Permission,
  harness: string,
  path: string,
  file: unknown,
  json: JsonEditor,
  actions: Action[],
  target: KindTarget,
): Item {
  const of = belonging(permission, `${permission.effect} ${permission.rule}`);
  const { effect, command } = permission;
  const rule = harness === HARNESS ? permission.rule : commandRule(command);
  if (rule === undefined) return leave(target, of, { ...RULE, reason: "no-equal" });
  const list = valueAt(file, ["permissions", effect]);
  if (Array.isArray(list) && list.includes(rule)) return { ...of, outcome: "present" };
  if (effect === "allow" && (harness !== HARNESS || !target.allowTools)) {
    return leave(
      target,
      of,
      harness === HARNESS ? { ...RULE, reason: "consent-needed" } : { ...RULE, reason: "would-widen" },
    );
  }
  actions.push({
    do: "edit",
    path,
    edit: (before) => json.add(before, ["permissions", effect], [rule]),
    what: `permissions.${effect} ${rule}`,
  });
  return { ...of, outcome: "written" };
}
