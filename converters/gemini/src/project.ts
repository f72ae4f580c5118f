/** A project folder that Gemini CLI has things in. */
import { type Candidate, type Environment, projectStore, type Source, type Store } from "@asp-convert/core";
import { REGISTRY, STATE, storeRoots, TMP } from "./layout.js";

export const PROJECT_MARKS = ["settings.json", "skills", "commands", "agents", "policies"];

/** A home has a `.gemini` too; there it holds the sessions. */
export async function projectScore({
  path,
  kind,
  entries,
  source,
}: Pick<Candidate, "path" | "kind" | "entries" | "source">): Promise<number> {
  if (kind !== "directory") return 0;
  const hasText = entries.includes("GEMINI.md");
  const isStore = (names: readonly string[]) => names.includes(TMP) || names.includes(REGISTRY);
  if (!entries.includes(STATE)) return hasText && !isStore(entries) ? 30 : 0;
  const inside = (await source.readDir(`${path}/${STATE}`)).map(({ name }) => name);
  if (isStore(inside)) return 0;
  return inside.some((name) => PROJECT_MARKS.includes(name)) ? 60 : hasText ? 30 : 0;
}

/** undefined for a path that is no project: then it is a store, or lies in one. */
export function openProject(
  path: string,
  source: Source,
  environment: Environment,
): Promise<Store | undefined> {
  return projectStore("gemini", path, source, environment, projectScore, storeRoots);
}
