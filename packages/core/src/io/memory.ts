/** A `Source` whose files are values: for tests, and for anything that is no disk. Paths use `/`. */
import { posix } from "node:path";
import { databasesOf } from "./database.js";
import { type DirEntry, type FileInfo, type OpenFile, type Source, SourceError } from "./source.js";

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** @param files absolute path → text or bytes. Folders are those that the paths imply. */
export function memorySource(files: Readonly<Record<string, string | Uint8Array>>): Source {
  const contents = new Map(Object.entries(files).map(([path, value]) => [normal(path), Buffer.from(value)]));
  const folders = new Map<string, Map<string, DirEntry["kind"]>>();
  for (const path of contents.keys()) enter(path, "file");

  function enter(path: string, kind: DirEntry["kind"]): void {
    const parent = posix.dirname(path);
    if (parent === path) return;
    let entries = folders.get(parent);
    if (!entries) {
      entries = new Map();
      folders.set(parent, entries);
      enter(parent, "directory");
    }
    entries.set(posix.basename(path), kind);
  }

  const source: Omit<Source, "openDatabase"> = {
    async stat(path) {
      const bytes = contents.get(normal(path));
      if (bytes) return info("file", bytes.length);
      return folders.has(normal(path)) ? info("directory", 0) : undefined;
    },
    async readDir(path) {
      const entries = folders.get(normal(path)) ?? new Map<string, DirEntry["kind"]>();
      return [...entries].map(([name, kind]) => ({ name, kind })).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async realPath(path) {
      const real = normal(path);
      return contents.has(real) || folders.has(real) ? real : undefined;
    },
    async readFile(path, maxBytes = DEFAULT_MAX_BYTES) {
      const bytes = contents.get(normal(path));
      if (bytes && bytes.length > maxBytes) {
        throw new SourceError(
          path,
          "too-large",
          `${bytes.length} bytes; at most ${maxBytes} are read at once`,
        );
      }
      return bytes && Buffer.from(bytes);
    },
    async open(path) {
      const bytes = contents.get(normal(path));
      if (bytes) return openBytes(path, bytes);
      if (folders.has(normal(path))) throw new SourceError(path, "not-a-file", "is a folder");
      throw new SourceError(path, "missing", "there is no such file");
    },
  };
  return { ...source, openDatabase: databasesOf(source) };
}

/** Bytes in memory as an open file that never changes. */
export function openBytes(path: string, bytes: Uint8Array): OpenFile {
  return {
    path,
    size: bytes.length,
    mtimeMs: 0,
    // A copy: the array is the caller's own.
    read: (offset, length) => Uint8Array.prototype.slice.call(bytes, offset, offset + Math.max(0, length)),
    readInto(offset, into) {
      const part = bytes.subarray(offset, offset + into.length);
      into.set(part);
      return part.length;
    },
    check: () => "same",
    close() {},
  };
}

function info(kind: FileInfo["kind"], size: number): FileInfo {
  return { kind, size, mtimeMs: 0, mode: kind === "file" ? 0o600 : 0o700, link: false };
}

function normal(path: string): string {
  return posix.normalize(path).replace(/(.)\/+$/, "$1");
}
