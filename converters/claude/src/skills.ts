/** Skills, commands, subagents and output styles. Facts: STATE.md. */

import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import {
  type Definition,
  pathOf,
  type Restriction,
  type Skill,
  type Skills,
  safeRelative,
} from "@asp-convert/core";
import {
  belonging,
  heldBack,
  inspected,
  isObject,
  jsonEditor,
  leave,
  lose,
  noteHash,
  planSkillFolder,
  readDefinitions,
  readJsonObject,
  readSkillFolder,
  readText,
  runsOf,
  settleSkill,
  standardLimits,
  toldOver,
  withFrontMatter,
  withoutRestrictions,
} from "@asp-convert/core/kinds";
import { skillFidelity } from "./fidelity-state.js";
import { AGENTS, COMMANDS, OUTPUT_STYLES, PROJECT_FOLDER, SETTINGS, SKILLS } from "./layout-state.js";

const HARNESS = "claude";
const KIND = { kind: "skills", axis: "skills" } as const;
const AXIS = { command: "commands", agent: "agents", "output-style": "output-styles" } as const;
const FOLDER = { command: COMMANDS, agent: AGENTS, "output-style": OUTPUT_STYLES } as const;

export const skills: StateKind<Skills> = { read, write, fidelity: skillFidelity };

async function read(store: Store, context: KindContext): Promise<Skills | undefined> {
  const paths = pathOf(context.environment);
  const state: Skills = { skills: [], definitions: [] };
  if (context.user) await ofScope(store.root, store.root, { scope: "user" }, state, context);
  for (const project of context.projects) {
    await ofScope(
      paths.join(project, PROJECT_FOLDER),
      project,
      { scope: "project", project },
      state,
      context,
    );
  }
  return state.skills.length + state.definitions.length > 0 ? state : undefined;
}

type Scope = { scope: "user" | "project"; project?: string };

async function ofScope(
  folder: string,
  base: string,
  place: Scope,
  state: Skills,
  context: KindContext,
): Promise<void> {
  const { source, environment, items } = context;
  const paths = pathOf(environment);
  const settings = await readJsonObject(paths.join(folder, SETTINGS), KIND, context);
  const overrides = isObject(settings.skillOverrides) ? settings.skillOverrides : {};
  const skillsFolder = paths.join(folder, SKILLS);
  for (const { name, kind } of await source.readDir(skillsFolder)) {
    if ((kind !== "directory" && kind !== "link") || name.startsWith(".")) continue;
    const skill = await readSkillFolder(paths.join(skillsFolder, name), { name, ...place }, context);
    if (!skill) continue;
    const switched = switchedBy(overrides[name]);
    state.skills.push(switched ? { ...skill, restrictions: [...skill.restrictions, switched] } : skill);
  }
  for (const of of ["command", "agent", "output-style"] as const) {
    state.definitions.push(
      ...(await readDefinitions(
        { of, folder: paths.join(folder, FOLDER[of]), base, ...place, harness: HARNESS },
        context,
      )),
    );
  }
  for (const [name, on] of Object.entries(isObject(settings.enabledPlugins) ? settings.enabledPlugins : {})) {
    if (on !== true) continue;
    items.push(
      leave(context, belonging(place, `plugin ${name}`), {
        ...KIND,
        axis: "plugins",
        reason: "no-counterpart",
        note: "plugins are installed from their marketplace, not carried",
      }),
    );
  }
}

function switchedBy(override: unknown): Restriction | undefined {
  if (override === "off") return { key: "enabled", value: false, in: SETTINGS };
  return override === "user-invocable-only"
    ? { key: "disable-model-invocation", value: true, in: SETTINGS }
    : undefined;
}

async function write(state: Skills, target: KindTarget): Promise<KindPlan> {
  const actions: Action[] = [];
  const items: Item[] = [];
  for (const skill of state.skills) items.push(await writeSkill(skill, actions, target));
  for (const definition of state.definitions) items.push(await writeDefinition(definition, actions, target));
  return { actions, items };
}

/** `.claude` of a project, or the store's root; undefined where the project has no place. */
function folderOf(
  of: { project?: string | undefined },
  { root, projectFolder, environment }: KindTarget,
): string | undefined {
  if (of.project === undefined) return root;
  const folder = projectFolder(of.project);
  return folder === undefined ? undefined : pathOf(environment).join(folder, PROJECT_FOLDER);
}

async function writeSkill(given: Skill, actions: Action[], target: KindTarget): Promise<Item> {
  const skill = await inspected(given);
  const paths = pathOf(target.environment);
  const of = belonging(skill, skill.name);
  const folder = folderOf(skill, target);
  if (folder === undefined) return leave(target, of, { ...KIND, reason: "no-place" });
  const plan = await planSkillFolder(skill, paths.join(folder, SKILLS, skill.name), target);
  // What Claude Code would run by itself when the skill is used.
  if ("actions" in plan && skill.runs && !target.allowTools) {
    return leave(target, of, { ...KIND, reason: "consent-needed", note: skill.runs.join("; ") });
  }
  const { switches, lost } = restrictionsHere(skill);
  const held = "actions" in plan ? heldBack(of, lost, target) : undefined;
  if (held) return held;
  const item = settleSkill(plan, skill, actions, target);
  if (item.outcome !== "written") return item;
  if (switches !== undefined)
    actions.push(await skillOverride(paths.join(folder, SETTINGS), skill.name, switches));
  withoutRestrictions(skill, lost, target);
  return toldOver(item, skill, { ...standardLimits, descriptionRequired: false }, target);
}

