/**
 * A view of a source in which every file is as long as when it was first opened, so that hashing, reading and
 * copying see the same bytes although a program goes on appending; and which says afterwards what moved.
 */
import { type OpenFile, type Source, SourceError } from "./source.js";

export interface Watched {
  source: Source;
  /**
   * Files that grew since they were first opened.
   * @throws SourceError for one that changed in any other way: what was read is no state it ever had.
   */
  changes(): string[];
}

export function watch(source: Source): Watched {
  const first = new Map<string, OpenFile>();
  return {
    source: {
      ...source,
      async open(path) {
        const file = await source.open(path);
        const known = first.get(path);
        if (!known) {
          first.set(path, file);
          return file;
        }
        return file.size <= known.size ? file : clipped(file, known.size);
      },
    },
    changes() {
      const grown: string[] = [];
      for (const [path, file] of first) {
        const state = file.check();
        if (state === "grew") grown.push(path);
        if (state === "changed") {
          throw new SourceError(
            path,
            "changed",
            "changed while it was read. Nothing was written; run it again",
          );
        }
      }
      return grown;
    },
  };
}

function clipped(file: OpenFile, size: number): OpenFile {
  return {
    path: file.path,
    size,
    mtimeMs: file.mtimeMs,
    read: (offset, length) => file.read(offset, Math.max(0, Math.min(length, size - offset))),
    ...(file.readInto && {
      readInto: (offset: number, into: Uint8Array) =>
        file.readInto?.(offset, into.subarray(0, Math.max(0, Math.min(into.length, size - offset)))) ?? 0,
    }),
    check: () => file.check(),
    close: () => file.close(),
  };
}
