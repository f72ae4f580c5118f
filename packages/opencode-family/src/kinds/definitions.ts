/** Slash commands and agents: Markdown files with front matter, or entries of the config. */
import {
  type Action,
  type Definition,
  type Item,
  type KindContext,
  type KindTarget,
  pathOf,
  type Store,
  safeRelative,
} from "@asp-convert/core";
import {
  belonging,
  change,
  heldBack,
  isObject,
  leave,
  noteHash,
  readDefinitions,
  readText,
  runsOf,
  withFrontMatter,
} from "@asp-convert/core/kinds";
import { isOfFamily, type Program } from "../program.js";
import { configsOf, ownFolder, type Place } from "./places.js";

/** Folders of each, inside a config folder. New ones go to the first. */
const FOLDERS = {
  agent: ["agents", "agent", "modes", "mode"],
  command: ["commands", "command"],
} as const;
const AXES = { agent: "agents", command: "commands" } as const;
/** Keys that take something from an agent or a command, beside those that all programs have. */
const LIMITS = ["permission", "steps"];

/** Those of one config folder, then those of the config files of the place. */
export async function definitionsOf(
  program: Program,
  store: Store,
  place: Place,
  folder: string,
  base: string,
  context: KindContext,
): Promise<Definition[]> {
  const paths = pathOf(context.environment);
  const found: Definition[] = [];
  for (const of of ["agent", "command"] as const) {
    for (const name of FOLDERS[of]) {
      const at = paths.join(folder, name);
      const read = await readDefinitions({ of, folder: at, base, harness: program.id, ...place }, context);
      // Modes are agents that a person can choose.
      const mode = name.startsWith("mode") ? { mode: "primary" } : {};
      found.push(
        ...read.map((one) =>
          withLimits({ ...one, name: one.name.replaceAll(":", "/"), options: { ...mode, ...one.options } }),
        ),
      );
    }
  }
  const isFirst = folder === ownFolder(program, store, place.project, context.environment);
  return isFirst ? [...found, ...(await configured(program, store, place, context))] : found;
}

function withLimits(definition: Definition): Definition {
  const more = LIMITS.filter((key) => definition.options[key] != null).map((key) => ({
    key,
    value: definition.options[key],
    in: definition.native.path,
  }));
  return { ...definition, limits: [...definition.limits, ...more] };
}

async function configured(
  program: Program,
  store: Store,
  place: Place,
  context: KindContext,
): Promise<Definition[]> {
  const found: Definition[] = [];
  for (const { path, value } of await configsOf(program, store, place, "skills", context)) {
    const file = pathOf(context.environment).basename(path);
    for (const of of ["agent", "command"] as const) {
      for (const [name, entry] of Object.entries(isObject(value[of]) ? value[of] : {})) {
        if (!isObject(entry)) continue;
        const { description, prompt, template, ...options } = entry;
        const body = of === "agent" ? prompt : template;
        // Without a text it only sets options of an agent that is built in.
        if (typeof body !== "string") continue;
        found.push(
          withLimits({
            of,
            name,
            ...place,
            ...(typeof description === "string" && { description }),
            body,
            options,
            limits: options.tools == null ? [] : [{ key: "tools", value: options.tools, in: file }],
            native: { harness: program.id, path: file, hash: noteHash(JSON.stringify(entry)) },
          }),
        );
      }
    }
  }
  return found;
}

export async function writeDefinition(
  program: Program,
  definition: Definition,
  actions: Action[],
  target: KindTarget,
): Promise<Item> {
  const { of: type, name, native, project, limits } = definition;
  const of = belonging(definition, type === "command" ? `/${name}` : name);
  if (type === "output-style") {
    return leave(target, of, {
      kind: "skills",
      axis: "output-styles",
      reason: "no-counterpart",
      note: `${program.name} has none`,
    });
  }
  const words = { kind: "skills", axis: AXES[type] } as const;
  const home = project === undefined ? undefined : target.projectFolder(project);
  if (project !== undefined && home === undefined) return leave(target, of, { ...words, reason: "no-place" });
  const safe = safeRelative(`${name.replaceAll(":", "/")}.md`);
  if ("refused" in safe)
    return leave(target, of, { ...words, reason: "unsafe", note: `its name ${safe.refused}` });
  const folder = ownFolder(program, target, home, target.environment);
  const path = pathOf(target.environment).join(folder, FOLDERS[type][0], ...safe.path.split("/"));
  const had = (await readText(target.source, path))?.text;
  const { text, lost } = await asFile(program, definition);
  if (had !== undefined && (had === text || noteHash(had) === native.hash))
    return { ...of, outcome: "present" };
  if (had !== undefined) return leave(target, of, { ...words, reason: "exists", note: path });
  const same = await configuredAs(program, definition, home, target);
  if (same !== undefined) {
    if (same) return { ...of, outcome: "present" };
    return leave(target, of, { ...words, reason: "exists", note: "another of this name is in the config" });
  }
  const runs = await runsOf(definition);
  if (runs.length > 0 && !target.allowTools) {
    return leave(target, of, { ...words, reason: "consent-needed", note: runs.join("; ") });
  }
  const held = isOfFamily(native.harness) ? undefined : heldBack(of, limits, target);
  if (held) return held;
  actions.push({ do: "create", path, content: text, mode: 0o644 });
  return lost.length > 0
    ? change(target, of, { ...words, reason: "no-equal", note: lost.join(", ") })
    : { ...of, outcome: "written" };
}

/** Whether the config of the place has just this; undefined if it has none of this name. */
async function configuredAs(
  program: Program,
  { of, name, body }: Definition,
  project: string | undefined,
  { root, source, environment }: KindTarget,
): Promise<boolean | undefined> {
  const place: Place = project === undefined ? { scope: "user" } : { scope: "project", project };
  const configs = await configsOf(program, { root }, place, "skills", { source, environment, losses: [] });
  const entries = configs.map(({ value }) => (isObject(value[of]) ? value[of][name] : undefined));
  const entry = entries.findLast((one) => isObject(one));
  const text = isObject(entry) ? (of === "agent" ? entry.prompt : entry.template) : undefined;
  return typeof text === "string" ? text.trim() === body.trim() : undefined;
}

/** Arguments, `@files` and commands are written alike by all: `$ARGUMENTS`, `$1`, `` !`command` ``. */
async function asFile(
  program: Program,
  { of, description, options, body, native }: Definition,
): Promise<{ text: string; lost: string[] }> {
  // A model is of a provider that the other program need not have.
  const { model, ...others } = options;
  const hasModel = model !== undefined && native.harness !== program.id;
  const isFamily = isOfFamily(native.harness);
  if (isFamily && native.text !== undefined && !hasModel) return { text: native.text, lost: [] };
  const data = {
    ...(description !== undefined && { description }),
    ...(of === "agent" && !isFamily && { mode: "subagent" }),
    ...(isFamily && (hasModel ? others : options)),
  };
  return {
    text: Object.keys(data).length > 0 ? await withFrontMatter(data, body) : body,
    lost: isFamily ? (hasModel ? ["model"] : []) : Object.keys(options),
  };
}
