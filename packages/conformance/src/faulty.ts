/** Stores with something in them that cannot be read, as on a real disk: no permission, a pipe, a dead link. */
import { posix } from "node:path";
import { type DirEntry, type FileInfo, type Source, SourceError } from "@asp-convert/core";

/** The same source, in which `path` (a file, or a folder with all below it) may not be read. */
export function shut(source: Source, path: string): Source {
  const guard =
    <A extends unknown[], T>(method: (at: string, ...more: A) => Promise<T>, itself = true) =>
    async (at: string, ...more: A): Promise<T> => {
      if ((itself && at === path) || at.startsWith(`${path}/`))
        throw new SourceError(at, "unreadable", "may not be read (permission denied)");
      return method(at, ...more);
    };
  return {
    stat: guard(source.stat, false),
    realPath: guard(source.realPath, false),
    readDir: guard(source.readDir),
    readFile: guard(source.readFile),
    open: guard(source.open),
    openDatabase: guard(source.openDatabase),
  };
}

export const oddities = ["pipe", "folder", "dead link"] as const;
export type Oddity = (typeof oddities)[number];

const ENTRIES: Record<Oddity, DirEntry["kind"]> = { pipe: "other", folder: "directory", "dead link": "link" };

/** The same source, with something at `path` that is no file. */
export function withOddity(source: Source, path: string, oddity: Oddity): Source {
  const info: FileInfo | undefined =
    oddity === "dead link"
      ? undefined
      : { kind: oddity === "pipe" ? "other" : "directory", size: 0, mtimeMs: 0, mode: 0o600, link: false };
  const refuse = () => {
    if (info) throw new SourceError(path, "not-a-file", `is a ${oddity}`);
    throw new SourceError(path, "missing", "is a link that leads nowhere");
  };
  return {
    stat: async (at) => (at === path ? info : source.stat(at)),
    realPath: async (at) => (at === path ? info && path : source.realPath(at)),
    async readDir(at) {
      const entries = await source.readDir(at);
      if (at !== posix.dirname(path)) return entries;
      const entry: DirEntry = { name: posix.basename(path), kind: ENTRIES[oddity] };
      return [...entries, entry].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    readFile: async (at, maxBytes) => (at === path ? info && refuse() : source.readFile(at, maxBytes)),
    open: async (at) => (at === path ? refuse() : source.open(at)),
    openDatabase: async (at) => (at === path ? refuse() : source.openDatabase(at)),
  };
}
