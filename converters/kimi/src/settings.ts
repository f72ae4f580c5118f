/** Options in `config.toml`: which model, how hard it thinks, and what is done unasked. */
import type {
  Action,
  Item,
  KindContext,
  KindPlan,
  KindTarget,
  Setting,
  Settings,
  StateKind,
  Store,
} from "@asp-convert/core";
import {
  belonging,
  change,
  EditError,
  isMode,
  isObject,
  isThoughtLevel,
  leave,
  lose,
  type Mode,
  narrowest,
  nearestLevel,
  type TomlTable,
  type TomlValue,
  tomlEditor,
  valueAt,
} from "@asp-convert/core/kinds";
import { configPath, readConfig } from "./config.js";
import { settingFidelity } from "./fidelity-state.js";
import { HARNESS, NAME } from "./layout-state.js";

const KIND = { kind: "settings", axis: "options" } as const;
const USER = { scope: "user" } as const;

/** `yolo` does unasked what it finds safe, `auto` everything. */
const MODES = { manual: "ask", yolo: "auto", auto: "full" } as const;
const BY_MODE: Readonly<Partial<Record<Mode, readonly Assignment[]>>> = {
  plan: [
    ["default_plan_mode", true],
    ["default_permission_mode", "manual"],
  ],
  ask: [["default_permission_mode", "manual"]],
  auto: [["default_permission_mode", "yolo"]],
  full: [["default_permission_mode", "auto"]],
};
const LEVELS = ["none", "low", "medium", "high"] as const;
/** Keys that make up the options below, that other kinds carry, or that hold what is no option. */
const NOT_OPTIONS = new Set([
  ...["default_model", "default_permission_mode", "default_plan_mode", "thinking"],
  ...["providers", "models", "services", "default_provider", "hooks", "permission", "extra_skill_dirs"],
]);
/** Harmless options, and what they may be: only these are written. */
const CARRIED: Readonly<Record<string, "boolean">> = { telemetry: "boolean" };

type Assignment = readonly [key: string, value: TomlValue];

export const settings: StateKind<Settings> = { read, write, fidelity: settingFidelity };

async function read(store: Store, context: KindContext): Promise<Settings | undefined> {
  if (!context.user) return undefined;
  let table: TomlTable;
  try {
    table = await readConfig(store, context);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    lose(context.losses, {
      ...KIND,
      level: "dropped",
      reason: "invalid-form",
      item: configPath(store, context),
      note: error.message,
    });
    return undefined;
  }
  const options = optionsIn(table);
  const tell = (item: string, axis: "options" | "permissions" = "options") =>
    context.items.push(
      leave(context, belonging(USER, item), {
        kind: "settings",
        axis,
        reason: "no-counterpart",
        note: `${NAME}'s own`,
      }),
    );
  for (const [key, value] of Object.entries(table)) {
    if (key === "permission") tell("permission.rules", "permissions");
    else if (NOT_OPTIONS.has(key) && key !== "extra_skill_dirs") continue;
    else if (isScalar(value)) options.push({ id: key, value, ...USER });
    else tell(key);
  }
  return options.length > 0 ? { harness: HARNESS, options } : undefined;
}

function optionsIn(table: TomlTable): Setting[] {
  const { default_model: model, default_permission_mode: mode, default_plan_mode: plan, thinking } = table;
  const options: Setting[] = [];
  if (typeof model === "string") options.push({ id: "model", value: model, category: "model", ...USER });
  if (plan === true) options.push({ id: "mode", value: "plan", means: "plan", category: "mode", ...USER });
  else if (typeof mode === "string") {
    const means = Object.hasOwn(MODES, mode) ? MODES[mode as keyof typeof MODES] : undefined;
    options.push({ id: "mode", value: mode, ...(means && { means }), category: "mode", ...USER });
  }
  const { enabled, effort } = isObject(thinking) ? thinking : {};
  const level = enabled === false ? "off" : effort;
  if (typeof level === "string") {
    const means = level === "off" ? "none" : level;
    options.push({
      id: "thought_level",
      value: level,
      category: "thought_level",
      ...(isThoughtLevel(means) && { means }),
      ...USER,
    });
  }
  return options;
}

