/** A source whose files are made when they are opened. Paths use `/`. */
import { type DirEntry, memorySource, type OpenFile, type Source, SourceError } from "@asp-convert/core";

export interface MadeFile {
  size: number;
  mode?: number | undefined;
  mtimeMs?: number | undefined;
  open: () => Promise<OpenFile>;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** @param databases files that are read as databases: their bytes. */
export function filesSource(
  files: ReadonlyMap<string, MadeFile>,
  databases: Readonly<Record<string, Uint8Array>> = {},
): Source {
  const inMemory = memorySource(databases);
  const folders = new Map<string, Map<string, DirEntry["kind"]>>();
  for (const path of [...files.keys(), ...Object.keys(databases)]) {
    let kind: DirEntry["kind"] = "file";
    for (let at = plain(path); at.includes("/"); at = parentOf(at)) {
      const entries = folders.get(parentOf(at)) ?? new Map<string, DirEntry["kind"]>();
      folders.set(parentOf(at), entries);
      entries.set(at.slice(at.lastIndexOf("/") + 1), kind);
      kind = "directory";
    }
  }
  const open = async (path: string): Promise<OpenFile> => {
    const file = files.get(plain(path));
    return file ? file.open() : inMemory.open(path);
  };
  return {
    async stat(path) {
      const file = files.get(plain(path));
      if (file) {
        const { size, mtimeMs = 0, mode = 0o600 } = file;
        return { kind: "file", size, mtimeMs, mode, link: false };
      }
      if (!folders.has(plain(path))) return inMemory.stat(path);
      return { kind: "directory", size: 0, mtimeMs: 0, mode: 0o700, link: false };
    },
    async readDir(path) {
      const entries = folders.get(plain(path)) ?? new Map<string, DirEntry["kind"]>();
      return [...entries].map(([name, kind]) => ({ name, kind })).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async realPath(path) {
      const real = plain(path);
      return files.has(real) || folders.has(real) ? real : inMemory.realPath(path);
    },
    async readFile(path, maxBytes = MAX_BYTES) {
      const file = files.get(plain(path));
      if (!file) return inMemory.readFile(path, maxBytes);
      if (file.size > maxBytes)
        throw new SourceError(path, "too-large", `${file.size} bytes; at most ${maxBytes} are read at once`);
      const opened = await file.open();
      try {
        return opened.read(0, opened.size);
      } finally {
        opened.close();
      }
    },
    open,
    openDatabase: (path) => inMemory.openDatabase(path),
  };
}

function plain(path: string): string {
  return path.replaceAll("\\", "/").replace(/(.)\/+$/, "$1");
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
