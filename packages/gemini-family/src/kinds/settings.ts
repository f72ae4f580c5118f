/** Options and rules in `settings.json`, whose keys stand in groups: `general`, `model`, `tools`, `ui` … */
import {
  type Action,
  type Item,
  type KindContext,
  type KindPlan,
  type KindTarget,
  type Permission,
  pathOf,
  type Setting,
  type Settings,
  type StateKind,
  type Store,
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
  jsonObject,
  leave,
  type Mode,
  narrowest,
  nearestLevel,
  readJsonObject,
  type Scalar,
  valueAt,
} from "@asp-convert/core/kinds";
import { settingFidelity } from "./fidelity.js";
import { folderOf, type OptionWords, type Place, type Program, SETTINGS } from "./program.js";

const KIND = { kind: "settings", axis: "options" } as const;
const RULE = { kind: "settings", axis: "permissions" } as const;
/** Groups that other kinds carry, or that hold what is private to a machine or a person. */
const NOT_OPTIONS = new Set(["$schema", "$version", "mcpServers", "mcp", "hooks", "permissions", "security"]);
/** Modes that run things unasked: only with consent, and never in a project's settings, which others open too. */
const UNASKED = new Set<Mode>(["sandbox", "auto", "full"]);
const EFFECTS = ["deny", "ask", "allow"] as const;

export function settings(program: Program): StateKind<Settings> {
  return {
    read: (store, context) => read(program, store, context),
    write: (state, target) => write(program, state, target),
    fidelity: settingFidelity,
  };
}

async function read(program: Program, store: Store, context: KindContext): Promise<Settings | undefined> {
  const state = { harness: program.id, options: [] as Setting[], permissions: [] as Permission[] };
  const places: Place[] = [
    ...(context.user ? [{ scope: "user" } as const] : []),
    ...context.projects.map((project) => ({ scope: "project", project }) as const),
  ];
  for (const place of places) {
    const folder = await folderOf(program, store.root, place.project, context);
    const file = await readJsonObject(pathOf(context.environment).join(folder, SETTINGS), KIND, context);
    ofFile(program.options, file, place, state, context);
  }
  return state.options.length + state.permissions.length > 0 ? state : undefined;
}

function ofFile(
  words: OptionWords,
  file: Record<string, unknown>,
  place: Place,
  state: { options: Setting[]; permissions: Permission[] },
  context: KindContext,
): void {
  const taken = new Set<string>();
  const option = (keys: readonly string[] | undefined, made: (value: string) => Omit<Setting, "scope">) => {
    const value = keys && valueAt(file, keys);
    if (!keys || typeof value !== "string") return;
    taken.add(keys.join("."));
    state.options.push({ ...made(value), ...place });
  };
  option(words.model, (value) => ({ id: "model", value, category: "model" }));
  option(words.mode, (value) => {
    const means = Object.hasOwn(words.modes, value) ? words.modes[value] : undefined;
    return { id: "mode", value, category: "mode", ...(means && { means }) };
  });
  option(words.thoughtLevel, (value) => ({
    id: "thought_level",
    value,
    category: "thought_level",
    ...(isThoughtLevel(value) && { means: value }),
  }));
  for (const effect of EFFECTS) {
    const keys = words.rules[effect];
    const rules = keys && valueAt(file, keys);
    if (!keys || !Array.isArray(rules)) continue;
    taken.add(keys.join("."));
    for (const rule of rules)
      if (typeof rule === "string") state.permissions.push({ effect, rule, ...withCommand(rule), ...place });
  }
  for (const [id, value] of leavesOf(file)) {
    if (taken.has(id)) continue;
    if (value !== undefined) state.options.push({ id, value, ...place });
    else
      context.items.push(
        leave(context, belonging(place, id), {
          ...KIND,
          reason: "no-counterpart",
          note: "a setting of the program's own",
        }),
      );
  }
}

