/** Moves into place and out of it again, one atomic step each. */
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, unlinkSync } from "node:fs";
import { errorCode } from "./write-error.js";

/** What file systems without hard links say (exFAT, some network and container mounts). */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK"]);

/**
 * Gives `temp`'s file the name `path`, which nobody has. `temp` may stay behind.
 * @param onReserve Without hard links the name is first taken by an empty file, then `temp` is moved onto that.
 * Called before.
 * @throws EEXIST if there is anything at `path`, even a link that points nowhere.
 */
export function placeNew(temp: string, path: string, onReserve?: () => void): void {
  try {
    linkSync(temp, path);
    return;
  } catch (error) {
    if (!NO_LINKS.has(errorCode(error) ?? "")) throw error;
  }
  onReserve?.();
  closeSync(openSync(path, "wx", 0o600));
  renameSync(temp, path);
}

/** Replaces `path` by `temp` in one step. */
export function replace(temp: string, path: string): void {
  renameSync(temp, path);
}

/** Makes names in a folder durable. Windows has no such thing and needs none. */
export function syncFolder(folder: string): void {
  let fd: number;
  try {
    fd = openSync(folder, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } catch {
    // Some file systems cannot; there is nothing better to do.
  } finally {
    closeSync(fd);
  }
}

/** True if there was something to remove. */
export function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (isGone(path)) return false;
    throw error;
  }
}

/** Asked of the path, not of the error: on a read-only file system removing nothing fails too. */
export function isGone(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return errorCode(error) === "ENOTDIR";
  }
}
