/** A project folder that Kimi Code has things in. */
import { type Candidate, type Environment, projectStore, type Source, type Store } from "@asp-convert/core";
import { SESSIONS, STATE, storeRoots } from "./layout.js";

const PROJECT_MARKS = ["AGENTS.md", "skills", "agents", "mcp.json"];

/** A home has a `.kimi-code` too; there it holds the sessions. */
export async function projectScore({
  path,
  kind,
  entries,
  source,
}: Pick<Candidate, "path" | "kind" | "entries" | "source">): Promise<number> {
  if (kind !== "directory" || !entries.includes(STATE)) return 0;
  const inside = (await source.readDir(`${path}/${STATE}`)).map(({ name }) => name);
  if (inside.includes(SESSIONS)) return 0;
  return inside.some((name) => PROJECT_MARKS.includes(name)) ? 60 : 0;
}

/** undefined for a path that is no project: then it is a store, or lies in one. */
export function openProject(
  path: string,
  source: Source,
  environment: Environment,
): Promise<Store | undefined> {
  return projectStore("kimi", path, source, environment, projectScore, storeRoots);
}
