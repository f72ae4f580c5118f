/** Where Kimi Code keeps sessions. Nothing else in this converter knows these paths. */
import { createHash } from "node:crypto";
import { distinctRoots, type Environment, expandHome, pathOf } from "@asp-convert/core";

/** Names the state folder itself. */
export const STATE_VARIABLE = "KIMI_CODE_HOME";
export const STATE = ".kimi-code";
export const SESSIONS = "sessions";
export const AGENTS = "agents";
/** What a session is called, whose it is, and which agents it has. */
export const STATE_FILE = "state.json";
export const WIRE = "wire.jsonl";
export const MAIN = "main";
/** Beside a journal: larger pictures, each called by the hash of what it was in the text. */
export const BLOBS = "blobs";
/** In a session's folder, what is no part of it: made anew by the program, or told to nobody. */
export const NOT_KEPT: ReadonlySet<string> = new Set(["logs", "telemetry"]);

/** Names in a state folder; three of them are proof enough. */
export const MARKS = [
  SESSIONS,
  "config.toml",
  "tui.toml",
  "mcp.json",
  "session_index.jsonl",
  "workspaces.json",
  "workspace-trust",
  "user-history",
];

/** State folders: the one that the variable names, then the person's own. */
export function storeRoots(environment: Environment): string[] {
  const { env, home } = environment;
  const named = env[STATE_VARIABLE];
  return distinctRoots(
    [named && expandHome(named, environment), pathOf(environment).join(home, STATE)],
    environment,
  );
}

const SLUG = 40;

/** The folder of a project's sessions: `/home/dev/demo` → `wd_demo_` and the head of the path's hash. */
export function projectKey(cwd: string): string {
  const path = cwd.replaceAll("\\", "/").replace(/\/+$/, "");
  const ends = (text: string) => text.replace(/^-+|-+$/g, "");
  const last = path.slice(path.lastIndexOf("/") + 1);
  const slug = ends(ends(last.toLowerCase().replace(/[^a-z0-9._-]+/g, "-")).slice(0, SLUG));
  const named = /^\.{0,2}$/.test(slug) ? "workspace" : slug;
  return `wd_${named}_${createHash("sha256").update(path).digest("hex").slice(0, 12)}`;
}

export function isProjectFolder(name: string): boolean {
  return /^wd_.*_[0-9a-f]{12}$/.test(name);
}

/** Relative to the root, with `/`. */
export function sessionFolder(cwd: string, id: string): string {
  return `${SESSIONS}/${projectKey(cwd)}/${id}`;
}

/** Relative to a session's folder, with `/`. */
export function wirePath(agent: string): string {
  return `${AGENTS}/${agent}/${WIRE}`;
}
