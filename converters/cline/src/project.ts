/** A project folder that Cline has things in. */
import { type Candidate, type Environment, projectStore, type Source, type Store } from "@asp-convert/core";
import { DATA, STATE, storeRoots } from "./layout.js";

const PROJECT_MARKS = ["rules", "skills", "workflows", "hooks", "agents", "plugins"];

/** A home has a `.cline` too; there it holds the sessions. */
export async function projectScore({
  path,
  kind,
  entries,
  source,
}: Pick<Candidate, "path" | "kind" | "entries" | "source">): Promise<number> {
  if (kind !== "directory") return 0;
  const hasRules = entries.includes(".clinerules");
  if (!entries.includes(STATE)) return hasRules ? 60 : 0;
  const inside = (await source.readDir(`${path}/${STATE}`)).map(({ name }) => name);
  if (inside.includes(DATA)) return 0;
  return hasRules || inside.some((name) => PROJECT_MARKS.includes(name)) ? 60 : 0;
}

/** undefined for a path that is no project: then it is a store, or lies in one. */
export function openProject(
  path: string,
  source: Source,
  environment: Environment,
): Promise<Store | undefined> {
  return projectStore("cline", path, source, environment, projectScore, storeRoots);
}