/** Restrictions of the front matter go along with it; those from elsewhere become a switch in the settings. */
function restrictionsHere(skill: Skill): { switches?: "off" | "user-invocable-only"; lost: Restriction[] } {
  const elsewhere = skill.restrictions.filter((restriction) => restriction.in !== "SKILL.md");
  const inMatter = new Set(
    skill.restrictions.filter((restriction) => restriction.in === "SKILL.md").map(({ key }) => key),
  );
  const off = elsewhere.some(({ key }) => key === "enabled");
  const hidden = elsewhere.some(({ key }) => key === "disable-model-invocation" && !inMatter.has(key));
  const lost = elsewhere.filter(({ key }) => key !== "enabled" && key !== "disable-model-invocation");
  return { ...(off ? { switches: "off" } : hidden ? { switches: "user-invocable-only" } : {}), lost };
}

async function skillOverride(
  path: string,
  name: string,
  value: "off" | "user-invocable-only",
): Promise<Action> {
  const json = await jsonEditor();
  return {
    do: "edit",
    path,
    edit: (before) => json.set(before, ["skillOverrides", name], value),
    what: `skillOverrides.${name}`,
  };
}

async function writeDefinition(definition: Definition, actions: Action[], target: KindTarget): Promise<Item> {
  const paths = pathOf(target.environment);
  const { of: type, name, native } = definition;
  const axis = AXIS[type];
  const words = { kind: "skills", axis } as const;
  const of = belonging(definition, type === "command" ? `/${name}` : name);
  const folder = folderOf(definition, target);
  if (folder === undefined) return leave(target, of, { ...words, reason: "no-place" });
  const own = native.harness === HARNESS;
  const relative = own
    ? withoutProjectFolder(native.path)
    : `${FOLDER[type]}/${name.replaceAll(":", "/")}.md`;
  // Only into the folder of its own sort: any other file there may be one that is read and run.
  const safe = safeRelative(relative);
  if (
    "refused" in safe ||
    safe.path !== relative ||
    !relative.startsWith(`${FOLDER[type]}/`) ||
    !relative.endsWith(".md")
  )
    return leave(target, of, { ...words, reason: "unsafe", note: `its path is ${JSON.stringify(relative)}` });
  const path = paths.join(folder, ...relative.split("/"));
  const had = (await readText(target.source, path))?.text;
  if (had !== undefined && (noteHash(had) === native.hash || had === native.text))
    return { ...of, outcome: "present" };
  const text = own && native.text !== undefined ? native.text : await asClaude(definition);
  if (had !== undefined)
    return had === text
      ? { ...of, outcome: "present" }
      : leave(target, of, { ...words, reason: "exists", note: path });
  const runs = await runsOf(definition);
  if (runs.length > 0 && !target.allowTools)
    return leave(target, of, { ...words, reason: "consent-needed", note: runs.join("; ") });
  if (type === "agent" && (definition.description ?? "") === "") {
    return leave(target, of, { ...words, reason: "invalid-form", note: "Claude Code wants a description" });
  }
  actions.push({ do: "create", path, content: text, mode: 0o644 });
  if (own && native.text !== undefined) return { ...of, outcome: "written" };
  const dropped = Object.keys(definition.options).filter((key) => !KEPT_OPTIONS.has(key));
  for (const key of dropped)
    lose(target.losses, { ...words, level: "partial", reason: "no-equal", item: name, note: key });
  return dropped.length > 0
    ? { ...of, outcome: "changed", reason: "no-equal", note: dropped.join(", ") }
    : { ...of, outcome: "written" };
}

const EFFORTS = new Set(["low", "medium", "high", "xhigh"]);
const KEPT_OPTIONS = new Set(["effort", "tools"]);

/** A definition that came from elsewhere, in Claude Code's form. */
async function asClaude({ of, name, description, options, body }: Definition): Promise<string> {
  const effort =
    typeof options.effort === "string" && EFFORTS.has(options.effort) ? { effort: options.effort } : {};
  const tools = options.tools === undefined ? {} : { tools: options.tools };
  const named = of === "command" ? {} : { name };
  return withFrontMatter(
    { ...named, ...(description !== undefined && { description }), ...tools, ...effort },
    body,
  );
}

function withoutProjectFolder(path: string): string {
  return path.startsWith(`${PROJECT_FOLDER}/`) ? path.slice(PROJECT_FOLDER.length + 1) : path;
}