function isScalar(value: unknown): value is string | boolean | number {
  return typeof value === "string" || typeof value === "boolean" || typeof value === "number";
}

async function write(state: Settings, target: KindTarget): Promise<KindPlan> {
  const toml = await tomlEditor();
  const path = configPath(target, target);
  const actions: Action[] = [];
  const items: Item[] = [];
  let table: TomlTable | EditError;
  try {
    table = await readConfig(target, target);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    table = error;
  }
  for (const setting of state.options) {
    const of = belonging(setting, setting.id);
    const left = (words: Omit<Parameters<typeof leave>[2], "kind" | "axis">) =>
      items.push(leave(target, of, { ...KIND, ...words }));
    if (setting.project !== undefined) {
      left({ reason: "no-counterpart", note: `${NAME} has no settings of a project's own` });
      continue;
    }
    const chosen = choose(setting, state.harness);
    if ("left" in chosen) {
      left(chosen.left);
      continue;
    }
    if (table instanceof Error) {
      left({ reason: "invalid-form", note: `${path} ${table.message}` });
      continue;
    }
    const had = chosen.set.map(([key]) => valueAt(table, key.split(".")));
    if (had.every((value, i) => value === chosen.set[i]?.[1])) items.push({ ...of, outcome: "present" });
    else if (had.some((value) => value !== undefined))
      left({ reason: "exists", note: `${had.filter((value) => value !== undefined).join(", ")} in ${path}` });
    else {
      for (const [key, value] of chosen.set)
        actions.push({
          do: "edit",
          path,
          edit: (before) => toml.set(before, key.split("."), value),
          what: key,
          mode: 0o600,
        });
      items.push(
        chosen.exact
          ? { ...of, outcome: "written" }
          : change(target, of, {
              ...KIND,
              reason: "no-equal",
              note: `${String(setting.value)} → ${String(chosen.set[0]?.[1])}`,
            }),
      );
    }
  }
  for (const permission of state.permissions ?? [])
    items.push(
      leave(target, belonging(permission, `${permission.effect} ${permission.rule}`), {
        kind: "settings",
        axis: "permissions",
        reason: "no-counterpart",
        note: `${NAME} has rules in words of its own`,
      }),
    );
  return { actions, items };
}

type Left = { left: Omit<Parameters<typeof leave>[2], "kind" | "axis"> };

function choose(
  { id, value, category, means }: Setting,
  harness: string,
): { set: readonly Assignment[]; exact: boolean } | Left {
  const isOwn = harness === HARNESS;
  switch (category) {
    case "model":
      // It is the name of an entry in the person's own file.
      return isOwn
        ? { set: [["default_model", String(value)]], exact: true }
        : { left: { reason: "no-equal", note: `${String(value)} is a model of another program's` } };
    case "mode": {
      const found = isMode(means) ? narrowest(means, ["plan", "ask", "auto", "full"]) : undefined;
      const set = found && BY_MODE[found.mode];
      if (!found || !set) return { left: { reason: "no-equal", note: String(value) } };
      return { set, exact: found.exact };
    }
    case "thought_level": {
      const found = isThoughtLevel(means) ? nearestLevel(means, LEVELS) : undefined;
      if (!found) return { left: { reason: "no-equal", note: String(value) } };
      if (found.level === "none") return { set: [["thinking.enabled", false]], exact: found.exact };
      return { set: [["thinking.effort", found.level]], exact: found.exact };
    }
    case "environment":
      return { left: { reason: "no-counterpart", note: `${NAME} sets no variables` } };
    default:
      if (!isOwn) return { left: { reason: "no-equal", note: String(value) } };
      return Object.hasOwn(CARRIED, id) && typeof value === CARRIED[id]
        ? { set: [[id, value]], exact: true }
        : { left: { reason: "not-supported", note: "not among the options that are carried" } };
  }
}
