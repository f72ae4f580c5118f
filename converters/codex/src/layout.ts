/** Where Codex keeps things: roots, folders, file names. Pure functions; nothing else in this converter knows a path. */
import { distinctRoots, type Environment, pathOf } from "@asp-convert/core";

/** Names the folder that stands for `~/.codex`. */
export const HOME_VARIABLE = "CODEX_HOME";
/** By date: `sessions/2026/11/30/rollout-….jsonl`. */
export const SESSIONS = "sessions";
/** Flat. */
export const ARCHIVED = "archived_sessions";
/** Names of threads; only ever appended to, the last line of a thread counts. */
export const NAME_INDEX = "session_index.jsonl";

/** Names in a store root that only Codex makes; two of them are proof enough. */
export const MARKS = [
  SESSIONS,
  ARCHIVED,
  NAME_INDEX,
  "config.toml",
  "AGENTS.md",
  "history.jsonl",
  "memories",
  "rules",
  "auth.json",
];

const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const ROLLOUT = /^rollout-(.+)\.jsonl(\.zst)?$/;
const STAMP = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)(?:-|$)/;
const IDS = new RegExp(`^(${UUID})(?:_(${UUID}))?$`);

/** Store roots: the variable first, then the default; on Windows by Windows' rules. */
export function storeRoots(environment: Environment): string[] {
  const standard = pathOf(environment).join(environment.home, ".codex");
  return distinctRoots([environment.env[HOME_VARIABLE], standard], environment);
}

export interface RolloutName {
  /** The thread, lower case; absent in a name without one. */
  id?: string;
  /** Of a later segment of a thread whose turns were taken back. */
  segment?: string;
  /** Local time without zone, as in the name: `2026-11-30T19:09:48`. */
  time?: string;
  compressed: boolean;
}

/** What a file's name says; undefined for a file that Codex would not take for a session. */
export function parseRolloutName(name: string): RolloutName | undefined {
  const [, stem = "", zst] = ROLLOUT.exec(name) ?? [];
  if (stem === "") return undefined;
  const [stamp = "", day, hour, minute, second] = STAMP.exec(stem) ?? [];
  const [, id, segment] = IDS.exec(stem.slice(stamp.length)) ?? [];
  return {
    ...(id !== undefined && { id: id.toLowerCase() }),
    ...(segment !== undefined && { segment: segment.toLowerCase() }),
    ...(day !== undefined && { time: `${day}T${hour}:${minute}:${second}` }),
    compressed: zst !== undefined,
  };
}

/**
 * Where a new rollout goes, relative to the root, with `/`. The name holds local time, as Codex writes it.
 * @param offsetMinutes of the local zone at that time, east positive; default: this machine's.
 */
export function rolloutPath(
  created: Date,
  id: string,
  offsetMinutes: number = -created.getTimezoneOffset(),
): string {
  const local = new Date(created.getTime() + offsetMinutes * 60_000).toISOString();
  const day = local.slice(0, 10).replaceAll("-", "/");
  return `${SESSIONS}/${day}/rollout-${local.slice(0, 19).replaceAll(":", "-")}-${id}.jsonl`;
}

/** The same name for another thread: the ids in it are replaced, all else stays. */
export function renamedRollout(relative: string, oldId: string, newId: string): string {
  const slash = relative.lastIndexOf("/") + 1;
  const name = relative.slice(slash);
  const at = name.toLowerCase().indexOf(oldId.toLowerCase());
  const renamed =
    at === -1
      ? name.replace(/\.jsonl(\.zst)?$/, (end) => `-${newId}${end}`)
      : name.slice(0, at) + newId + name.slice(at + oldId.length);
  return relative.slice(0, slash) + renamed;
}
