/** Where a path really leads, looked at one component after the other, so that no link takes a write elsewhere. */
import { type BigIntStats, lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { holdsCredentials } from "./credentials.js";
import { isInside } from "./paths.js";
import { errorCode, WriteError, writeError } from "./write-error.js";

export interface Placed {
  /** The path with every link in its folders resolved; its last name is not followed. */
  path: string;
  /** What is there (the link itself, where it is one). */
  info?: BigIntStats;
  /** Folders that are not there, outermost first. */
  missing: string[];
}

/** A folder that may be written in: as it was named, and its real path. */
export interface Root {
  given: string;
  real: string;
}

export function rootAt(path: string): Root {
  return { given: resolve(path), real: realRoot(path) };
}

/** The real path of a root, which need not exist: of its nearest folder that does, and the rest. */
function realRoot(root: string): string {
  const path = resolve(root);
  try {
    return realpathSync(path);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw writeError(path, error);
  }
  if (lstatOf(path)?.isSymbolicLink()) throw new WriteError(path, "unsafe", "is a link that points nowhere");
  const parent = dirname(path);
  return parent === path ? path : join(realRoot(parent), path.slice(parent.length).replace(/^[/\\]+/, ""));
}

/** @throws WriteError `unsafe` if it lies outside the roots, or a link in it leads out of them or nowhere. */
export function placeInside(path: string, roots: readonly Root[]): Placed {
  const wanted = resolve(path);
  refuseCredentials(wanted);
  const root = rootOf(wanted, roots);
  let at = root.real;
  const missing: string[] = [];
  // The root itself may be missing, with folders above it.
  for (let above = at; lstatOf(above) === undefined && dirname(above) !== above; above = dirname(above)) {
    missing.unshift(above);
  }
  const names = relative(root.given, wanted)
    .split(sep)
    .filter((name) => name !== "");
  const last = names.pop();
  if (last === undefined) throw new WriteError(path, "unsafe", "is the folder itself, not a file in it");
  for (const name of names) {
    at = join(at, name);
    const info = missing.length > 0 ? undefined : lstatOf(at);
    if (!info) missing.push(at);
    else if (info.isSymbolicLink()) at = followed(at, roots);
    else if (!info.isDirectory()) {
      throw new WriteError(
        at,
        "not-a-file",
        "is a file where a folder is to be. Move it away, or write elsewhere",
      );
    }
  }
  const placed = join(at, last);
  const info = missing.length > 0 ? undefined : lstatOf(placed);
  return { path: placed, missing, ...(info && { info }) };
}

/** The real path behind a link. @throws WriteError if it leads out of the roots or nowhere. */
export function followed(link: string, roots: readonly Root[]): string {
  let real: string;
  try {
    real = realpathSync(link);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ELOOP") throw writeError(link, error);
    throw new WriteError(link, "unsafe", "is a link that points nowhere; nothing is written through it");
  }
  refuseCredentials(real);
  if (!roots.some((root) => isInside(real, root.real, process.platform))) {
    throw new WriteError(
      link,
      "unsafe",
      `is a link that leads out of its folder (to ${real}); nothing is written through it`,
    );
  }
  return real;
}

function refuseCredentials(path: string): void {
  if (holdsCredentials(path))
    throw new WriteError(path, "unsafe", "is a file for credentials; it is never written");
}

function rootOf(path: string, roots: readonly Root[]): { given: string; real: string } {
  for (const { given, real } of roots) {
    if (isInside(path, given, process.platform)) return { given, real };
    if (isInside(path, real, process.platform)) return { given: real, real };
  }
  const all = roots.map(({ given }) => given).join(", ");
  throw new WriteError(path, "unsafe", `lies outside of ${all}; nothing is written there`);
}

export function lstatOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw writeError(path, error);
  }
}
