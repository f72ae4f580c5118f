/** Skills and prompt templates. Facts: STATE.md. */
import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import {
  type Definition,
  expandHome,
  pathOf,
  type Skill,
  type Skills,
  safeRelative,
} from "@asp-convert/core";
import {
  belonging,
  change,
  heldBack,
  inspected,
  leave,
  lose,
  noteHash,
  planSkillFolder,
  readDefinitions,
  readFrontMatter,
  readSkillFolder,
  readText,
  runsNotHere,
  runsOf,
  type SkillPlace,
  settleSkill,
  smallFile,
  standardLimits,
  toldOver,
  withFrontMatter,
  withoutRestrictions,
} from "@asp-convert/core/kinds";
import { skillFidelity } from "./fidelity-state.js";
import {
  folderOf,
  PROJECT_FOLDER,
  PROMPTS,
  readObject,
  SETTINGS,
  SHARED_SKILLS,
  SKILLS,
} from "./layout-state.js";

const HARNESS = "pi";
const KIND = { kind: "skills", axis: "skills" } as const;
const COMMAND = { kind: "skills", axis: "commands" } as const;

export const skills: StateKind<Skills> = { read, write, fidelity: skillFidelity };

async function read(store: Store, context: KindContext): Promise<Skills | undefined> {
  const { environment } = context;
  const paths = pathOf(environment);
  const reader = new Reader(context);
  if (context.user) {
    const user = { scope: "user" } as const;
    await reader.below(paths.join(store.root, SKILLS), user, true);
    await reader.below(paths.join(environment.home, ...SHARED_SKILLS.split("/")), user, true);
    await reader.named(store.root, user);
    await reader.prompts(store.root, store.root, user);
  }
  for (const project of context.projects) {
    const place = { scope: "project", project } as const;
    const own = folderOf(store, project, environment);
    await reader.below(paths.join(own, SKILLS), place, true);
    await reader.below(paths.join(project, ...SHARED_SKILLS.split("/")), place, true);
    await reader.named(own, place);
    await reader.prompts(own, project, place);
  }
  return reader.state.skills.length + reader.state.definitions.length > 0 ? reader.state : undefined;
}

type Place = Omit<SkillPlace, "name">;

class Reader {
  readonly state: Skills = { skills: [], definitions: [] };
  readonly #context: KindContext;
  /** Real folders of skills that were read: by links and settings they may be met again. */
  readonly #seen = new Set<string>();

  constructor(context: KindContext) {
    this.#context = context;
  }

  /** As Pi looks for skills: a folder with SKILL.md is one; of the topmost folder, Markdown files are too. */
  async below(folder: string, place: Place, isTop: boolean): Promise<void> {
    const { source, environment } = this.#context;
    const paths = pathOf(environment);
    for (const { name, kind } of await source.readDir(folder)) {
      if (name.startsWith(".") || name === "node_modules") continue;
      const here = paths.join(folder, name);
      if (kind === "file") {
        if (isTop && name.endsWith(".md")) await this.#loose(here, place);
      } else if (await source.stat(paths.join(here, "SKILL.md"))) await this.#take(here, { name, ...place });
      else if (kind === "directory") await this.below(here, place, false);
    }
  }

