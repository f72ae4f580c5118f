/** Where Cline keeps things. Nothing else in this converter knows a path. */
import { hash } from "node:crypto";
import { distinctRoots, type Environment, expandHome, isInside, pathOf } from "@asp-convert/core";

/** Names the state folder; the program's own default is `.cline` in the home. */
export const HOME_VARIABLE = "CLINE_DIR";
export const STATE = ".cline";
/** Names the folder below it that everything but rules and skills lies in. */
const DATA_VARIABLE = "CLINE_DATA_DIR";
export const DATA = "data";
export const SESSIONS = "sessions";
export const SETTINGS = "settings";

/** Names in the data folder that are Cline's own. */
export const MARKS = [SESSIONS, "db", SETTINGS, "tasks", "workspace", "teams"];

type Platform = Pick<Environment, "platform">;

/** State folders: the one that the variable names, the one whose data folder it names, then the person's own. */
export function storeRoots(environment: Environment): string[] {
  const { env, home } = environment;
  const path = pathOf(environment);
  const named = (variable: string) => {
    const folder = env[variable]?.trim();
    return folder ? expandHome(folder, environment) : undefined;
  };
  const data = named(DATA_VARIABLE);
  const above = data !== undefined && path.basename(data) === DATA ? path.dirname(data) : undefined;
  return distinctRoots([named(HOME_VARIABLE), above, path.join(home, STATE)], environment);
}

export function sessionsFolder(root: string, environment: Platform): string {
  return pathOf(environment).join(root, DATA, SESSIONS);
}

/** The index that the program lists sessions from, beside the manifests. */
export function indexPath(root: string, environment: Platform): string {
  return pathOf(environment).join(root, DATA, "db", "sessions.db");
}

export const manifestFile = (id: string): string => `${id}.json`;
export const messagesFile = (id: string): string => `${id}.messages.json`;
export const compactionFile = (id: string): string => `${id}.compaction.json`;

/** `agent_1` of `agent_1.messages.json`; undefined for any other file. */
export function stemOf(name: string): string | undefined {
  return name.endsWith(".messages.json") && name !== ".messages.json"
    ? name.slice(0, -".messages.json".length)
    : undefined;
}

/** The id that the program gives to a session that lies in another one's folder. */
export function childId(parent: string, stem: string): string {
  return `${parent}__${stem}`;
}

/** An id as the program makes them: the list finds the latest sessions by the time in it. */
export function sessionIdFor(created: string, seed: string): string {
  return `${stampOf(created)}_${wordOf(seed, 5)}`;
}

export function agentFor(created: string, seed: string): string {
  return `agent_${stampOf(created)}_${wordOf(seed, 6)}`;
}

/** Milliseconds in the thirteen digits that the program looks for. */
function stampOf(created: string): string {
  return String(Math.max(0, Date.parse(created) || 0)).padStart(13, "0");
}

function wordOf(seed: string, length: number): string {
  return BigInt(`0x${hash("sha256", seed)}`)
    .toString(36)
    .slice(-length)
    .padStart(length, "0");
}

/** Where a file lies in the store, with `/`; undefined for one that lies elsewhere. */
export function relativeIn(root: string, file: string, environment: Platform): string | undefined {
  return isInside(file, root, environment.platform)
    ? pathOf(environment).relative(root, file).replaceAll("\\", "/")
    : undefined;
}
