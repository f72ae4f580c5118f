/** Options in `settings.json`. Facts: STATE.md. */
import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import { pathOf, type Setting, type Settings } from "@asp-convert/core";
import {
  belonging,
  change,
  EditError,
  isForbiddenKey,
  isThoughtLevel,
  type JsonEditor,
  type JsonValue,
  jsonEditor,
  jsonObject,
  leave,
  nearestLevel,
  scalarsIn,
  valueAt,
} from "@asp-convert/core/kinds";
import { settingFidelity } from "./fidelity-state.js";
import { folderOf, readObject, SETTINGS } from "./layout-state.js";

const HARNESS = "pi";
const KIND = { kind: "settings", axis: "options" } as const;

const LEVEL = "defaultThinkingLevel";
/** Pi's levels that everybody's words name too, and the one that is called otherwise. */
const LEVELS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
const OFF = "off";
/** Keys that make up the model, or that other kinds carry. */
const NOT_OPTIONS = new Set(["$schema", "defaultProvider", "defaultModel", LEVEL, "skills", "prompts"]);
/** Harmless options, and what they may be: only these are written. What names a program or an address is not. */
const CARRIED: Readonly<Record<string, "boolean" | "number" | readonly string[]>> = {
  hideThinkingBlock: "boolean",
  showCacheMissNotices: "boolean",
  steeringMode: ["all", "one-at-a-time"],
  followUpMode: ["all", "one-at-a-time"],
  doubleEscapeAction: ["tree", "fork", "none"],
  treeFilterMode: ["default", "no-tools", "user-only", "labeled-only", "all"],
  enableSkillCommands: "boolean",
  collapseChangelog: "boolean",
  tuiMode: ["regular", "fullscreen"],
  "compaction.enabled": "boolean",
  "compaction.reserveTokens": "number",
  "compaction.keepRecentTokens": "number",
  "branchSummary.reserveTokens": "number",
  "branchSummary.skipPrompt": "boolean",
  "images.autoResize": "boolean",
  "images.blockImages": "boolean",
  "markdown.mermaid": ["off", "final", "streaming"],
};

export const settings: StateKind<Settings> = { read, write, fidelity: settingFidelity };

type Place = Pick<Setting, "scope" | "project">;

async function read(store: Store, context: KindContext): Promise<Settings | undefined> {
  const options: Setting[] = [];
  if (context.user) options.push(...(await optionsIn(store.root, { scope: "user" }, context)));
  for (const project of context.projects) {
    const folder = folderOf(store, project, context.environment);
    options.push(...(await optionsIn(folder, { scope: "project", project }, context)));
  }
  return options.length > 0 ? { harness: HARNESS, options } : undefined;
}

async function optionsIn(folder: string, place: Place, context: KindContext): Promise<Setting[]> {
  const file = await readObject(pathOf(context.environment).join(folder, SETTINGS), "settings", context);
  const { defaultProvider, defaultModel, [LEVEL]: level } = file;
  const options: Setting[] = [];
  if (typeof defaultModel === "string") {
    const value = typeof defaultProvider === "string" ? `${defaultProvider}/${defaultModel}` : defaultModel;
    options.push({ id: "model", value, category: "model", ...place });
  }
  if (typeof level === "string") {
    const means = level === OFF ? "none" : level;
    options.push({
      id: "thought_level",
      value: level,
      category: "thought_level",
      ...(isThoughtLevel(means) && { means }),
      ...place,
    });
  }
  for (const [key, value] of Object.entries(file)) {
    if (NOT_OPTIONS.has(key)) continue;
    for (const [id, inner] of scalarsIn(key, value)) {
      if (inner !== undefined) options.push({ id, value: inner, ...place });
      else
        context.items.push(
          leave(context, belonging(place, id), {
            ...KIND,
            reason: "no-counterpart",
            note: "a setting of Pi's own",
          }),
        );
    }
  }
  return options;
}

