/** Where Gemini CLI keeps things. Nothing else in this converter knows a path. */
import { createHash } from "node:crypto";
import { distinctRoots, type Environment, expandHome, pathOf, type Source } from "@asp-convert/core";

/** Names the home that holds the state folder; the program has no variable for that folder itself. */
export const HOME_VARIABLE = "GEMINI_CLI_HOME";
export const STATE = ".gemini";
export const TMP = "tmp";
export const CHATS = "chats";
export const HISTORY = "history";
export const REGISTRY = "projects.json";
export const OWNER = ".project_root";

/** Names in a state folder; three of them are proof enough. */
export const MARKS = [
  TMP,
  HISTORY,
  REGISTRY,
  "settings.json",
  "trustedFolders.json",
  "oauth_creds.json",
  "state.json",
];

type Platform = Pick<Environment, "platform">;

/** State folders: in the home that the variable names, then in the person's own. */
export function storeRoots(environment: Environment): string[] {
  const { env, home } = environment;
  const path = pathOf(environment);
  const named = env[HOME_VARIABLE];
  return distinctRoots(
    [named && path.join(expandHome(named, environment), STATE), path.join(home, STATE)],
    environment,
  );
}

/**
 * The state folder of a store's root. A root is that folder itself (`.gemini`, or one that looks like it), or the
 * home that the variable names, with the folder in it: so a store can be made in any folder.
 */
export async function stateFolder(root: string, source: Source, environment: Platform): Promise<string> {
  const path = pathOf(environment);
  if (path.basename(root) === STATE) return root;
  const names = (await source.readDir(root)).map(({ name }) => name);
  const isState = !names.includes(STATE) && (names.includes(TMP) || names.includes(REGISTRY));
  return isState ? root : path.join(root, STATE);
}

/** The home to name to the program, so that it takes this root. */
export function homeOf(root: string, environment: Environment): string {
  const path = pathOf(environment);
  const whole = path.resolve(environment.cwd, root);
  return path.basename(whole) === STATE ? path.dirname(whole) : whole;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A folder name for a project, as Gemini CLI takes it; the hash keeps two projects of one name apart. */
export function slugFor(cwd: string): string {
  const base = (/[^/\\]+(?=[/\\]*$)/.exec(cwd)?.[0] ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 64);
  return `${base || "project"}-${sha256(cwd).slice(0, 8)}`;
}

export function isSlug(name: string): boolean {
  return /^[a-z0-9-]+$/.test(name);
}

/** The program looks for no other names. */
export function isSessionFile(name: string): boolean {
  return name.startsWith("session-") && /\.jsonl?$/.test(name);
}

export function isCheckpoint(name: string): boolean {
  return name.startsWith("checkpoint-") && name.endsWith(".json") && name.length > "checkpoint-.json".length;
}

/** `mytag` of `checkpoint-mytag.json`; tags are URI-encoded in names. */
export function tagOf(name: string): string {
  const tag = name.slice("checkpoint-".length, -".json".length);
  try {
    return decodeURIComponent(tag);
  } catch {
    return tag;
  }
}

export function checkpointFile(tag: string): string {
  return `checkpoint-${encodeURIComponent(tag)}.json`;
}

/** The program's own name for a session's file: the minute it began, and the head of its id. */
export function sessionFile(created: string, id: string): string {
  return `session-${created.slice(0, 16).replace(":", "-")}-${id.slice(0, 8)}.jsonl`;
}
