/** Where a program of the family keeps things. Pure functions; nothing else in the family knows a path. */
import { distinctRoots, type Environment, pathOf, samePath } from "@asp-convert/core";
import type { Program } from "./program.js";

/** Beside the database: the JSON tree of versions up to 1.1. */
export const TREE = "storage";

/** The folder with the database: `$XDG_DATA_HOME/opencode`; the folder of the file that `$OPENCODE_DB` names comes first. */
export function storeRoots(program: Program, environment: Environment): string[] {
  const path = pathOf(environment);
  const standard = path.join(xdg(environment, "XDG_DATA_HOME", ".local/share"), program.command);
  const named = environment.env[`${program.prefix}_DB`];
  if (!named || named === ":memory:") return [standard];
  return distinctRoots([path.dirname(path.resolve(standard, named)), standard], environment);
}

/** The name of the database in a store root: `opencode.db`, or what the variable names in this very folder. */
export function databaseName(program: Program, root: string, environment: Environment): string {
  const path = pathOf(environment);
  const named = environment.env[`${program.prefix}_DB`];
  const standard = `${program.command}.db`;
  if (!named || named === ":memory:") return standard;
  const file = path.resolve(
    path.join(xdg(environment, "XDG_DATA_HOME", ".local/share"), program.command),
    named,
  );
  return samePath(path.dirname(file), root, environment.platform) ? path.basename(file) : standard;
}

/** `opencode.db`, and those of other release channels: `opencode-beta.db`. */
export function isDatabaseName(program: Program, name: string): boolean {
  return name === `${program.command}.db` || (name.startsWith(`${program.command}-`) && name.endsWith(".db"));
}

/**
 * The folder with the person's config, agents, commands and skills that belongs to a store root: the machine's own
 * for the machine's own store; beside it in a copied home folder; else `config` inside it.
 */
export function configFolder(program: Program, root: string, environment: Environment): string {
  const path = pathOf(environment);
  const data = path.join(xdg(environment, "XDG_DATA_HOME", ".local/share"), program.command);
  if (samePath(root, data, environment.platform)) {
    return path.join(xdg(environment, "XDG_CONFIG_HOME", ".config"), program.command);
  }
  const home = homeOf(program, root, environment);
  return home === undefined ? path.join(root, "config") : path.join(home, ".config", program.command);
}

/** The home folder that a store root lies in as it does by default; undefined for any other place. */
export function homeOf(
  program: Program,
  root: string,
  environment: Pick<Environment, "platform">,
): string | undefined {
  const path = pathOf(environment);
  const home = path.resolve(root, "..", "..", "..");
  return samePath(root, dataIn(program, home, environment), environment.platform) ? home : undefined;
}

/** The store root in a home folder. */
export function dataIn(program: Program, home: string, environment: Pick<Environment, "platform">): string {
  return pathOf(environment).join(home, ".local", "share", program.command);
}

/** Where the program notes which models were used last. */
export function stateFolder(program: Program, root: string, environment: Environment): string {
  const path = pathOf(environment);
  const home = homeOf(program, root, environment);
  if (home !== undefined && !samePath(home, environment.home, environment.platform)) {
    return path.join(home, ".local", "state", program.command);
  }
  return path.join(xdg(environment, "XDG_STATE_HOME", ".local/state"), program.command);
}

/** The path a session's rows have as evidence: on no disk, but as if the database were a folder. */
export function rowsPath(
  database: string,
  session: string,
  environment: Pick<Environment, "platform">,
): string {
  return pathOf(environment).join(database, `${fileName(session)}.jsonl`);
}

/** A session's id as a file name: ids are free text in a database. */
function fileName(id: string): string {
  return encodeURIComponent(id)
    .replaceAll("*", "%2A")
    .replace(/^\.+$/, (dots) => dots.replaceAll(".", "%2E"));
}

export function sessionInRowsPath(path: string): string | undefined {
  const match = /([^/\\]+)\.jsonl$/.exec(path);
  try {
    return match?.[1] === undefined ? undefined : decodeURIComponent(match[1]);
  } catch {
    return undefined;
  }
}

function xdg(environment: Environment, variable: string, standard: string): string {
  const path = pathOf(environment);
  const named = environment.env[variable];
  // The XDG rules: a relative value is to be ignored.
  return named && path.isAbsolute(named) ? named : path.join(environment.home, ...standard.split("/"));
}
