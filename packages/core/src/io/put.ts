/** Small files of our own state, whole or not at all: a blob under the name of its content, an index made anew. */
import { randomUUID } from "node:crypto";
import { closeSync, fsync, lstatSync, mkdirSync, openSync, rmSync, utimesSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { placeNew, replace, syncFolder } from "./place.js";
import { errorCode, writeError } from "./write-error.js";

const sync = promisify(fsync);

/** Whether a file is there; one that is gets the time of now, so that who clears up sees it is in use. */
export function touched(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Not ours to change, or gone this moment: then it is written again.
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  }
  return true;
}

/**
 * Puts a file into place in one step, durably.
 * @param mode `new`: one that is there stays (its name says what it holds). `replace`: it is replaced.
 * @throws WriteError
 */
export async function putFile(path: string, bytes: Uint8Array, mode: "new" | "replace"): Promise<void> {
  const folder = dirname(path);
  const temp = `${path}.${randomUUID()}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const fd = openSync(temp, "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      await sync(fd);
    } finally {
      closeSync(fd);
    }
    if (mode === "replace") replace(temp, path);
    else placeNew(temp, path);
    syncFolder(folder);
  } catch (error) {
    if (mode === "new" && errorCode(error) === "EEXIST") return;
    throw writeError(path, error);
  } finally {
    rmSync(temp, { force: true });
  }
}

/** Removes files of our own state; those that are gone already are no matter. */
export function removeFiles(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmSync(path, { force: true });
    } catch (error) {
      throw writeError(path, error);
    }
  }
}
