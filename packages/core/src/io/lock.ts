/** One run at a time per target root: a lock file in the state folder, broken only when its owner is dead. */
import { hash, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BusyError } from "./busy.js";
import { isInside } from "./paths.js";
import { placeNew } from "./place.js";
import { isRunning, type ProcessMark, thisProcess } from "./process.js";
import { errorCode, writeError } from "./write-error.js";

export interface Lock extends ProcessMark {
  /** Told apart from one that the same process made before. */
  nonce: string;
  root: string;
}

/** What one lock is known by: plain data, for a thread that works under it. */
export interface LockMark {
  path: string;
  nonce: string;
  root: string;
}

export interface HeldLocks {
  readonly marks: readonly LockMark[];
  /** @throws BusyError if another run broke one of them, in the belief that this one was dead. */
  verify(): void;
  release(): void;
}

/** @param roots real paths. @throws BusyError, at once; then none is held. */
export function lockRoots(state: string, roots: readonly string[]): HeldLocks {
  // Our own memory is locked too; the target, which comes first, is what a person knows it by.
  const named = (root: string) => (isInside(root, state, process.platform) ? (roots[0] ?? root) : root);
  const folder = join(state, "locks");
  const held: LockMark[] = [];
  const release = () => {
    for (const { path, nonce } of held.splice(0))
      if (lockOf(path)?.nonce === nonce) rmSync(path, { force: true });
  };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Sorted: two runs that want the same roots meet at the same one.
    for (const root of [...new Set(roots)].sort()) {
      const path = join(folder, `${hash("sha256", root).slice(0, 24)}.lock`);
      held.push({ path, nonce: takeLock(path, root, named(root)), root });
    }
  } catch (error) {
    release();
    throw error instanceof BusyError ? error : writeError(folder, error);
  }
  return { marks: held, verify: () => verifyMarks(held, named), release };
}

/** Locks that another thread of this process holds, and goes on holding: nothing to release. */
export function borrowLocks(marks: readonly LockMark[]): HeldLocks {
  return { marks, verify: () => verifyMarks(marks, (root) => root), release() {} };
}

function verifyMarks(marks: readonly LockMark[], named: (root: string) => string): void {
  for (const { path, nonce, root } of marks) {
    const now = lockOf(path);
    if (now?.nonce !== nonce) throw new BusyError(named(root), path, now ?? thisProcess());
  }
}

function takeLock(path: string, root: string, named: string): string {
  const lock: Lock = { ...thisProcess(), nonce: randomUUID(), root };
  const draft = `${path}.${lock.nonce}`;
  try {
    // In here: a full disk leaves an empty file of it.
    writeFileSync(draft, JSON.stringify(lock), { flag: "wx", mode: 0o600 });
    // A link of a finished file: whoever sees the lock sees all of it.
    for (let attempt = 0; ; attempt++) {
      try {
        placeNew(draft, path);
        return lock.nonce;
      } catch (error) {
        if (errorCode(error) !== "EEXIST") throw error;
      }
      const other = lockOf(path);
      if (other && (isRunning(other) || attempt > 3)) throw new BusyError(named, path, other);
      breakLock(path, other);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes a dead lock, and only that one: if a living run took its place meanwhile, it is put back. */
function breakLock(path: string, dead: Lock | undefined): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  const moved = lockOf(aside);
  if (moved && moved.nonce !== dead?.nonce) {
    try {
      linkSync(aside, path);
    } catch {
      // A third run has it by now. The second one finds out: it looks for its nonce before it commits.
    }
  }
  rmSync(aside, { force: true });
}

/** undefined: there is none, or it is no lock of ours (cut off by a crash: links make that impossible, a full disk not). */
export function lockOf(path: string): Lock | undefined {
  try {
    const lock: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isLock(lock) ? lock : undefined;
  } catch {
    return undefined;
  }
}

function isLock(value: unknown): value is Lock {
  const lock = value as Partial<Lock> | null;
  return (
    typeof lock === "object" &&
    lock !== null &&
    typeof lock.pid === "number" &&
    typeof lock.start === "string" &&
    typeof lock.host === "string" &&
    typeof lock.nonce === "string"
  );
}

/** How long to wait between two looks at a lock, in ms. */
const LOOK_EVERY = 25;

/**
 * The one lock of a folder that has its lock files in itself, waited for.
 * @param wait ms after which it is given up.
 * @param path another lock of the same folder: that of one of its files. @throws BusyError
 */
export async function holdFolder(
  folder: string,
  wait: number,
  signal?: AbortSignal,
  path: string = folder,
): Promise<HeldLocks> {
  const until = Date.now() + wait;
  for (;;) {
    try {
      return lockRoots(folder, [path]);
    } catch (error) {
      if (!(error instanceof BusyError) || Date.now() >= until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    signal?.throwIfAborted();
  }
}
