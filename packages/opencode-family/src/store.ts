/** What lies in a store root: databases (or their sessions' rows as files), and the old JSON tree. */
import { type Environment, pathOf, type Source } from "@asp-convert/core";
import { databaseName, isDatabaseName, TREE } from "./layout.js";
import type { Program } from "./program.js";

export interface Holdings {
  /** Absolute. */
  databases: string[];
  /** Folders of rows files, as a bundle lays a database's sessions out. */
  folders: string[];
  /** The old JSON tree is there. */
  tree: boolean;
}

export async function holdingsOf(
  program: Program,
  root: string,
  source: Source,
  environment: Environment,
): Promise<Holdings> {
  const path = pathOf(environment);
  const named = databaseName(program, root, environment);
  const found: Holdings = { databases: [], folders: [], tree: false };
  for (const { name } of await source.readDir(root)) {
    if (name === TREE) found.tree = (await source.readDir(path.join(root, TREE, "session"))).length > 0;
    if (name !== named && !isDatabaseName(program, name)) continue;
    const at = path.join(root, name);
    const what = (await source.stat(at))?.kind;
    // Opening what is neither says so.
    (what === "directory" ? found.folders : found.databases).push(at);
  }
  return found;
}
