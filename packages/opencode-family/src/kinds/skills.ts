/** Skills, slash commands and agents. */
import {
  type Action,
  type Item,
  isInside,
  type KindContext,
  type KindPlan,
  type KindTarget,
  pathOf,
  type Skill,
  type Skills,
  type StateKind,
  type Store,
} from "@asp-convert/core";
import {
  belonging,
  heldBack,
  inspected,
  leave,
  planSkillFolder,
  readSkillFolder,
  runsNotHere,
  settleSkill,
  standardLimits,
  toldOver,
  withoutRestrictions,
} from "@asp-convert/core/kinds";
import { configFolder } from "../layout.js";
import type { Program } from "../program.js";
import { definitionsOf, writeDefinition } from "./definitions.js";
import { skillFidelity } from "./fidelity.js";
import { configsOf, homeFolder, type Place } from "./places.js";

const KIND = { kind: "skills", axis: "skills" } as const;
/** Of the person's config folder; new ones go to the first. */
const FOLDERS = ["skills", "skill"];

export function skills(program: Program): StateKind<Skills> {
  return {
    read: (store, context) => read(program, store, context),
    write: (state, target) => write(program, state, target),
    fidelity: skillFidelity,
  };
}

async function read(program: Program, store: Store, context: KindContext): Promise<Skills | undefined> {
  const { environment, projects, user } = context;
  const paths = pathOf(environment);
  const reader = new Reader(program, context);
  if (user) {
    const place = { scope: "user" } as const;
    const own = configFolder(program, store.root, environment);
    const home = homeFolder(program, store, environment);
    for (const folder of FOLDERS) await reader.below(paths.join(own, folder), place);
    if (home !== undefined) {
      for (const folder of program.homeSkills)
        await reader.below(paths.join(home, ...folder.split("/")), place);
    }
    await reader.named(store, place, own, home);
    reader.state.definitions.push(...(await definitionsOf(program, store, place, own, own, context)));
  }
  for (const project of projects) {
    const place = { scope: "project", project } as const;
    for (const folder of program.projectSkills)
      await reader.below(paths.join(project, ...folder.split("/")), place);
    await reader.named(store, place, project, homeFolder(program, store, environment));
    for (const folder of program.projectFolders) {
      const at = paths.join(project, folder);
      reader.state.definitions.push(...(await definitionsOf(program, store, place, at, project, context)));
    }
  }
  return reader.state.skills.length + reader.state.definitions.length > 0 ? reader.state : undefined;
}

class Reader {
  readonly state: Skills = { skills: [], definitions: [] };
  readonly #program: Program;
  readonly #context: KindContext;
  /** Real folders of skills that were read: by links and settings they may be met again. */
  readonly #seen = new Set<string>();

  constructor(program: Program, context: KindContext) {
    this.#program = program;
    this.#context = context;
  }

  /** A folder with SKILL.md is a skill, however deep. */
  async below(folder: string, place: Place): Promise<void> {
    const { source, environment } = this.#context;
    const paths = pathOf(environment);
    for (const { name, kind } of await source.readDir(folder)) {
      if (name.startsWith(".") || name === "node_modules" || kind === "file") continue;
      const here = paths.join(folder, name);
      if (kind === "link" || (await source.stat(paths.join(here, "SKILL.md"))))
        await this.#take(here, name, place);
      else if (kind === "directory") await this.below(here, place);
    }
  }

  /** `skills` of the config: folders and addresses. */
  async named(store: Store, place: Place, base: string, home: string | undefined): Promise<void> {
    const { environment } = this.#context;
    const paths = pathOf(environment);
    for (const { value } of await configsOf(this.#program, store, place, "skills", this.#context)) {
      const { skills: entry } = value;
      const named = (key: string) => {
        const list = (entry as Record<string, unknown> | undefined)?.[key];
        return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
      };
      for (const folder of named("paths")) {
        const at = folder.startsWith("~/")
          ? paths.join(home ?? environment.home, folder.slice(2))
          : paths.resolve(base, folder);
        // A project may be anybody's: it does not choose which of the person's folders are looked into.
        if (place.project === undefined || isInside(at, place.project, environment.platform))
          await this.below(at, place);
        else this.#left(place, folder, "unsafe", "it lies outside of the project");
      }
      for (const address of named("urls")) {
        this.#left(place, address, "not-supported", "skills from the network");
      }
    }
  }

  #left(place: Place, item: string, reason: "unsafe" | "not-supported" | "superseded", note: string): void {
    this.#context.items.push(leave(this.#context, belonging(place, item), { ...KIND, reason, note }));
  }

  async #take(folder: string, name: string, place: Place): Promise<void> {
    const real = (await this.#context.source.realPath(folder)) ?? folder;
    if (this.#seen.has(real)) return;
    this.#seen.add(real);
    const skill = await readSkillFolder(folder, { name, ...place }, this.#context);
    if (!skill) return;
    const called = skill.declaredName ?? skill.name;
    const first = this.state.skills.find(
      (one) => (one.declaredName ?? one.name) === called && one.project === skill.project,
    );
    if (!first) this.state.skills.push(skill);
    else {
      const note = `there is another skill of this name, and ${this.#program.name} takes one`;
      this.#left(place, skill.name, "superseded", note);
    }
  }
}

async function write(program: Program, state: Skills, target: KindTarget): Promise<KindPlan> {
  const actions: Action[] = [];
  const items: Item[] = [];
  for (const skill of state.skills) items.push(await writeSkill(program, skill, actions, target));
  for (const definition of state.definitions)
    items.push(await writeDefinition(program, definition, actions, target));
  return { actions, items };
}

/** Where a skill goes, and where the program would find it as well. */
function placesOf(
  program: Program,
  skill: Skill,
  target: KindTarget,
): { folder: string; others: string[] } | undefined {
  const { environment } = target;
  const paths = pathOf(environment);
  if (skill.project === undefined) {
    const own = configFolder(program, target.root, environment);
    const home = homeFolder(program, target, environment);
    const [first, ...more] = FOLDERS.map((folder) => paths.join(own, folder, skill.name));
    const others =
      home === undefined
        ? []
        : program.homeSkills.map((one) => paths.join(home, ...one.split("/"), skill.name));
    return { folder: first as string, others: [...more, ...others] };
  }
  const project = target.projectFolder(skill.project);
  if (project === undefined) return undefined;
  const [first, ...others] = program.projectSkills.map((folder) =>
    paths.join(project, ...folder.split("/"), skill.name),
  );
  return { folder: first as string, others };
}

async function writeSkill(
  program: Program,
  given: Skill,
  actions: Action[],
  target: KindTarget,
): Promise<Item> {
  const skill = await inspected(given);
  const of = belonging(skill, skill.name);
  const places = placesOf(program, skill, target);
  if (!places) return leave(target, of, { ...KIND, reason: "no-place" });
  for (const other of places.others) {
    if (!(await target.source.stat(other))) continue;
    if ("present" in (await planSkillFolder(skill, other, target))) return { ...of, outcome: "present" };
  }
  const plan = await planSkillFolder(skill, places.folder, target);
  const { restrictions } = skill;
  const held = "actions" in plan ? heldBack(of, restrictions, target) : undefined;
  if (held) return held;
  const item = settleSkill(plan, skill, actions, target);
  if (item.outcome !== "written") return item;
  withoutRestrictions(skill, restrictions, target);
  if (skill.runs) return runsNotHere(skill, program.name, target);
  return toldOver(item, skill, { ...standardLimits, descriptionRequired: false }, target);
}
