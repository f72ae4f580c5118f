/** The bytes that a session is made of: how it is told whether they are those of the last time. */
import { createHash, hash } from "node:crypto";
import { type BatchSource, blocksOf, type SessionRef, type Source } from "@asp-convert/core";

/** Without their hash: what can be told without reading. */
export type Stamp = Omit<BatchSource, "sha256">;

/** The files on disk that a session lies in: its own, or the database it is in with what is not yet merged into it. */
export async function stampsOf(ref: SessionRef, source: Source): Promise<Stamp[]> {
  const own = await present(ref.files.map(({ path }) => path).concat(childPaths(ref)), source);
  return own.length > 0 ? own : present([ref.path, `${ref.path}-wal`], source);
}

function childPaths(ref: SessionRef): string[] {
  return ref.children.flatMap((child) => [...child.files.map(({ path }) => path), ...childPaths(child)]);
}

async function present(paths: readonly string[], source: Source): Promise<Stamp[]> {
  const stamps: Stamp[] = [];
  for (const path of [...new Set(paths)].sort()) {
    const info = await source.stat(path);
    if (info?.kind === "file") stamps.push({ path, bytes: info.size, mtimeMs: info.mtimeMs });
  }
  return stamps;
}

export function sameStamps(a: readonly Stamp[], b: readonly Stamp[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ path, bytes, mtimeMs }, index) => {
      const other = b[index];
      return other?.path === path && other.bytes === bytes && other.mtimeMs === mtimeMs;
    })
  );
}

/** Hashes each file once per state of it: five hundred sessions may lie in one database. */
export function createHasher(source: Source): (stamps: readonly Stamp[]) => Promise<BatchSource[]> {
  const known = new Map<string, string>();
  return async (stamps) => {
    const sources: BatchSource[] = [];
    for (const stamp of stamps) {
      const state = `${stamp.path}\n${stamp.bytes}\n${stamp.mtimeMs}`;
      let sha256 = stamps.length === 1 ? known.get(state) : undefined;
      if (sha256 === undefined) {
        sha256 = await hashFile(stamp.path, source);
        if (stamps.length === 1) known.set(state, sha256);
      }
      sources.push({ ...stamp, sha256 });
    }
    return sources;
  };
}

async function hashFile(path: string, source: Source): Promise<string> {
  const file = await source.open(path);
  try {
    const sum = createHash("sha256");
    for (const block of blocksOf(file)) sum.update(block);
    return sum.digest("hex");
  } finally {
    file.close();
  }
}

/** @param setup what is done to them. @see BatchLine.key */
export function keyOf(setup: string, ref: SessionRef, sources: readonly BatchSource[]): string {
  // A session that lies in no file of its own is told apart by what a list says of it.
  const what = sources.length > 0 ? sources.map(({ sha256 }) => sha256) : ref;
  return `${setup}.${hash("sha256", JSON.stringify([ref.id, what])).slice(0, 32)}`;
}
