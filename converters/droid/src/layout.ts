/** Where Factory Droid keeps things. Nothing else in this converter knows a path. */
import { distinctRoots, type Environment, expandHome, pathOf, type Source } from "@asp-convert/core";

/** Names the home that holds the state folder; the program has no variable for that folder itself. */
export const HOME_VARIABLE = "FACTORY_HOME_OVERRIDE";
export const STATE = ".factory";
export const SESSIONS = "sessions";

/** Names in a state folder; two of them are proof enough. */
export const MARKS = [SESSIONS, "settings.json", "host.json", "droids", "mcp.json", "cache", "state"];

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

/** The state folder of a store's root, which is that folder itself, or the home that the variable names. */
export async function stateFolder(root: string, source: Source, environment: Platform): Promise<string> {
  const path = pathOf(environment);
  if (path.basename(root) === STATE) return root;
  const names = (await source.readDir(root)).map(({ name }) => name);
  return !names.includes(STATE) && names.includes(SESSIONS) ? root : path.join(root, STATE);
}

/** The home to name to the program, so that it takes this root. */
export function homeOf(root: string, environment: Environment): string {
  const path = pathOf(environment);
  const whole = path.resolve(environment.cwd, root);
  return path.basename(whole) === STATE ? path.dirname(whole) : whole;
}

/** `/home/dev/demo` → `-home-dev-demo`. */
export function slugFor(cwd: string): string {
  return cwd.replace(/[\\/:]+/g, "-") || "-";
}

export function isSessionFile(name: string): boolean {
  return name.endsWith(".jsonl");
}

/** What the program keeps beside a session: the model in use, what it took. */
export const COMPANIONS = [".settings.json", ".settings.json.bak"] as const;

export function companionOf(path: string, end: string): string {
  return path.replace(/\.jsonl$/, end);
}
