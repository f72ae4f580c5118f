/**
 * Takes back the steps of a journal, last first. It may be run again after a crash in the middle: what is as it
 * was before counts as taken back.
 */
import { createHash, hash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { lstatOf } from "./inside.js";
import type { Journal, Step } from "./journal.js";
import { isGone, removeFile, replace, syncFolder } from "./place.js";
import type { RowSet } from "./rows.js";
import { removeRows, stateOfRows } from "./rows-commit.js";
import { errorCode, writeError } from "./write-error.js";

/** `ours`: as we left it. `before`: as it was before us. `changed`: neither. */
export type StepState = "ours" | "before" | "changed";

export interface TakeBackOptions {
  /**
   * The run did not end: a file counts as ours only if it is the very one that we staged, and an append may have
   * stopped in the middle.
   */
  unfinished: boolean;
  onStep?: ((what: string) => Promise<void> | void) | undefined;
}

export function stateOf(journal: Journal, step: Step, unfinished: boolean): StepState {
  const info = lstatOf(step.path);
  switch (step.do) {
    case "create":
      if (!info) return "before";
      if (!info.isFile()) return "changed";
      // Someone else's file of the same bytes is not ours to remove.
      if (unfinished && String(info.ino) !== step.inode && lstatOf(step.temp)) {
        return info.size === 0n && journal.reserved.includes(step.path) ? "ours" : "before";
      }
      return Number(info.size) === step.bytes && hashFile(step.path) === step.sha256 ? "ours" : "changed";
    case "link":
      if (!info) return "before";
      return info.isSymbolicLink() && readlinkSync(step.path) === step.to ? "ours" : "changed";
    case "edit": {
      if (!info) return step.before ? "changed" : "before";
      if (!info.isFile()) return "changed";
      const sum = hashFile(step.path);
      // Looked at first: an edit that changed nothing of the bytes has nothing to take back.
      if (sum === step.before?.sha256) return "before";
      return sum === step.sha256 ? "ours" : "changed";
    }
    case "rows":
      return info ? stateOfRows(step.path, rowSets(journal, step), step.sha256) : "before";
    case "append": {
      if (!info) return step.isNew ? "before" : "changed";
      if (!info.isFile()) return "changed";
      const size = Number(info.size);
      if (size === step.at) return step.isNew ? "ours" : "before";
      if (size < step.at || size > step.at + step.bytes) return "changed";
      if (!unfinished && size !== step.at + step.bytes) return "changed";
      const text = readFileSync(join(journal.folder, step.saved));
      return tailOf(step.path, step.at, size - step.at).equals(text.subarray(0, size - step.at))
        ? "ours"
        : "changed";
    }
  }
}

/** @returns paths that are neither as before nor as we left them: they stay as they are. */
export async function takeBack(journal: Journal, { unfinished, onStep }: TakeBackOptions): Promise<string[]> {
  const changed: string[] = [];
  const folders = new Set<string>();
  for (const step of journal.steps.toReversed()) {
    const state = stateOf(journal, step, unfinished);
    if (state === "changed") changed.push(step.path);
    if (state !== "ours") continue;
    try {
      undoStep(journal, step);
    } catch (error) {
      throw writeError(step.path, error);
    }
    folders.add(dirname(step.path));
    if (onStep) await onStep(`taken back ${step.path}`);
  }
  for (const temp of journal.temps) {
    if (removeFile(temp)) folders.add(dirname(temp));
    if (onStep) await onStep(`removed ${temp}`);
  }
  for (const folder of folders) syncFolder(folder);
  for (const folder of journal.folders.toReversed()) {
    removeEmpty(folder);
    if (onStep) await onStep(`removed ${folder}`);
  }
  return changed;
}

function undoStep(journal: Journal, step: Step): void {
  switch (step.do) {
    case "create":
    case "link":
      removeFile(step.path);
      return;
    case "edit": {
      if (!step.before) {
        removeFile(step.path);
        return;
      }
      const temp = `${step.temp}.undo`;
      removeFile(temp);
      writeFileSync(temp, readFileSync(join(journal.folder, step.before.saved)), {
        flag: "wx",
        mode: 0o600,
        flush: true,
      });
      chmodSync(temp, step.before.mode);
      replace(temp, step.path);
      return;
    }
    case "rows":
      removeRows(step.path, rowSets(journal, step), step.sha256);
      return;
    case "append": {
      if (step.isNew) {
        removeFile(step.path);
        return;
      }
      const fd = openSync(step.path, "r+");
      try {
        ftruncateSync(fd, step.at);
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    }
  }
}

function rowSets(journal: Journal, step: Step & { do: "rows" }): RowSet[] {
  return JSON.parse(readFileSync(join(journal.folder, step.saved), "utf8")) as RowSet[];
}

/** A folder we made goes if nothing is in it any more. */
export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && !isGone(folder)) throw writeError(folder, error);
  }
}

const CHUNK = 1024 * 1024;

/** sha256 of a file, in pieces. */
export function hashFile(path: string): string {
  const sum = createHash("sha256");
  const fd = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK);
    for (let n = readSync(fd, buffer); n > 0; n = readSync(fd, buffer)) sum.update(buffer.subarray(0, n));
  } finally {
    closeSync(fd);
  }
  return sum.digest("hex");
}

export function hashBytes(bytes: Uint8Array): string {
  return hash("sha256", bytes);
}

function tailOf(path: string, from: number, length: number): Buffer {
  const fd = openSync(path, "r");
  try {
    const wanted = Math.min(length, Math.max(0, fstatSync(fd).size - from));
    const bytes = Buffer.alloc(wanted);
    readSync(fd, bytes, 0, wanted, from);
    return bytes;
  } finally {
    closeSync(fd);
  }
}
