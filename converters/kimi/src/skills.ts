/** Skill folders, its own and those that others read too, and subagents beside them: a Markdown file each. */
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
  settleSkill,
  standardLimits,
  toldOver,
  withFrontMatter,
  withoutRestrictions,
} from "@asp-convert/core/kinds";
import { skillFidelity } from "./fidelity-state.js";
import { AGENTS, folderOf, HARNESS, NAME, type Place, placesOf, SHARED, SKILLS } from "./layout-state.js";

const KIND = { kind: "skills", axis: "skills" } as const;
/** What hides a skill from the model goes along in its own file; other limits it does not know. */
const KEPT = new Set(["disable-model-invocation", "disable_model_invocation", "disableModelInvocation"]);
const AGENT_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const skills: StateKind<Skills> = { read, write, fidelity: skillFidelity };

async function read(store: Store, context: KindContext): Promise<Skills | undefined> {
  const { environment } = context;
  const paths = pathOf(environment);
  const state: Skills = { skills: [], definitions: [] };
  for (const place of placesOf(context)) {
    const own = folderOf(store, place.project, environment);
    const shared = paths.join(place.project ?? environment.home, SHARED);
    for (const folder of [own, shared]) {
      await take(paths.join(folder, SKILLS), place, state, context);
      const base = place.project ?? (folder === own ? own : environment.home);
      state.definitions.push(
        ...(await readDefinitions(
          { of: "agent", folder: paths.join(folder, AGENTS), base, ...place, harness: HARNESS },
          context,
        )),
      );
    }
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
  const shared = paths.join(project ?? environment.home, SHARED, SKILLS, skill.name);
  const own = paths.join(folderOf(target, project, environment), SKILLS, skill.name);
  // Of a project to the shared place, which other programs read too; else into the store.
  const [folder, other] = project === undefined ? [own, shared] : [shared, own];
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
  if (!AGENT_NAME.test(name))
    return left("invalid-form", `${NAME} wants a name in small letters and hyphens`);
  const isOwn = native.harness === HARNESS && native.text !== undefined;
  if (!isOwn && (description ?? "").trim() === "")
    return left("invalid-form", `${NAME} takes no subagent without a description`);
  const paths = pathOf(target.environment);
  const path = paths.join(folderOf(target, home, target.environment), AGENTS, `${name}.md`);
  const text = isOwn ? (native.text as string) : await withFrontMatter({ name, description }, body);
  const had = (await readText(target.source, path))?.text;
  if (had !== undefined && (had === text || noteHash(had) === native.hash))
    return { ...of, outcome: "present" };
  if (had !== undefined) return left("exists", path);
  const held = isOwn ? undefined : heldBack(of, limits, target);
  if (held) return held;
  actions.push({ do: "create", path, content: text, mode: 0o644 });
  const lost = isOwn ? [] : Object.keys(options);
  return lost.length > 0
    ? change(target, of, { ...words, reason: "no-equal", note: lost.join(", ") })
    : { ...of, outcome: "written" };
}
