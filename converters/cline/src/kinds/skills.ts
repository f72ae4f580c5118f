/** Skill folders, of Cline's own and of the place that others read too; workflows, which are its slash commands. */
import {
  type Action,
  type Definition,
  type Item,
  type KindContext,
  type KindPlan,
  type KindTarget,
  pathOf,
  type Skill,
  type Skills,
  type StateKind,
  type Store,
  safeRelative,
} from "@asp-convert/core";
import {
  belonging,
  change,
  heldBack,
  inspected,
  leave,
  noteHash,
  planSkillFolder,
  readDefinitions,
  readSkillFolder,
  readText,
  runsNotHere,
  runsOf,
  settleSkill,
  standardLimits,
  toldOver,
  withFrontMatter,
  withoutRestrictions,
} from "@asp-convert/core/kinds";
import { skillFidelity } from "./fidelity.js";
import {
  CLINERULES,
  HARNESS,
  NAME,
  ownFolder,
  type Place,
  placesOf,
  SHARED,
  SKILLS,
  WORKFLOWS,
} from "./places.js";

const KIND = { kind: "skills", axis: "skills" } as const;
const AXES = { command: "commands", agent: "agents", "output-style": "output-styles" } as const;

export const skills: StateKind<Skills> = { read, write, fidelity: skillFidelity };

async function read(store: Store, context: KindContext): Promise<Skills | undefined> {
  const paths = pathOf(context.environment);
  const state: Skills = { skills: [], definitions: [] };
  for (const place of placesOf(context)) {
    for (const folder of skillFolders(place.project, store.root, context))
      await take(folder, place, state, context);
    const own = ownFolder(store.root, place.project, context.environment);
    const folders = [
      ...(place.project === undefined ? [] : [paths.join(place.project, CLINERULES, WORKFLOWS)]),
      paths.join(own, WORKFLOWS),
    ];
    const base = place.project ?? store.root;
    for (const folder of folders)
      state.definitions.push(
        ...(await readDefinitions({ of: "command", folder, base, ...place, harness: HARNESS }, context)),
      );
  }
  return state.skills.length + state.definitions.length > 0 ? state : undefined;
}

/** Of two skills of one name the first is taken. */
function skillFolders(
  project: string | undefined,
  root: string,
  { environment }: Pick<KindContext, "environment">,
): string[] {
  const paths = pathOf(environment);
  return [
    ...(project === undefined ? [] : [paths.join(project, CLINERULES, SKILLS)]),
    paths.join(ownFolder(root, project, environment), SKILLS),
    paths.join(project ?? environment.home, SHARED, SKILLS),
  ];
}

async function take(folder: string, place: Place, state: Skills, context: KindContext): Promise<void> {
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
          note: `${NAME} takes another skill of this name`,
        }),
      );
  }
}

async function write(state: Skills, target: KindTarget): Promise<KindPlan> {
  const actions: Action[] = [];
  const items: Item[] = [];
  for (const skill of state.skills) items.push(await writeSkill(skill, actions, target));
  for (const definition of state.definitions) items.push(await writeDefinition(definition, actions, target));
  return { actions, items };
}

async function writeSkill(given: Skill, actions: Action[], target: KindTarget): Promise<Item> {
  const skill = await inspected(given);
  const of = belonging(skill, skill.name);
  const project = skill.project === undefined ? undefined : target.projectFolder(skill.project);
  if (skill.project !== undefined && project === undefined)
    return leave(target, of, { ...KIND, reason: "no-place" });
  const paths = pathOf(target.environment);
  const places = skillFolders(project, target.root, target).map((folder) => paths.join(folder, skill.name));
  const shared = places.pop() as string;
  const own = places.at(-1) as string;
  // Of a project to the shared place, which other programs read too; else into the store.
  const folder = project === undefined ? own : shared;
  for (const other of [...places, shared])
    if (
      other !== folder &&
      (await target.source.stat(other)) &&
      "present" in (await planSkillFolder(skill, other, target))
    )
      return { ...of, outcome: "present" };
  const plan = await planSkillFolder(skill, folder, target);
  // It looks at the name and the description, and lets each skill do what any may.
  const held = "actions" in plan ? heldBack(of, skill.restrictions, target) : undefined;
  if (held) return held;
  const item = settleSkill(plan, skill, actions, target);
  if (item.outcome !== "written") return item;
  withoutRestrictions(skill, skill.restrictions, target);
  if (skill.runs) return runsNotHere(skill, NAME, target);
  return toldOver(item, skill, standardLimits, target);
}

async function writeDefinition(definition: Definition, actions: Action[], target: KindTarget): Promise<Item> {
  const { of: type, name, native, project, limits } = definition;
  const of = belonging(definition, type === "command" ? `/${name}` : name);
  const words = { kind: "skills", axis: AXES[type] } as const;
  if (type !== "command")
    return leave(target, of, { ...words, reason: "no-counterpart", note: `${NAME} takes no such file` });
  const home = project === undefined ? undefined : target.projectFolder(project);
  if (project !== undefined && home === undefined) return leave(target, of, { ...words, reason: "no-place" });
  const paths = pathOf(target.environment);
  // A workflow's name is that of its file: there are no folders in it.
  const file = `${name.replaceAll(":", "-")}.md`;
  const safe = safeRelative(file);
  if ("refused" in safe || safe.path !== file || file.includes("/"))
    return leave(target, of, { ...words, reason: "unsafe", note: `its name is ${JSON.stringify(name)}` });
  const folder =
    home === undefined
      ? paths.join(target.root, WORKFLOWS)
      : paths.join(ownFolder(target.root, home, target.environment), WORKFLOWS);
  const path = paths.join(folder, file);
  const isOwn = native.harness === HARNESS && native.text !== undefined;
  const about = definition.description === undefined ? {} : { description: definition.description };
  const text = isOwn
    ? (native.text as string)
    : Object.keys(about).length > 0
      ? await withFrontMatter(about, definition.body)
      : definition.body;
  const had = (await readText(target.source, path))?.text;
  if (had !== undefined && (had === text || noteHash(had) === native.hash))
    return { ...of, outcome: "present" };
  if (had !== undefined) return leave(target, of, { ...words, reason: "exists", note: path });
  const runs = await runsOf(definition);
  if (runs.length > 0 && !isOwn)
    return leave(target, of, {
      ...words,
      reason: "not-supported",
      note: `${NAME} would say it and not run it: ${runs.join("; ")}`,
    });
  const held = isOwn ? undefined : heldBack(of, limits, target);
  if (held) return held;
  actions.push({ do: "create", path, content: text, mode: 0o644 });
  if (isOwn) return { ...of, outcome: "written" };
  // What is said behind the command is added to it, wherever it was to stand.
  const lost = [
    ...Object.keys(definition.options),
    ...(/\$(?:ARGUMENTS|\d)/.test(definition.body) ? ["arguments in the text"] : []),
  ];
  return lost.length > 0
    ? change(target, of, { ...words, reason: "no-equal", note: lost.join(", ") })
    : { ...of, outcome: "written" };
}