  /** Folders that the settings name. */
  async named(folder: string, place: Place): Promise<void> {
    const { source, environment } = this.#context;
    const paths = pathOf(environment);
    const settings = await readObject(paths.join(folder, SETTINGS), "skills", this.#context);
    for (const entry of Array.isArray(settings.skills) ? settings.skills : []) {
      if (typeof entry !== "string") continue;
      const path = paths.resolve(folder, expandHome(entry, environment));
      const kind = /^[!+-]|[*?[{]/.test(entry) ? undefined : (await source.stat(path))?.kind;
      if (kind === "directory" && (await source.stat(paths.join(path, "SKILL.md"))))
        await this.#take(path, { name: paths.basename(path), ...place });
      else if (kind === "directory") await this.below(path, place, true);
      else if (kind === "file") await this.#loose(path, place);
      else
        this.#context.items.push(
          leave(this.#context, belonging(place, `skills: ${entry}`), {
            ...KIND,
            reason: kind === undefined && !/^[!+-]|[*?[{]/.test(entry) ? "missing-file" : "not-supported",
            note: `in ${SETTINGS}`,
          }),
        );
    }
  }

  async #take(folder: string, place: SkillPlace): Promise<void> {
    const real = (await this.#context.source.realPath(folder)) ?? folder;
    if (this.#seen.has(real)) return;
    this.#seen.add(real);
    const skill = await readSkillFolder(folder, place, this.#context);
    if (skill) this.#add(skill);
  }

  /** A Markdown file with a description is a skill; a folder is its form everywhere else. */
  async #loose(path: string, place: Place): Promise<void> {
    const paths = pathOf(this.#context.environment);
    const text = (await readText(this.#context.source, path))?.text ?? "";
    const { data } = await readFrontMatter(text);
    if (typeof data.description !== "string" || data.description.trim() === "") return;
    const name = paths.basename(path, ".md");
    if (paths.basename(path) === "SKILL.md") return;
    lose(this.#context.losses, { ...KIND, level: "partial", reason: "re-encoded", item: name, note: path });
    this.#add(await inspected({ ...place, name, restrictions: [], files: [smallFile("SKILL.md", text)] }));
  }

  /** Of two skills with one name Pi takes the first. */
  #add(skill: Skill): void {
    const name = skill.declaredName ?? skill.name;
    const first = this.state.skills.find(
      (one) => (one.declaredName ?? one.name) === name && one.project === skill.project,
    );
    if (!first) this.state.skills.push(skill);
    else
      this.#context.items.push(
        leave(this.#context, belonging(skill, skill.name), {
          ...KIND,
          reason: "superseded",
          note: "Pi takes another skill of this name",
        }),
      );
  }

  /** Templates stand in the folder itself: what lies deeper is none. */
  async prompts(folder: string, base: string, place: Place): Promise<void> {
    const paths = pathOf(this.#context.environment);
    const found = await readDefinitions(
      { of: "command", folder: paths.join(folder, PROMPTS), base, ...place, harness: HARNESS },
      this.#context,
    );
    this.state.definitions.push(...found.filter(({ name }) => !name.includes(":")));
  }
}

async function write(state: Skills, target: KindTarget): Promise<KindPlan> {
  const actions: Action[] = [];
  const items: Item[] = [];
  for (const skill of state.skills) items.push(await writeSkill(skill, actions, target));
  for (const definition of state.definitions) items.push(await writeDefinition(definition, actions, target));
  return { actions, items };
}

/** Of a project to the shared place, which other programs read too; else into the store. */
function placesOf(skill: Skill, target: KindTarget): { folder: string; others: string[] } | undefined {
  const { root, environment, projectFolder } = target;
  const paths = pathOf(environment);
  const shared = SHARED_SKILLS.split("/");
  if (skill.project === undefined)
    return {
      folder: paths.join(root, SKILLS, skill.name),
      others: [paths.join(environment.home, ...shared, skill.name)],
    };
  const project = projectFolder(skill.project);
  return project === undefined
    ? undefined
    : {
        folder: paths.join(project, ...shared, skill.name),
        others: [paths.join(project, PROJECT_FOLDER, SKILLS, skill.name)],
      };
}

async function writeSkill(given: Skill, actions: Action[], target: KindTarget): Promise<Item> {
  const skill = await inspected(given);
  const of = belonging(skill, skill.name);
  const places = placesOf(skill, target);
  if (!places) return leave(target, of, { ...KIND, reason: "no-place" });
  for (const other of places.others) {
    if (!(await target.source.stat(other))) continue;
    if ("present" in (await planSkillFolder(skill, other, target))) return { ...of, outcome: "present" };
  }
  if ((skill.description ?? "").trim() === "")
    return leave(target, of, {
      ...KIND,
      reason: "invalid-form",
      note: "Pi takes no skill without a description",
    });
  const plan = await planSkillFolder(skill, places.folder, target);
  const lost = skill.restrictions.filter(
    // What hides a skill from the model goes along in its own file.
    ({ key, in: file }) => !(key === "disable-model-invocation" && file === "SKILL.md"),
  );
  const held = "actions" in plan ? heldBack(of, lost, target) : undefined;
  if (held) return held;
  const item = settleSkill(plan, skill, actions, target);
  if (item.outcome !== "written") return item;
  withoutRestrictions(skill, lost, target);
  if (skill.runs) return runsNotHere(skill, "Pi", target);
  return toldOver(item, skill, standardLimits, target);
}

const NO_COUNTERPART = {
  agent: ["agents", "subagents"],
  "output-style": ["output-styles", "output styles"],
} as const;

async function writeDefinition(definition: Definition, actions: Action[], target: KindTarget): Promise<Item> {
  const { of: type, name, native, project } = definition;
  const of = belonging(definition, type === "command" ? `/${name}` : name);
  if (type !== "command") {
    const [axis, words] = NO_COUNTERPART[type];
    return leave(target, of, { kind: "skills", axis, reason: "no-counterpart", note: `Pi has no ${words}` });
  }
  const paths = pathOf(target.environment);
  const home = project === undefined ? target.root : target.projectFolder(project);
  if (home === undefined) return leave(target, of, { ...COMMAND, reason: "no-place" });
  const own = native.harness === HARNESS && native.text !== undefined;
  const file = `${name.replaceAll(":", "-")}.md`;
  const safe = safeRelative(file);
  if ("refused" in safe || safe.path !== file || file.includes("/"))
    return leave(target, of, { ...COMMAND, reason: "unsafe", note: `its name is ${JSON.stringify(name)}` });
  const folder = folderOf(target, project === undefined ? undefined : home, target.environment);
  const path = paths.join(folder, PROMPTS, file);
  const had = (await readText(target.source, path))?.text;
  const text = own ? (native.text as string) : await asPrompt(definition);
  if (had !== undefined && (had === text || noteHash(had) === native.hash))
    return { ...of, outcome: "present" };
  if (had !== undefined) return leave(target, of, { ...COMMAND, reason: "exists", note: path });
  const runs = await runsOf(definition);
  if (runs.length > 0)
    return leave(target, of, {
      ...COMMAND,
      reason: "not-supported",
      note: `Pi would say it and not run it: ${runs.join("; ")}`,
    });
  const held = heldBack(of, definition.limits, target);
  if (held) return held;
  actions.push({ do: "create", path, content: text, mode: 0o644 });
  if (own) return { ...of, outcome: "written" };
  const lost = Object.keys(definition.options).filter((key) => key !== "argument-hint");
  const called = name.includes(":") ? [`it is called /${name.replaceAll(":", "-")} now`] : [];
  return lost.length + called.length > 0
    ? change(target, of, { ...COMMAND, reason: "no-equal", note: [...called, ...lost].join(", ") })
    : { ...of, outcome: "written" };
}

/** Arguments are written alike in both: `$ARGUMENTS`, `$1`. */
async function asPrompt({ description, options, body }: Definition): Promise<string> {
  const hint = options["argument-hint"];
  const data = {
    ...(description !== undefined && { description }),
    ...(hint !== undefined && { "argument-hint": hint }),
  };
  return Object.keys(data).length > 0 ? withFrontMatter(data, body) : body;
}
