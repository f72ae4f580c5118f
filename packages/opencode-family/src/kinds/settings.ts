/** Options and permission rules of the config. */
import type {
  Action,
  Item,
  KindContext,
  KindPlan,
  KindTarget,
  Permission,
  Setting,
  Settings,
  StateKind,
  Store,
} from "@asp-convert/core";
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
  lose,
  narrowest,
  type Scalar,
  scalarsIn,
  valueAt,
} from "@asp-convert/core/kinds";
import { isOfFamily, type Program } from "../program.js";
import { named } from "../target/model.js";
import { settingFidelity } from "./fidelity.js";
import { configsOf, configToWrite, objectIn, type Place } from "./places.js";

const KIND = { kind: "settings", axis: "options" } as const;
const RULE = { kind: "settings", axis: "permissions" } as const;

/** Harmless options, and what they may be: only these are written. What names a program or an address is not. */
const CARRIED: Readonly<Record<string, "boolean" | "number" | "string" | readonly string[]>> = {
  small_model: "string",
  username: "string",
  snapshot: "boolean",
  subagent_depth: "number",
  share: ["manual", "disabled"],
  autoupdate: ["true", "false", "notify"],
  layout: ["auto", "stretch"],
  "compaction.auto": "boolean",
  "compaction.prune": "boolean",
  "compaction.reserved": "number",
  "compaction.tail_turns": "number",
};
/** Keys that make up something else here, or that other kinds carry. */
const NOT_OPTIONS = new Set([
  ...[
    "$schema",
    "model",
    "default_agent",
    "permission",
    "agent",
    "mode",
    "command",
    "mcp",
    "tools",
    "skills",
    "instructions",
  ],
]);
const DEFAULT_AGENTS: ReadonlySet<string> = new Set(["build", "code"]);
/** The program runs everything unasked unless it is told otherwise. */
const MODES = ["plan", "ask", "edit", "full"] as const;

export function settings(program: Program): StateKind<Settings> {
  return {
    read: (store, context) => read(program, store, context),
    write: (state, target) => write(program, state, target),
    fidelity: settingFidelity,
  };
}

async function read(program: Program, store: Store, context: KindContext): Promise<Settings | undefined> {
  const options: Setting[] = [];
  const permissions: Permission[] = [];
  const places: Place[] = [
    ...(context.user ? [{ scope: "user" } as const] : []),
    ...context.projects.map((project) => ({ scope: "project", project }) as const),
  ];
  for (const place of places) {
    const merged: Record<string, unknown> = {};
    for (const { value } of await configsOf(program, store, place, "settings", context))
      Object.assign(merged, value);
    options.push(...optionsIn(program, merged, place, context));
    permissions.push(...rulesIn(merged.permission, place, context));
  }
  if (options.length === 0 && permissions.length === 0) return undefined;
  return { harness: program.id, options, ...(permissions.length > 0 && { permissions }) };
}

function optionsIn(
  program: Program,
  config: Record<string, unknown>,
  place: Place,
  context: KindContext,
): Setting[] {
  const options: Setting[] = [];
  const { model, default_agent: agent } = config;
  if (typeof model === "string") options.push({ id: "model", value: model, category: "model", ...place });
  if (typeof agent === "string") {
    options.push({
      id: "mode",
      value: agent,
      category: "mode",
      ...(agent === "plan" && { means: "plan" }),
      ...place,
    });
  }
  const agents = isObject(config.agent) ? config.agent : {};
  const main = agents[typeof agent === "string" ? agent : program.defaultAgent];
  const variant = isObject(main) ? main.variant : undefined;
  if (typeof variant === "string") {
    options.push({
      id: "thought_level",
      value: variant,
      category: "thought_level",
      ...(isThoughtLevel(variant) && { means: variant }),
      ...place,
    });
  }
  for (const [key, value] of Object.entries(config)) {
    if (NOT_OPTIONS.has(key)) continue;
    for (const [id, inner] of scalarsIn(key, value)) {
      if (inner !== undefined) options.push({ id, value: inner, ...place });
      else {
        const note = `a setting of ${program.name}'s own`;
        context.items.push(leave(context, belonging(place, id), { ...KIND, reason: "no-counterpart", note }));
      }
    }
  }
  return options;
}

