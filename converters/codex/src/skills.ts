/** Skills and subagent roles. Facts: STATE.md. */

import type { Action, Item, KindContext, KindPlan, KindTarget, StateKind, Store } from "@asp-convert/core";
import {
  type Definition,
  pathOf,
  type Restriction,
  type Skill,
  type SkillFile,
  type Skills,
} from "@asp-convert/core";
import {
  asText,
  belonging,
  change,
  heldBack,
  inspected,
  isObject,
  leave,
  overLimits,
  planSkillFolder,
  readFrontMatter,
  readSkillFolder,
  readText,
  runsNotHere,
  type SkillPlace,
  settleSkill,
  smallFile,
  standardLimits,
  toldOver,
  tomlEditor,
  withFrontMatter,
  withoutRestrictions,
} from "@asp-convert/core/kinds";
import { readAgents, writeAgent } from "./agents.js";
import { skillFidelity } from "./fidelity-state.js";
import { BUNDLED_SKILLS, CONFIG, PROJECT_FOLDER, readConfig, SHARED_SKILLS, SKILLS } from "./layout-state.js";

const KIND = { kind: "skills", axis: "skills" } as const;
const INTERFACE = "agents/openai.yaml";
/** Ours: a skill that was made of another harness's command says so in its metadata. */
const COMMAND_MARK = "asp-command-of";

export const skills: StateKind<Skills> = { read, write, fidelity: skillFidelity };

async function read(store: Store, context: KindContext): Promise<Skills | undefined> {
  const { source, environment } = context;
  const paths = pathOf(environment);
  const state: Skills = { skills: [], definitions: [] };
  const switchedOff = switchedOffIn((await readConfig(store.root, source, environment)).table);
  if (context.user) {
    const user = { scope: "user" } as const;
    await below(paths.join(store.root, SKILLS), user);
    await below(paths.join(environment.home, SHARED_SKILLS), user);
    state.definitions.push(...(await readAgents(store.root, store.root, user, context)));
  }
  for (const project of context.projects) {
    const place = { scope: "project", project } as const;
    await below(paths.join(project, SHARED_SKILLS), place);
    await below(paths.join(project, PROJECT_FOLDER, SKILLS), place);
    state.definitions.push(
      ...(await readAgents(paths.join(project, PROJECT_FOLDER), project, place, context)),
    );
  }
  return state.skills.length + state.definitions.length > 0 ? state : undefined;

  /** Codex looks for skills in nested folders too, but in none that is hidden. */
  async function below(folder: string, place: Omit<SkillPlace, "name">): Promise<void> {
    for (const { name, kind } of await source.readDir(folder)) {
      if ((kind !== "directory" && kind !== "link") || name.startsWith(".") || name === BUNDLED_SKILLS)
        continue;
      const here = paths.join(folder, name);
      if (await source.stat(paths.join(here, "SKILL.md"))) await take(here, { name, ...place });
      else if (kind === "directory") await below(here, place);
    }
  }

  async function take(folder: string, place: SkillPlace): Promise<void> {
    const skill = await readSkillFolder(folder, place, context);
    if (!skill) return;
    const text = (await readText(source, paths.join(folder, "SKILL.md")).catch(() => undefined))?.text ?? "";
    const command = text.includes(COMMAND_MARK) ? await commandIn(skill, text) : undefined;
    if (command) state.definitions.push(command);
    else state.skills.push({ ...skill, ...(await withCodexSwitches(skill, folder)) });
  }

  async function withCodexSwitches(
    skill: Skill,
    folder: string,
  ): Promise<Pick<Skill, "restrictions" | "files">> {
    const restrictions = [...skill.restrictions];
    let files = skill.files;
    const yaml = (await readText(source, paths.join(folder, ...INTERFACE.split("/"))))?.text;
    if (yaml !== undefined) {
      const { policy } = (await readFrontMatter(`---\n${yaml}\n---\n`)).data;
      if (isObject(policy) && policy.allow_implicit_invocation === false) {
        restrictions.push({ key: "disable-model-invocation", value: true, in: INTERFACE });
      }
      if (yaml === HIDDEN) files = files.filter((file) => file.path !== INTERFACE);
    }
    if (switchedOff(skill, folder)) restrictions.push({ key: "enabled", value: false, in: CONFIG });
    return { restrictions, files };
  }
}