/** `{ui: {theme: "x"}}` as `ui.theme`; undefined for what is no plain value. */
function* leavesOf(
  value: Record<string, unknown>,
  above = "",
): Generator<[id: string, value: Scalar | undefined]> {
  for (const [key, inner] of Object.entries(value)) {
    if (above === "" && NOT_OPTIONS.has(key)) continue;
    const id = above === "" ? key : `${above}.${key}`;
    if (typeof inner === "string" || typeof inner === "boolean" || typeof inner === "number")
      yield [id, inner];
    else if (isObject(inner) && Object.keys(inner).every((name) => /^\w+$/.test(name)))
      yield* leavesOf(inner, id);
    else yield [id, undefined];
  }
}

/** `Bash(rm -rf *)` is about the command `rm -rf`. */
function withCommand(rule: string): Pick<Permission, "command"> {
  const words = /^(?:Bash|Shell|run_shell_command)\(([\w./ -]+?)(?: \*)?\)$/
    .exec(rule)?.[1]
    ?.trim()
    .split(/\s+/);
  return words && words[0] !== "" ? { command: words } : {};
}

async function write(program: Program, state: Settings, target: KindTarget): Promise<KindPlan> {
  const writer = new Writer(program, state.harness === program.id, await jsonEditor(), target);
  const items: Item[] = [];
  for (const setting of state.options)
    items.push(
      await writer.inFile(setting, belonging(setting, setting.id), KIND, (path, file) =>
        writer.option(setting, path, file),
      ),
    );
  for (const permission of state.permissions ?? []) {
    const of = belonging(permission, `${permission.effect} ${permission.rule}`);
    items.push(
      await writer.inFile(permission, of, RULE, (path, file) => writer.permission(permission, path, file)),
    );
  }
  return { actions: writer.actions, items };
}

type Of = Pick<Item, "item" | "scope" | "project">;
type Chosen = { keys: readonly string[]; value: JsonValue; exact: boolean };

class Writer {
  readonly actions: Action[] = [];
  readonly #program: Program;
  readonly #isOwn: boolean;
  readonly #json: JsonEditor;
  readonly #target: KindTarget;
  readonly #files = new Map<string, Promise<unknown>>();

  constructor(program: Program, isOwn: boolean, json: JsonEditor, target: KindTarget) {
    this.#program = program;
    this.#isOwn = isOwn;
    this.#json = json;
    this.#target = target;
  }