async function write(state: Settings, target: KindTarget): Promise<KindPlan> {
  const json = await jsonEditor();
  const actions: Action[] = [];
  const items: Item[] = [];
  for (const setting of state.options)
    items.push(await writeOne(setting, state.harness, json, actions, target));
  for (const permission of state.permissions ?? []) {
    items.push(
      leave(target, belonging(permission, `${permission.effect} ${permission.rule}`), {
        kind: "settings",
        axis: "permissions",
        reason: "no-counterpart",
        note: "Pi asks before nothing and forbids nothing",
      }),
    );
  }
  return { actions, items };
}

interface Chosen {
  values: readonly (readonly [keys: readonly string[], value: JsonValue])[];
  exact: boolean;
}

async function writeOne(
  setting: Setting,
  harness: string,
  json: JsonEditor,
  actions: Action[],
  target: KindTarget,
): Promise<Item> {
  const { project } = setting;
  const of = belonging(setting, setting.id);
  const folder = project === undefined ? undefined : target.projectFolder(project);
  if (project !== undefined && folder === undefined)
    return leave(target, of, { ...KIND, reason: "no-place" });
  const chosen = choose(setting, harness, target);
  if ("left" in chosen) return chosen.left;
  const path = pathOf(target.environment).join(folderOf(target, folder, target.environment), SETTINGS);
  let file: unknown;
  try {
    file = await jsonObject(path, target.source);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return leave(target, of, { ...KIND, reason: "invalid-form", note: `${path} ${error.message}` });
  }
  const had = chosen.values.map(([keys]) => valueAt(file, keys));
  if (chosen.values.every(([, value], i) => had[i] === value)) return { ...of, outcome: "present" };
  if (had.some((value) => value !== undefined))
    return leave(target, of, { ...KIND, reason: "exists", note: `${had.join(", ")} in ${path}` });
  for (const [keys, value] of chosen.values) {
    actions.push({
      do: "edit",
      path,
      edit: (before) => json.set(before, keys, value),
      what: keys.join("."),
      mode: folder === undefined ? 0o600 : 0o644,
    });
  }
  return chosen.exact
    ? { ...of, outcome: "written" }
    : change(target, of, {
        ...KIND,
        reason: "no-equal",
        note: `${String(setting.value)} → ${String(chosen.values[0]?.[1])}`,
      });
}

function choose(setting: Setting, harness: string, target: KindTarget): Chosen | { left: Item } {
  const { id, value, category, means } = setting;
  const own = harness === HARNESS;
  const left = (words: Parameters<typeof leave>[2]): { left: Item } => ({
    left: leave(target, belonging(setting, id), words),
  });
  const keys = id.split(".");
  if (keys.some(isForbiddenKey)) return left({ ...KIND, reason: "unsafe", note: "its name" });
  switch (category) {
    case "model": {
      const [, provider, model] = /^([^/]+)\/(.+)$/.exec(String(value)) ?? [];
      if (!own || provider === undefined || model === undefined)
        return left({
          ...KIND,
          reason: "no-equal",
          note: `${String(value)} is a model of another program's`,
        });
      return {
        values: [
          [["defaultProvider"], provider],
          [["defaultModel"], model],
        ],
        exact: true,
      };
    }
    case "thought_level": {
      const level = isThoughtLevel(means) ? nearestLevel(means, LEVELS) : undefined;
      if (!level) return left({ ...KIND, reason: "no-equal", note: String(value) });
      const word = level.level === "none" ? OFF : level.level;
      return { values: [[[LEVEL], word]], exact: level.exact };
    }
    case "mode":
      return left({ ...KIND, reason: "no-counterpart", note: "Pi has no modes: it asks before nothing" });
    case "environment":
      return left({ ...KIND, reason: "no-counterpart", note: "Pi sets no variables" });
    default: {
      if (!own) return left({ ...KIND, reason: "no-equal", note: String(value) });
      const may = Object.hasOwn(CARRIED, id) ? CARRIED[id] : undefined;
      const isTaken = typeof may === "string" ? typeof value === may : may?.includes(String(value));
      if (!isTaken)
        return left({ ...KIND, reason: "not-supported", note: "not among the options that are carried" });
      return { values: [[keys, value]], exact: true };
    }
  }
}
