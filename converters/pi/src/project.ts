/** A project folder that Pi has things in. */
import { type Candidate, type Environment, projectStore, type Source, type Store } from "@asp-convert/core";
import { storeRoots } from "./layout.js";
import { PROJECT_FOLDER, PROMPTS, SERVERS, SETTINGS, SKILLS } from "./layout-state.js";

const MARKS = [SETTINGS, SERVERS, PROMPTS, SKILLS, "APPEND_SYSTEM.md", "SYSTEM.md", "extensions"];

/** A home has a `.pi` too; there it holds the agent folder. */
export async function projectScore({
  path,
  kind,
  entries,
  source,
}: Pick<Candidate, "path" | "kind" | "entries" | "source">): Promise<number> {
  if (kind !== "directory" || !entries.includes(PROJECT_FOLDER)) return 0;
  const inside = (await source.readDir(`${path}/${PROJECT_FOLDER}`)).map(({ name }) => name);
  if (inside.includes("agent")) return 0;
  return inside.some((name) => MARKS.includes(name)) ? 60 : 30;
}

/** undefined for a path that is no project: then it is a store, or lies in one. */
export function openProject(
  path: string,
  source: Source,
  environment: Environment,
): Promise<Store | undefined> {
  return projectStore("pi", path, source, environment, projectScore, storeRoots);
}
