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

/** What is to become a file: its bytes lie beside its place, under a name that nobody asks for. */
export interface StagedFile {
  readonly path: string;
  readonly temp: string;
}

/** The bytes are durable when it resolves. Nothing is left of it on error. @throws WriteError */
export async function stageFile(path: string, bytes: Uint8Array): Promise<StagedFile> {
  const temp = `${path}.${randomUUID()}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const fd = openSync(temp, "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      await sync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    rmSync(temp, { force: true });
    throw writeError(path, error);
  }
  return { path, temp };
}

/**
 * Puts files into place, each in one step; durable when it returns. What is not put there is removed.
 * @param mode `new`: one that is there stays (its name says what it holds). `replace`: it is replaced.
 * @throws WriteError
 */
export function placeFiles(staged: readonly StagedFile[], mode: "new" | "replace"): void {
  const folders = new Set<string>();
  try {
    for (const { path, temp } of staged) {
      try {
        if (mode === "replace") replace(temp, path);
        else placeNew(temp, path);
      } catch (error) {
        if (mode === "replace" || errorCode(error) !== "EEXIST") throw writeError(path, error);
      }
      folders.add(dirname(path));
    }
  } finally {
    dropFiles(staged);
  }
  for (const folder of folders) syncFolder(folder);
}

/** Removes what was staged and is not in place. */
export function dropFiles(staged: readonly StagedFile[]): void {
  for (const { temp } of staged) rmSync(temp, { force: true });
}

/** Both at once. @throws WriteError */
export async function putFile(path: string, bytes: Uint8Array, mode: "new" | "replace"): Promise<void> {
  placeFiles([await stageFile(path, bytes)], mode);
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
