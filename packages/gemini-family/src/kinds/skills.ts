/** Skill folders of the program's own and of the place that others read too; commands and subagents beside them. */
import {
  type Action,
  type Item,
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
import { definitionsIn, writeDefinition } from "./definitions.js";
import { skillFidelity } from "./fidelity.js";
import { folderOf, type Place, type Program, SHARED_SKILLS } from "./program.js";

const KIND = { kind: "skills", axis: "skills" } as const;

export function skills(program: Program): StateKind<Skills> {
  return {
    read: (store, context) => read(program, store, context),
    write: (state, target) => write(program, state, target),
    fidelity: skillFidelity,
  };
}

async function read(program: Program, store: Store, context: KindContext): Promise<Skills | undefined> {
  const paths = pathOf(context.environment);
  const shared = SHARED_SKILLS.split("/");
  const state: Skills = { skills: [], definitions: [] };
  const places: Place[] = [
    ...(context.user ? [{ scope: "user" } as const] : []),
    ...context.projects.map((project) => ({ scope: "project", project }) as const),
  ];
  for (const place of places) {
    const own = await folderOf(program, store.root, place.project, context);
    const home = place.project ?? context.environment.home;
    // Of two skills with one name the later one wins: the shared place is looked at last.
    await take(paths.join(home, ...shared), place, state, program, context);
    await take(paths.join(own, "skills"), place, state, program, context);
    state.definitions.push(...(await definitionsIn(program, own, place.project ?? own, place, context)));
  }
  return state.skills.length + state.definitions.length > 0 ? state : undefined;
}

async function take(
  folder: string,
  place: Place,
  state: Skills,
  program: Program,
  context: KindContext,
): Promise<void> {
  const paths = pathOf(context.environment);
  for (const { name, kind } of await context.source.readDir(folder)) {
    const here = paths.join(folder, name);
    if (kind === "file" || !(await context.source.stat(paths.join(here, "SKILL.md")))) continue;
    const skill = await readSkillFolder(here, { name, ...place }, context);
    if (!skill) continue;
    const called = (one: Skill) => one.declaredName ?? one.name;
    if (!state.skills.some((one) => called(one) === called(skill) && one.project === skill.project))
      state.skills.push(skill);
    else
      context.items.push(
        leave(context, belonging(skill, skill.name), {
          ...KIND,
          reason: "superseded",
          note: `${program.name} takes another skill of this name`,
        }),
      );
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

async function writeSkill(
  program: Program,
  given: Skill,
  actions: Action[],
  target: KindTarget,
): Promise<Item> {
  const skill = await inspected(given);
  const of = belonging(skill, skill.name);
  const project = skill.project === undefined ? undefined : target.projectFolder(skill.project);
  if (skill.project !== undefined && project === undefined)
    return leave(target, of, { ...KIND, reason: "no-place" });
  const paths = pathOf(target.environment);
  const shared = paths.join(project ?? target.environment.home, ...SHARED_SKILLS.split("/"), skill.name);
  const own = paths.join(await folderOf(program, target.root, project, target), "skills", skill.name);
  // Of a project to the shared place, which other programs read too; else into the store.
  const [folder, other] = project === undefined ? [own, shared] : [shared, own];
  if ((await target.source.stat(other)) && "present" in (await planSkillFolder(skill, other, target)))
    return { ...of, outcome: "present" };
  if ((skill.description ?? "").trim() === "")
    return leave(target, of, {
      ...KIND,
      reason: "invalid-form",
      note: `${program.name} takes no skill without a description`,
    });
  const plan = await planSkillFolder(skill, folder, target);
  const lost = skill.restrictions.filter(
    ({ key, in: file }) => !(file === "SKILL.md" && program.skillKeys.includes(key)),
  );
  const held = "actions" in plan ? heldBack(of, lost, target) : undefined;
  if (held) return held;
  const item = settleSkill(plan, skill, actions, target);
  if (item.outcome !== "written") return item;
  withoutRestrictions(skill, lost, target);
  if (skill.runs) return runsNotHere(skill, program.name, target);
  return toldOver(item, skill, standardLimits, target);
}
