/**
 * `skills/` of a bundle: the folders themselves; `definitions/`: commands, subagents and output styles as the files
 * they were; `skills.json`: whose each is, and what its harness said of it elsewhere.
 */
import { z } from "zod";
import type { Item, KindContext, KindPlan, KindTarget, StateKind } from "../../converter/kinds.js";
import type { Store } from "../../converter/store.js";
import { safeRelative } from "../../io/paths.js";
import { belonging, leave } from "../../kinds/account.js";
import { noteHash } from "../../kinds/notes.js";
import { planSkillFolder, readSkillFolder, settleSkill } from "../../kinds/skills.js";
import { readText } from "../../kinds/text.js";
import type { Action } from "../../pipeline/plan.js";
import { Definition, Restriction, type Skills } from "../../state/skills.js";
import { bundleStateFidelity } from "./fidelity.js";
import { manifestThere, projectFolder, readJson, writeJson } from "./files.js";

const ListedSkill = z.object({
  folder: z.string(),
  name: z.string(),
  scope: z.enum(["user", "project"]),
  project: z.string().optional(),
  path: z.string().optional(),
  /** Those that stand in no SKILL.md. */
  restrictions: z.array(Restriction),
  /** Permission bits by path, for a disk that keeps none. */
  modes: z.record(z.string(), z.number().int()),
});
const ListedDefinition = Definition.extend({ file: z.string().optional() });
const List = z.object({ skills: z.array(ListedSkill), definitions: z.array(ListedDefinition) });
type List = z.infer<typeof List>;

export const skills: StateKind<Skills> = { read, write, fidelity: bundleStateFidelity };

async function read(store: Store, context: KindContext): Promise<Skills | undefined> {
  const { source, environment } = context;
  const path = `${store.root}/skills.json`;
  const list = (await readJson<List>(path, List, source)) ?? (await foundSkills(store, context));
  const state: Skills = { skills: [], definitions: [] };
  for (const { folder, restrictions, modes, ...place } of list.skills) {
    const { scope, name, project, path: within } = place;
    const of = {
      name,
      scope,
      ...(project !== undefined && { project }),
      ...(within !== undefined && { path: within }),
    };
    const safe = safeRelative(folder);
    if ("refused" in safe) {
      context.items.push(
        leave(context, belonging(of, name), {
          kind: "skills",
          axis: "skills",
          reason: "unsafe",
          note: `its folder ${safe.refused}`,
        }),
      );
      continue;
    }
    const skill = await readSkillFolder(`${store.root}/${safe.path}`, of, context);
    if (!skill) continue;
    const files =
      environment.platform === "win32"
        ? skill.files.map((file) => ({ ...file, mode: modes[file.path] ?? file.mode }))
        : skill.files;
    state.skills.push({
      ...skill,
      files,
      restrictions: [...skill.restrictions, ...restrictions.filter((one) => one.in !== "SKILL.md")],
    });
  }
  for (const { file, ...definition } of list.definitions) {
    const { harness, path: native, hash } = definition.native;
    const safe = file === undefined ? undefined : safeRelative(file);
    const text =
      safe === undefined || "refused" in safe
        ? undefined
        : (await readText(source, `${store.root}/${safe.path}`))?.text;
    const same = text !== undefined && noteHash(text) === hash;
    state.definitions.push({ ...definition, native: { harness, path: native, hash, ...(same && { text }) } });
  }
  return state.skills.length + state.definitions.length > 0 ? state : undefined;
}

/** A bundle that somebody put together by hand has skill folders and no list. */
async function foundSkills(store: Store, { source }: KindContext): Promise<List> {
  const entries = await source.readDir(`${store.root}/skills`);
  const names = entries
    .filter(({ kind, name }) => kind === "directory" && !name.startsWith("."))
    .map(({ name }) => name);
  return {
    skills: names.map((name) => ({
      folder: `skills/${name}`,
      name,
      scope: "user",
      restrictions: [],
      modes: {},
    })),
    definitions: [],
  };
}

async function write(state: Skills, target: KindTarget): Promise<KindPlan> {
  const actions: Action[] = [manifestThere(target)];
  const items: Item[] = [];
  const list: List = { skills: [], definitions: [] };
  for (const skill of state.skills) {
    const { name, scope, project, path, restrictions, files } = skill;
    const folder =
      project === undefined ? `skills/${name}` : `projects/${projectFolder(project)}/skills/${name}`;
    const item = settleSkill(
      await planSkillFolder(skill, `${target.root}/${folder}`, target),
      skill,
      actions,
      target,
    );
    items.push(item);
    if (item.outcome === "left") continue;
    list.skills.push({
      folder,
      name,
      scope,
      ...(project !== undefined && { project }),
      ...(path !== undefined && { path }),
      restrictions: restrictions.filter((one) => one.in !== "SKILL.md"),
      modes: Object.fromEntries(
        files.filter(({ link }) => link === undefined).map((file) => [file.path, file.mode]),
      ),
    });
  }
  for (const definition of state.definitions) {
    const { native, project, of: type, name } = definition;
    const { text, ...origin } = native;
    const extension = /\.[a-z]+$/.exec(native.path)?.[0] ?? ".md";
    const base = project === undefined ? "" : `projects/${projectFolder(project)}/`;
    const file =
      text === undefined
        ? undefined
        : `${base}definitions/${type}s/${name.replace(/[^A-Za-z0-9_-]+/g, "-")}-${native.hash.slice(0, 6)}${extension}`;
    if (file !== undefined && text !== undefined)
      actions.push({ do: "create", path: `${target.root}/${file}`, content: text, mode: 0o644 });
    list.definitions.push({ ...definition, native: origin, ...(file !== undefined && { file }) });
    items.push({ ...belonging(definition, name), outcome: "written" });
  }
  actions.push(writeJson(`${target.root}/skills.json`, list));
  return { actions, items };
}