/** `"ask"`, `{edit: "ask"}`, `{bash: {"rm *": "deny"}}` as rules: `bash(rm *)`. */
function rulesIn(value: unknown, place: Place, context: KindContext): Permission[] {
  const rules: Permission[] = [];
  const add = (tool: string, pattern: string | undefined, effect: unknown) => {
    if (!isEffect(effect)) return;
    const rule = pattern === undefined ? tool : `${tool}(${pattern})`;
    const first = tool === "bash" && pattern !== undefined ? firstWords(pattern, effect) : undefined;
    rules.push({ effect, ...(first && { command: first.words }), rule, ...place });
    if (first?.exact === false) {
      const note = `taken as a rule for \`${first.words.join(" ")}\``;
      lose(context.losses, {
        ...RULE,
        level: "partial",
        reason: "no-equal",
        item: `${effect} ${rule}`,
        note,
      });
    }
  };
  if (isEffect(value)) add("*", undefined, value);
  for (const [tool, inner] of Object.entries(isObject(value) ? value : {})) {
    if (!isObject(inner)) add(tool, undefined, inner);
    else for (const [pattern, effect] of Object.entries(inner)) add(tool, pattern, effect);
  }
  return rules;
}

/** `rm *` is `rm` with anything after it or nothing. What is not just that may come to forbid more, never to allow more. */
function firstWords(
  pattern: string,
  effect: Permission["effect"],
): { words: string[]; exact: boolean } | undefined {
  const [, text = "", end = ""] = /^(.*?)( ?\*)?$/s.exec(pattern) ?? [];
  if (text === "" || /[*?]/.test(text)) return undefined;
  if (end === "" && effect === "allow") return undefined;
  return { words: text.split(" "), exact: end === " *" };
}

function isEffect(value: unknown): value is Permission["effect"] {
  return value === "allow" || value === "ask" || value === "deny";
}

async function write(program: Program, state: Settings, target: KindTarget): Promise<KindPlan> {
  const writer = new Writer(program, state.harness, await jsonEditor(), target);
  const items: Item[] = [];
  for (const setting of state.options) items.push(await writer.option(setting));
  for (const permission of state.permissions ?? []) items.push(await writer.rule(permission));
  return { actions: writer.actions, items };
}

interface Chosen {
  values: readonly (readonly [keys: readonly string[], value: JsonValue])[];
  exact: boolean;
}
type Left = Parameters<typeof leave>[2];

class Writer {
  readonly actions: Action[] = [];
  readonly #program: Program;
  readonly #own: boolean;
  readonly #isFamily: boolean;
  readonly #json: JsonEditor;
  readonly #target: KindTarget;

  constructor(program: Program, harness: string, json: JsonEditor, target: KindTarget) {
    this.#program = program;
    this.#own = harness === program.id;
    this.#isFamily = isOfFamily(harness);
    this.#json = json;
    this.#target = target;
  }

  async option(setting: Setting): Promise<Item> {
    return this.#put(belonging(setting, setting.id), setting, this.#choose(setting), String(setting.value));
  }

  async rule(permission: Permission): Promise<Item> {
    const of = belonging(permission, `${permission.effect} ${permission.rule}`);
    return this.#put(of, permission, this.#chooseRule(permission), permission.rule);
  }

