/** Where what is no session lies: config folders, config files, and the home folder that goes with a store. */
import {
  type Environment,
  type KindContext,
  pathOf,
  type Source,
  type Store,
  samePath,
} from "@asp-convert/core";
import { EditError, isObject, lose, parseJson, readText } from "@asp-convert/core/kinds";
import { configFolder, homeOf, storeRoots } from "../layout.js";
import type { Program } from "../program.js";

type Kind = "instructions" | "skills" | "tools" | "settings";
const AXES = {
  instructions: "instructions",
  skills: "skills",
  tools: "mcp-servers",
  settings: "options",
} as const;

export interface Place {
  scope: "user" | "project";
  /** Absolute, for what belongs to a project. */
  project?: string;
}

/** The person's own config folder, or the one a project has for this program. */
export function ownFolder(
  program: Program,
  store: Pick<Store, "root">,
  project: string | undefined,
  environment: Environment,
): string {
  const [folder = ""] = program.projectFolders;
  return project === undefined
    ? configFolder(program, store.root, environment)
    : pathOf(environment).join(project, folder);
}

/** The home folder whose files the program reads beside its own; undefined for a store that lies anywhere. */
export function homeFolder(
  program: Program,
  { root }: Pick<Store, "root">,
  environment: Environment,
): string | undefined {
  const own = storeRoots(program, environment).some((one) => samePath(one, root, environment.platform));
  return own ? environment.home : homeOf(program, root, environment);
}

/** A config file and what it says. */
export interface Config {
  path: string;
  value: Record<string, unknown>;
}

/** Config files of a place that are there, in the order in which later ones win. */
export async function configsOf(
  program: Program,
  store: Pick<Store, "root">,
  place: Place,
  kind: Kind,
  context: Pick<KindContext, "source" | "environment" | "losses">,
): Promise<Config[]> {
  const found: Config[] = [];
  for (const path of configPaths(program, store, place, context.environment)) {
    try {
      const value = await objectIn(path, context.source);
      if (value) found.push({ path, value });
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      lose(context.losses, {
        kind,
        axis: AXES[kind],
        level: "dropped",
        reason: "invalid-form",
        item: path,
        note: error.message,
      });
    }
  }
  return found;
}

function configPaths(
  program: Program,
  store: Pick<Store, "root">,
  { project }: Place,
  environment: Environment,
): string[] {
  const paths = pathOf(environment);
  const named = [`${program.command}.json`, `${program.command}.jsonc`];
  if (project === undefined) {
    const folder = configFolder(program, store.root, environment);
    return program.configFiles.map((name) => paths.join(folder, name));
  }
  return [project, ...program.projectFolders.map((folder) => paths.join(project, folder))].flatMap((folder) =>
    named.map((name) => paths.join(folder, name)),
  );
}

/** The config file to write to: the one that is there and wins, else a new one. */
export async function configToWrite(
  program: Program,
  target: { root: string; source: Source; environment: Environment },
  project: string | undefined,
): Promise<string> {
  const { source, environment } = target;
  const paths = pathOf(environment);
  const folder = project ?? configFolder(program, target.root, environment);
  for (const name of [`${program.command}.jsonc`, `${program.command}.json`]) {
    const path = paths.join(folder, name);
    if (await source.stat(path)) return path;
  }
  return paths.join(folder, `${program.command}.json`);
}

/** @returns undefined where no file is. @throws EditError if it is no JSON. */
export async function objectIn(path: string, source: Source): Promise<Record<string, unknown> | undefined> {
  const text = (await readText(source, path))?.text;
  if (text === undefined) return undefined;
  const value = await parseJson(text);
  return isObject(value) ? value : {};
}
