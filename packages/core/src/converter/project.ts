import { type Environment, pathOf, samePath } from "../io/paths.js";
import type { Source } from "../io/source.js";
import type { Candidate } from "./contract.js";
import { candidateOf } from "./probe.js";
import type { Store } from "./store.js";

/**
 * A project folder as a store: the person's own store, with the project.
 * @param score - how sure it is that this is a project in which the program has things; 0: it is none
 * @param roots - the person's stores, the first of which counts
 * @returns undefined for a path that is no project: then it is a store, or lies in one
 */
export async function projectStore(
  harness: string,
  path: string,
  source: Source,
  environment: Environment,
  score: (candidate: Candidate) => number | Promise<number>,
  roots: (environment: Environment) => readonly string[],
): Promise<Store | undefined> {
  if ((await source.stat(path))?.kind !== "directory") return undefined;
  const own = roots(environment);
  const [root] = own;
  // A person's instructions lie in the store itself: that makes no project of it.
  if (own.some((each) => samePath(each, path, environment.platform))) return undefined;
  if (root === undefined || (await score(await candidateOf(path, source))) === 0) return undefined;
  return { harness, root, project: pathOf(environment).resolve(path) };
}
