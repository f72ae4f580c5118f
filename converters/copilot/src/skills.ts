/** Skill folders, its own and those of other programs that it reads too, and agents: a Markdown file each. */
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
import { skillFidelity } from "./fidelity-state.js";
import {
  AGENT_END,
  AGENTS,
  folderOf,
  HARNESS,
  NAME,
  type Place,
  placesOf,
  SHARED_SKILLS,
  SKILLS,
} from "./layout-state.js";

const KIND = { kind: "skills", axis: "skills" } as const;
/** What it heeds in a skill's front matter. */
const KEPT = new Set(["allowed-tools", "disable-model-invocation"]);
const AGENT_NAME = /^[A-Za-z0-9][\w-]*$/;

export const skills: StateKind<Skills> = { read, write, fidelity: skillFidelity };

async function read(store: Store, context: KindContext): Promise<Skills | undefined> {
  const { environment } = context;
  const paths = pathOf(environment);
  const state: Skills = { skills: [], definitions: [] };
  for (const place of placesOf(context)) {
    const { project } = place;
    const own = folderOf(store, project, environment);
    const shared = project === undefined ? [] : SHARED_SKILLS.map((name) => paths.join(project, name));
    for (const folder of [paths.join(own, SKILLS), ...shared]) await take(folder, place, state, context);
    const agents = await readDefinitions(
      { of: "agent", folder: paths.join(own, AGENTS), base: project ?? own, ...place, harness: HARNESS },
      context,
    );
    state.definitions.push(
      ...agents.map((agent) => ({ ...agent, name: agent.name.replace(/\.agent$/, "") })),
    );
  }
  return state.skills.length + state.definitions.length > 0 ? state : undefined;
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
  const { environment } = target;
  const paths = pathOf(environment);
  const own = paths.join(folderOf(target, project, environment), SKILLS, skill.name);
  const shared =
    project === undefined ? [] : SHARED_SKILLS.map((name) => paths.join(project, name, skill.name));
  // Of a project to the shared place, which other programs read too; else into the store.
  const [folder = own, ...others] = [...shared, own];
  for (const other of others)
    if ((await target.source.stat(other)) && "present" in (await planSkillFolder(skill, other, target)))
      return { ...of, outcome: "present" };
  if ((skill.description ?? "").trim() === "")
    return leave(target, of, {
      ...KIND,
      reason: "invalid-form",
      note: `${NAME} takes no skill without a description`,
    });
  const plan = await planSkillFolder(skill, folder, target);
  const lost = skill.restrictions.filter(({ key, in: file }) => !(file === "SKILL.md" && KEPT.has(key)));
  const held = "actions" in plan ? heldBack(of, lost, target) : undefined;
  if (held) return held;
  const item = settleSkill(plan, skill, actions, target);
  if (item.outcome !== "written") return item;
  withoutRestrictions(skill, lost, target);
  if (skill.runs) return runsNotHere(skill, NAME, target);
  return toldOver(item, skill, standardLimits, target);
}

const AXES = { command: "commands", agent: "agents", "output-style": "output-styles" } as const;

async function writeDefinition(definition: Definition, actions: Action[], target: KindTarget): Promise<Item> {
  const { of: type, name, description, body, options, limits, native, project } = definition;
  const of = belonging(definition, type === "command" ? `/${name}` : name);
  const words = { kind: "skills", axis: AXES[type] } as const;
  const left = (reason: Parameters<typeof leave>[2]["reason"], note?: string): Item =>
    leave(target, of, { ...words, reason, ...(note !== undefined && { note }) });
  if (type === "command") return left("no-counterpart", `${NAME} has skills for that, and no commands`);
  if (type === "output-style") return left("no-counterpart", `${NAME} has no output styles`);
  const home = project === undefined ? undefined : target.projectFolder(project);
  if (project !== undefined && home === undefined) return left("no-place");
  if (!AGENT_NAME.test(name)) return left("unsafe", `its name is ${JSON.stringify(name)}`);
  const isOwn = native.harness === HARNESS && native.text !== undefined;
  const paths = pathOf(target.environment);
  const folder = folderOf(target, home, target.environment);
  const path = paths.join(folder, AGENTS, `${name}${AGENT_END}`);
  const text = isOwn
    ? (native.text as string)
    : await withFrontMatter({ name, description: description ?? name }, body);
  const had = (await readText(target.source, path))?.text;
  if (had !== undefined && (had === text || noteHash(had) === native.hash))
    return { ...of, outcome: "present" };
  if (had !== undefined) return left("exists", path);
  const runs = isOwn ? [] : await runsOf(definition);
  if (runs.length > 0) return left("not-supported", `${NAME} would not run it: ${runs.join("; ")}`);
  const held = isOwn ? undefined : heldBack(of, limits, target);
  if (held) return held;
  actions.push({ do: "create", path, content: text, mode: 0o644 });
  const lost = isOwn ? [] : Object.keys(options);
  return lost.length > 0
    ? change(target, of, { ...words, reason: "no-equal", note: lost.join(", ") })
    : { ...of, outcome: "written" };
}