  async inFile(
    { project }: { project?: string | undefined },
    of: Of,
    kind: typeof KIND | typeof RULE,
    put: (path: string, file: unknown) => Item,
  ): Promise<Item> {
    const { root, source, environment } = this.#target;
    const folder = project === undefined ? undefined : this.#target.projectFolder(project);
    if (project !== undefined && folder === undefined)
      return leave(this.#target, of, { ...kind, reason: "no-place" });
    const path = pathOf(environment).join(
      await folderOf(this.#program, root, folder, this.#target),
      SETTINGS,
    );
    const file = this.#files.get(path) ?? jsonObject(path, source);
    this.#files.set(path, file);
    try {
      return put(path, await file);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      return leave(this.#target, of, { ...kind, reason: "invalid-form", note: `${path} ${error.message}` });
    }
  }

  option(setting: Setting, path: string, file: unknown): Item {
    const of = belonging(setting, setting.id);
    const chosen = this.#choose(setting);
    if ("left" in chosen) return leave(this.#target, of, chosen.left);
    const had = valueAt(file, chosen.keys);
    if (had === chosen.value) return { ...of, outcome: "present" };
    if (had !== undefined)
      return leave(this.#target, of, { ...KIND, reason: "exists", note: `${String(had)} in ${path}` });
    this.actions.push({
      do: "edit",
      path,
      edit: (before) => this.#json.set(before, chosen.keys, chosen.value),
      what: chosen.keys.join("."),
      mode: setting.scope === "project" ? 0o644 : 0o600,
    });
    return chosen.exact
      ? { ...of, outcome: "written" }
      : change(this.#target, of, {
          ...KIND,
          reason: "no-equal",
          note: `${String(setting.value)} → ${String(chosen.value)}`,
        });
  }

  #choose({ id, value, category, means, scope }: Setting): Chosen | { left: Parameters<typeof leave>[2] } {
    const { options, name } = this.#program;
    const left = (
      reason: "unsafe" | "no-equal" | "not-supported" | "no-counterpart" | "consent-needed",
      note: string,
    ) => ({
      left: { ...KIND, reason, note },
    });
    const keys = id.split(".");
    if (keys.some(isForbiddenKey)) return left("unsafe", "its name");
    switch (category) {
      case "model":
        return this.#isOwn && typeof value === "string"
          ? { keys: options.model, value, exact: true }
          : left("no-equal", `${String(value)} is a model of another program's`);
      case "mode": {
        const found = isMode(means) ? narrowest(means, Object.values(options.modes)) : undefined;
        const word = Object.entries(options.modes).find(([, each]) => each === found?.mode)?.[0];
        if (!found || word === undefined) return left("no-equal", String(value));
        if (UNASKED.has(found.mode) && scope !== "user")
          return left("not-supported", "it runs things unasked, and a project's settings are everybody's");
        if (UNASKED.has(found.mode) && !this.#target.allowTools)
          return left("consent-needed", `${String(value)} runs things unasked`);
        return { keys: options.mode, value: word, exact: found.exact };
      }
      case "thought_level": {
        const { thoughtLevel, thoughtLevels = [] } = options;
        if (!thoughtLevel) return left("no-counterpart", `${name} asks the model's own settings for it`);
        const level = isThoughtLevel(means) ? nearestLevel(means, thoughtLevels) : undefined;
        return level
          ? { keys: thoughtLevel, value: level.level, exact: level.exact }
          : left("no-equal", String(value));
      }
      case "environment":
        return left("not-supported", `${name}'s variables are not written: each command would get them`);
      default: {
        if (!this.#isOwn) return left("no-equal", String(value));
        const may = Object.hasOwn(options.carried, id) ? options.carried[id] : undefined;
        const isTaken = typeof may === "string" ? typeof value === may : may?.includes(String(value));
        return isTaken
          ? { keys, value, exact: true }
          : left("not-supported", "not among the options that are carried");
      }
    }
  }

  /** Rules that forbid go over where they can be said; those that allow only with consent, and to no other program. */
  permission({ effect, rule: given, command, ...place }: Permission, path: string, file: unknown): Item {
    const of = belonging(place, `${effect} ${given}`);
    const left = (words: {
      reason: "no-counterpart" | "no-equal" | "consent-needed" | "would-widen";
      note?: string;
    }) => leave(this.#target, of, { ...RULE, ...words });
    const { rules, writesCommands } = this.#program.options;
    const keys = rules[effect];
    if (!keys || !(this.#isOwn || writesCommands))
      return left({
        reason: "no-counterpart",
        note: `${this.#program.name}'s rules for it are in files of its own`,
      });
    const isPlain = command?.every((word) => /^[\w./=@+,~-]+$/.test(word));
    const rule = this.#isOwn ? given : command && isPlain ? `Bash(${command.join(" ")} *)` : undefined;
    if (rule === undefined) return left({ reason: "no-equal" });
    const list = valueAt(file, keys);
    if (Array.isArray(list) && list.includes(rule)) return { ...of, outcome: "present" };
    if (effect === "allow" && !this.#isOwn) return left({ reason: "would-widen" });
    if (effect === "allow" && !this.#target.allowTools) return left({ reason: "consent-needed" });
    this.actions.push({
      do: "edit",
      path,
      edit: (before) => this.#json.add(before, keys, [rule]),
      what: `${keys.join(".")} ${rule}`,
    });
    return { ...of, outcome: "written" };
  }
}
