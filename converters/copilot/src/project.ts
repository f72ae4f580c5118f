/** A project folder that Copilot CLI has things in. */
import { type Candidate, type Environment, projectStore, type Source, type Store } from "@asp-convert/core";
import { storeRoots } from "./layout.js";

const FOLDER = ".github";
const PROJECT_MARKS = ["copilot-instructions.md", "instructions", "skills", "agents", "copilot"];

export async function projectScore({
  path,
  kind,
  entries,
  source,
}: Pick<Candidate, "path" | "kind" | "entries" | "source">): Promise<number> {
  if (kind !== "directory" || !entries.includes(FOLDER)) return 0;
  const inside = (await source.readDir(`${path}/${FOLDER}`)).map(({ name }) => name);
  return inside.some((name) => PROJECT_MARKS.includes(name)) ? 60 : 0;
}

/** undefined for a path that is no project: then it is a store, or lies in one. */
export function openProject(
  path: string,
  source: Source,
  environment: Environment,
): Promise<Store | undefined> {
  return projectStore("copilot", path, source, environment, projectScore, storeRoots);
}
