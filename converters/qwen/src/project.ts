/** A project folder that Qwen Code has things in. */
import { type Candidate, type Environment, projectStore, type Source, type Store } from "@asp-convert/core";
import { PROJECTS, STATE, storeRoots } from "./layout.js";

const PROJECT_MARKS = ["settings.json", "skills", "commands", "agents", "QWEN.local.md", "team-memory"];

/** A home has a `.qwen` too; there it holds the sessions. */
export async function projectScore({
  path,
  kind,
  entries,
  source,
}: Pick<Candidate, "path" | "kind" | "entries" | "source">): Promise<number> {
  if (kind !== "directory") return 0;
  const hasText = entries.includes("QWEN.md");
  if (!entries.includes(STATE)) return hasText && !entries.includes(PROJECTS) ? 30 : 0;
  const inside = (await source.readDir(`${path}/${STATE}`)).map(({ name }) => name);
  if (inside.includes(PROJECTS)) return 0;
  return inside.some((name) => PROJECT_MARKS.includes(name)) ? 60 : hasText ? 30 : 0;
}

/** undefined for a path that is no project: then it is a store, or lies in one. */
export function openProject(
  path: string,
  source: Source,
  environment: Environment,
): Promise<Store | undefined> {
  return projectStore("qwen", path, source, environment, projectScore, storeRoots);
}
