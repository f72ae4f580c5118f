/** Where Copilot CLI keeps things. Nothing else in this converter knows a path. */
import { digest, distinctRoots, type Environment, expandHome, pathOf } from "@asp-convert/core";

/** Names the state folder itself. */
export const HOME_VARIABLE = "COPILOT_HOME";
export const STATE = ".copilot";
export const SESSIONS = "session-state";
export const EVENTS = "events.jsonl";
export const WORKSPACE = "workspace.yaml";

/** Names in a state folder; three of them are proof enough. */
export const MARKS = [
  SESSIONS,
  "config.json",
  "settings.json",
  "mcp-config.json",
  "copilot-instructions.md",
  "session-store.db",
  "command-history-state.json",
];

/** State folders: the one that the variable names, then the person's own. */
export function storeRoots(environment: Environment): string[] {
  const { env, home } = environment;
  const named = env[HOME_VARIABLE];
  return distinctRoots(
    [named && expandHome(named, environment), pathOf(environment).join(home, STATE)],
    environment,
  );
}

/** A session's folder, relative to the root, with `/`. */
export function sessionFolder(id: string): string {
  return `${SESSIONS}/${id}`;
}

/**
 * A subagent's events stand among those of the session that started it. As a file of their own they are on no disk:
 * it is shown as one that lies in the file that they come from.
 */
export function subagentFile(events: string, agent: string): string {
  const name = /^[\w-]{1,100}$/.test(agent) ? agent : digest(agent).slice(0, 32);
  return `${events}/${name}.jsonl`;
}

/** The file in which a subagent's would lie; undefined for a path that is not of that form. */
export function eventsAround(path: string): string | undefined {
  return /^(.*[/\\]events\.jsonl)[/\\][^/\\]+\.jsonl$/.exec(path)?.[1];
}

/** Locks say that the program runs; they are nobody's state. */
export function isLock(name: string): boolean {
  return /\.lock$|^inuse\./.test(name);
}