/** What `[[skills.config]]` switches off, by name or by path. */
function switchedOffIn(config: Readonly<Record<string, unknown>>): (skill: Skill, folder: string) => boolean {
  const list = isObject(config.skills) && Array.isArray(config.skills.config) ? config.skills.config : [];
  const off = list.filter((one): one is Record<string, unknown> => isObject(one) && one.enabled === false);
  return (skill, folder) =>
    off.some(
      ({ name, path }) =>
        name === (skill.declaredName ?? skill.name) ||
        (typeof path === "string" && path.replace(/[\\/]SKILL\.md$/, "") === folder),
    );
}

async function commandIn(skill: Skill, text: string): Promise<Definition | undefined> {
  const { data, body } = await readFrontMatter(text);
  const metadata = isObject(data.metadata) ? data.metadata : {};
  const [harness, path, hash, name] = [COMMAND_MARK, "asp-path", "asp-hash", "asp-name"].map((key) =>
    asText(metadata[key]),
  );
  if (harness === undefined || path === undefined || hash === undefined || name === undefined)
    return undefined;
  const { scope, project, description } = skill;
  return {
    of: "command",
    name,
    scope,
    ...(project !== undefined && { project }),
    ...(description !== undefined && metadata["asp-undescribed"] === undefined && { description }),
    body,
    options: {},
    limits: [],
    native: { harness, path, hash },
  };
}

async function write(state: Skills, target: KindTarget): Promise<KindPlan> {
  const actions: Action[] = [];
  const items: Item[] = [];
  for (const skill of state.skills) items.push(await writeSkill(skill, actions, target));
  for (const definition of state.definitions) items.push(await writeDefinition(definition, actions, target));
  return { actions, items };
}

/** Where a skill goes: of a project to the shared place, which other programs read too; else into the store. */
function folderOf(
  of: { project?: string | undefined; name: string },
  { root, projectFolder, environment }: KindTarget,
): string | undefined {
  const paths = pathOf(environment);
  if (of.project === undefined) return paths.join(root, SKILLS, of.name);
  const folder = projectFolder(of.project);
  return folder === undefined ? undefined : paths.join(folder, ...SHARED_SKILLS.split("/"), of.name);
}

/** The least that hides a skill from the model and leaves it callable by name. */
const HIDDEN = "policy:\n  allow_implicit_invocation: false\n";

async function writeSkill(given: Skill, actions: Action[], target: KindTarget): Promise<Item> {
  const skill = await inspected(given);
  const of = belonging(skill, skill.name);
  const folder = folderOf(skill, target);
  if (folder === undefined) return leave(target, of, { ...KIND, reason: "no-place" });
  const { extra, off, lost } = restrictionsHere(skill);
  const elsewhere = await presentElsewhere(skill, target);
  const plan = elsewhere ?? (await planSkillFolder(skill, folder, target, extra));
  if ("actions" in plan) {
    const over = overLimits(skill, { name: 64, descriptionRequired: true });
    if (over.length > 0)
      return leave(target, of, {
        ...KIND,
        reason: "target-limit",
        note: `${over.join("; ")}: Codex would not load it`,
      });
    const held = heldBack(of, lost, target);
    if (held) return held;
  }
  const item = settleSkill(plan, skill, actions, target);
  if (item.outcome !== "written") return item;
  if (off) actions.push(await switchOff(skill, target));
  withoutRestrictions(skill, lost, target);
  if (skill.runs) return runsNotHere(skill, "Codex", target);
  return toldOver(item, skill, standardLimits, target);
}

