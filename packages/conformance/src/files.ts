/** Stores in memory: what the kit reads from, writes to and damages, so that no check touches the disk. */
import { posix } from "node:path";
import { holdsCredentials, memorySource, type OpenFile, type Source } from "@asp-convert/core";

/** Absolute path (with `/`) → bytes. */
export type Files = Map<string, Uint8Array>;

/** Reads a folder, or one file, with all that is below it, but no credentials. Links are followed. */
export async function loadFiles(source: Source, root: string): Promise<Files> {
  const files: Files = new Map();
  await load(source, root, files, 0);
  return files;
}

const DEEPEST = 40; // links may go in circles

async function load(source: Source, path: string, files: Files, depth: number): Promise<void> {
  const info = await source.stat(path);
  if (!info || depth > DEEPEST) return;
  if (info.kind === "file") {
    if (holdsCredentials(path)) return;
    const file = await source.open(path);
    files.set(path, file.read(0, file.size));
    file.close();
    return;
  }
  for (const { name } of await source.readDir(path))
    await load(source, posix.join(path, name), files, depth + 1);
}

/** The same files below another folder. */
export function moved(files: Files, from: string, to: string): Files {
  return new Map([...files].map(([path, bytes]) => [posix.join(to, posix.relative(from, path)), bytes]));
}

export function sourceOf(files: Files): Source {
  return memorySource(Object.fromEntries(files));
}

/** What a source was asked for. */
export interface SourceUse {
  /** Bytes read, over all files. */
  bytes: number;
  /** Files opened and not yet closed. */
  open: number;
}

/** The same source, with what is asked of it counted into `use`. */
export function counted(source: Source, use: SourceUse): Source {
  return {
    ...source,
    async readFile(path, maxBytes) {
      const bytes = await source.readFile(path, maxBytes);
      use.bytes += bytes?.length ?? 0;
      return bytes;
    },
    async open(path) {
      const file = await source.open(path);
      use.open++;
      return countedFile(file, use);
    },
  };
}

function countedFile(file: OpenFile, use: SourceUse): OpenFile {
  let closed = false;
  return {
    path: file.path,
    size: file.size,
    mtimeMs: file.mtimeMs,
    read(offset, length) {
      const bytes = file.read(offset, length);
      use.bytes += bytes.length;
      return bytes;
    },
    check: () => file.check(),
    close() {
      if (!closed) use.open--;
      closed = true;
      file.close();
    },
  };
}
