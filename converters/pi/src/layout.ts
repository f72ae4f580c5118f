/** Where Pi keeps things. Pure functions; nothing else in this converter knows a path. */
import { distinctRoots, type Environment, expandHome, pathOf } from "@asp-convert/core";

/** Names the agent folder that stands for `~/.pi/agent`. */
export const AGENT_VARIABLE = "PI_CODING_AGENT_DIR";
/** Names one folder for all sessions, instead of those in the agent folder. */
export const SESSIONS_VARIABLE = "PI_CODING_AGENT_SESSION_DIR";
export const SESSIONS = "sessions";
export const SETTINGS = "settings.json";

/** Names in an agent folder; three of them are proof enough. */
export const MARKS = [SESSIONS, SETTINGS, "models.json", "auth.json", "trust.json", "mcp.json", "prompts"];

/** Store roots: the variable first, then the default. A session folder of its own is a store of sessions alone. */
export function storeRoots(environment: Environment): string[] {
  const { env, home } = environment;
  const standard = pathOf(environment).join(home, ".pi", "agent");
  const named = [env[AGENT_VARIABLE], standard, env[SESSIONS_VARIABLE]];
  return distinctRoots(
    named.map((root) => root && expandHome(root, environment)),
    environment,
  );
}

/** The folder of a project's sessions: `/home/dev/demo` → `--home-dev-demo--`. */
export function projectFolder(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

/** Is a folder's name one that Pi looks for sessions in? */
export function isProjectFolder(name: string): boolean {
  return name.startsWith("--") && name.endsWith("--") && name.length > 3;
}

/** A session, and none of the copies that other programs of the family put beside it. */
export function isSessionFile(file: string): boolean {
  return file.endsWith(".jsonl") && !/\.(checkpoint|deleted|reset|lock|bak)\b/.test(file);
}

/** The id that Pi puts at the end of a file's name. */
export function idInName(path: string): string | undefined {
  return /_([^_/\\]+)\.jsonl$/.exec(path)?.[1];
}

/** Pi's own name for a session file: time, then id. */
export function sessionFile(created: string, id: string): string {
  return `${created.replace(/[:.]/g, "-")}_${id}.jsonl`;
}

/** Where a session goes, relative to the root, with `/`. */
export function sessionPath(cwd: string, created: string, id: string): string {
  return `${SESSIONS}/${projectFolder(cwd)}/${sessionFile(created, id)}`;
}