function restrictionsHere(skill: Skill): { extra: SkillFile[]; off: boolean; lost: Restriction[] } {
  const hides = skill.restrictions.filter(({ key }) => key === "disable-model-invocation");
  const hasInterface = skill.files.some(({ path }) => path === INTERFACE);
  const hiddenAlready = hides.some((restriction) => restriction.in === INTERFACE);
  const lost = skill.restrictions.filter(
    ({ key }) => key !== "enabled" && key !== "disable-model-invocation",
  );
  if (hides.length > 0 && hasInterface && !hiddenAlready) lost.push(...hides.slice(0, 1));
  return {
    extra: hides.length > 0 && !hasInterface ? [smallFile(INTERFACE, HIDDEN)] : [],
    off: skill.restrictions.some(({ key }) => key === "enabled"),
    lost,
  };
}

async function switchOff(skill: Skill, target: KindTarget): Promise<Action> {
  const toml = await tomlEditor();
  const name = skill.declaredName ?? skill.name;
  const path = pathOf(target.environment).join(target.root, CONFIG);
  return {
    do: "edit",
    path,
    edit: (before) => toml.add(before, ["skills", "config"], { name, enabled: false }),
    what: `[[skills.config]] ${name}`,
  };
}

/** The same skill in another place that Codex reads for the same scope: a second copy would be listed twice. */
async function presentElsewhere(skill: Skill, target: KindTarget): Promise<{ present: true } | undefined> {
  const { environment, source } = target;
  const paths = pathOf(environment);
  const project = skill.project === undefined ? undefined : target.projectFolder(skill.project);
  const folder =
    project === undefined
      ? paths.join(environment.home, ...SHARED_SKILLS.split("/"), skill.name)
      : paths.join(project, PROJECT_FOLDER, SKILLS, skill.name);
  if (!(await source.stat(folder))) return undefined;
  const plan = await planSkillFolder(skill, folder, target);
  return "present" in plan ? plan : undefined;
}

async function writeDefinition(definition: Definition, actions: Action[], target: KindTarget): Promise<Item> {
  if (definition.of === "agent") return writeAgent(definition, actions, target);
  const { name, native } = definition;
  const of = belonging(definition, definition.of === "command" ? `/${name}` : name);
  if (definition.of === "output-style") {
    return leave(target, of, {
      kind: "skills",
      axis: "output-styles",
      reason: "no-counterpart",
      note: "Codex has no output styles",
    });
  }
  const words = { kind: "skills", axis: "commands" } as const;
  const placeholder = /\$(?:ARGUMENTS|\d)|(?:^|\s)!`/.exec(definition.body)?.[0].trim();
  if (placeholder !== undefined) {
    return leave(target, of, {
      ...words,
      reason: "not-supported",
      note: `it uses ${placeholder}, which nothing in Codex fills in`,
    });
  }
  const held = heldBack(of, definition.limits, target);
  if (held) return held;
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
  const folder = folderOf({ project: definition.project, name: id }, target);
  if (folder === undefined) return leave(target, of, { ...words, reason: "no-place" });
  const description = definition.description ?? definition.body.trim().split("\n")[0] ?? "";
  if (id === "" || description === "")
    return leave(target, of, {
      ...words,
      reason: "target-limit",
      note: "a skill wants a name and a description",
    });
  const metadata = {
    [COMMAND_MARK]: native.harness,
    "asp-path": native.path,
    "asp-hash": native.hash,
    "asp-name": name,
  };
  const text = await withFrontMatter({ name: id, description, metadata }, definition.body);
  const { scope, project } = definition;
  const skill: Skill = {
    name: id,
    scope,
    ...(project !== undefined && { project }),
    description,
    restrictions: [],
    files: [smallFile("SKILL.md", text)],
  };
  const item = settleSkill(await planSkillFolder(skill, folder, target), skill, actions, target);
  if (item.outcome !== "written") return { ...item, item: of.item };
  return change(target, of, {
    ...words,
    reason: "re-encoded",
    note: `as the skill $${id}: Codex has no commands of one's own`,
  });
}
