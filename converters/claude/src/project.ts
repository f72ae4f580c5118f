/** A project folder that Claude Code has things in. */
import type { Candidate, Environment, Source, Store } from "@asp-convert/core";
import { projectStore } from "@asp-convert/core";
import { roots } from "./layout.js";
import {
  INSTRUCTIONS,
  LOCAL_INSTRUCTIONS,
  PROJECT_FOLDER,
  PROJECT_SERVERS,
  SETTINGS,
} from "./layout-state.js";

/** What stands in a store's root and in no project's: these folders are not projects. */
const STORE_MARKS = ["projects", SETTINGS, ".claude.json", ".credentials.json"];
const SCORES: Readonly<Record<string, number>> = {
  [PROJECT_FOLDER]: 60,
  [LOCAL_INSTRUCTIONS]: 58,
  [INSTRUCTIONS]: 55,
  [PROJECT_SERVERS]: 30,
};

export function projectScore({ path, kind, entries }: Pick<Candidate, "path" | "kind" | "entries">): number {
  if (kind !== "directory") return 0;
  if (STORE_MARKS.some((mark) => entries.includes(mark))) return stateOnlyScore(path, entries);
  if (path.split(/[/\\]/).at(-1) === PROJECT_FOLDER) return 0;
  return Math.max(0, ...entries.map((name) => SCORES[name] ?? 0));
}

/** A store without any session yet. */
function stateOnlyScore(path: string, entries: readonly string[]): number {
  const marks = [
    SETTINGS,
    ".claude.json",
    INSTRUCTIONS,
    "skills",
    "agents",
    "commands",
    "rules",
    "memory",
  ].filter((name) => entries.includes(name)).length;
  if (entries.includes("projects") || marks === 0) return 0;
  return path.split(/[/\\]/).at(-1) === PROJECT_FOLDER ? 62 : marks > 1 ? 60 : 30;
}

/** undefined for a path that is no project: then it is a store, or lies in one. */
export function openProject(
  path: string,
  source: Source,
  environment: Environment,
): Promise<Store | undefined> {
  const score = (candidate: Candidate) =>
    STORE_MARKS.some((mark) => candidate.entries.includes(mark)) ? 0 : projectScore(candidate);
  return projectStore("claude", path, source, environment, score, roots);
}