  async #put(
    of: ReturnType<typeof belonging>,
    { project }: { project?: string | undefined },
    chosen: Chosen | Left,
    was: string,
  ): Promise<Item> {
    const target = this.#target;
    const folder = project === undefined ? undefined : target.projectFolder(project);
    if (project !== undefined && folder === undefined)
      return leave(target, of, { ...KIND, reason: "no-place" });
    if (!("values" in chosen)) return leave(target, of, chosen);
    const path = await configToWrite(this.#program, target, folder);
    let file: unknown;
    try {
      file = await objectIn(path, target.source);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      return leave(target, of, { ...KIND, reason: "invalid-form", note: `${path} ${error.message}` });
    }
    const had = chosen.values.map(([keys]) => valueAt(file, keys));
    if (chosen.values.every(([, value], i) => had[i] === value)) return { ...of, outcome: "present" };
    if (had.some((value) => value !== undefined)) {
      return leave(target, of, {
        ...KIND,
        reason: "exists",
        note: `${chosen.values[0]?.[0].join(".") ?? ""} in ${path}`,
      });
    }
    for (const [keys, value] of chosen.values) {
      this.actions.push({
        do: "edit",
        path,
        edit: (before) => this.#json.set(before, keys, value),
        what: keys.join("."),
        mode: folder === undefined ? 0o600 : 0o644,
      });
    }
    if (chosen.exact) return { ...of, outcome: "written" };
    const now = chosen.values.map(([keys, value]) => `${keys.join(".")}: ${String(value)}`).join(", ");
    return change(target, of, { ...KIND, reason: "no-equal", note: `${was} → ${now}` });
  }

  #choose({ id, value, category, means }: Setting): Chosen | Left {
    const keys = id.split(".");
    if (keys.some(isForbiddenKey)) return { ...KIND, reason: "unsafe", note: "its name" };
    switch (category) {
      case "model":
        return this.#own && named(value)
          ? { values: [[["model"], String(value)]], exact: true }
          : { ...KIND, reason: "no-equal", note: `${String(value)} is a model of another program's` };
      case "mode":
        return this.#mode(value, means);
      case "thought_level":
        return {
          ...KIND,
          reason: "no-counterpart",
          note: `${this.#program.name} keeps the effort with a model of an agent`,
        };
      case "environment":
        return { ...KIND, reason: "no-counterpart", note: `${this.#program.name} sets no variables` };
      default: {
        // A name with a slash is a model, of a provider that another program need not have.
        if (!this.#isFamily || (!this.#own && id === "small_model"))
          return { ...KIND, reason: "no-equal", note: String(value) };
        const may = Object.hasOwn(CARRIED, id) ? CARRIED[id] : undefined;
        const isTaken = typeof may === "string" ? typeof value === may : may?.includes(String(value));
        if (!isTaken)
          return { ...KIND, reason: "not-supported", note: "not among the options that are carried" };
        return { values: [[keys, value]], exact: true };
      }
    }
  }

  #mode(value: Scalar, means: string | undefined): Chosen | Left {
    if (this.#isFamily && means === undefined) {
      // What one calls `build`, the other calls `code`.
      const agent = DEFAULT_AGENTS.has(String(value)) ? this.#program.defaultAgent : String(value);
      return { values: [[["default_agent"], agent]], exact: true };
    }
    const found = isMode(means) ? narrowest(means, MODES) : undefined;
    if (!found) return { ...KIND, reason: "no-equal", note: String(value) };
    switch (found.mode) {
      case "plan":
        return { values: [[["default_agent"], "plan"]], exact: found.exact };
      case "ask":
        return {
          values: [
            [["permission", "edit"], "ask"],
            [["permission", "bash"], "ask"],
          ],
          exact: found.exact,
        };
      case "edit":
        return { values: [[["permission", "bash"], "ask"]], exact: found.exact };
      default:
        // That is how it is without a word; a rule would only undo what the person has.
        return {
          ...KIND,
          reason: "generated",
          note: `${this.#program.name} asks before nothing unless it is told to`,
        };
    }
  }

  #chooseRule({ effect, command, rule }: Permission): Chosen | Left {
    // Rules that allow never go over from elsewhere: they would widen what is allowed.
    if (effect === "allow" && !this.#isFamily) return { ...RULE, reason: "would-widen", note: rule };
    if (effect === "allow" && !this.#target.allowTools)
      return { ...RULE, reason: "consent-needed", note: rule };
    const [, tool, pattern] = /^([\w*]+)(?:\((.*)\))?$/s.exec(rule) ?? [];
    if (this.#isFamily && tool !== undefined && !isForbiddenKey(tool)) {
      const keys =
        tool === "*"
          ? ["permission"]
          : pattern === undefined
            ? ["permission", tool]
            : ["permission", tool, pattern];
      return { values: [[keys, effect]], exact: true };
    }
    if (command && command.length > 0) {
      return { values: [[["permission", "bash", `${command.join(" ")} *`], effect]], exact: false };
    }
    return { ...RULE, reason: "no-equal", note: rule };
  }
}
