/** A project folder that Codex has things in. */
import type { Candidate, Environment, Source, Store } from "@asp-convert/core";
import { projectStore } from "@asp-convert/core";
import { ARCHIVED, SESSIONS, storeRoots } from "./layout.js";
import { CONFIG, INSTRUCTIONS, OVERRIDE, PROJECT_FOLDER } from "./layout-state.js";

const STORE_MARKS = [SESSIONS, ARCHIVED, CONFIG, "auth.json"];
const SCORES: Readonly<Record<string, number>> = {
  [PROJECT_FOLDER]: 60,
  [OVERRIDE]: 58,
  [INSTRUCTIONS]: 40,
  ".agents": 35,
};

export function projectScore({ path, kind, entries }: Pick<Candidate, "path" | "kind" | "entries">): number {
  if (kind !== "directory" || STORE_MARKS.some((mark) => entries.includes(mark))) return 0;
  if (path.split(/[/\\]/).at(-1) === PROJECT_FOLDER) return 0;
  return Math.max(0, ...entries.map((name) => SCORES[name] ?? 0));
}

/** undefined for a path that is no project: then it is a store, or lies in one. */
export function openProject(
  path: string,
  source: Source,
  environment: Environment,
): Promise<Store | undefined> {
  return projectStore("codex", path, source, environment, projectScore, storeRoots);
}
