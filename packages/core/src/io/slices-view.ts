/**
 * An export that keeps many sessions in one file: each is shown as a file of its own, `<export>/<session><extension>`, a
 * stretch of the bytes that are there. Where they lie is found out once for each state of the file.
 */
import { filesInFile } from "./files-in-file.js";
import { pathOf } from "./paths.js";
import { type OpenFile, type Source, SourceError } from "./source.js";

/** Where one session lies in the file. */
export interface Slice<T> {
  /** Names the file that it is shown as: its id. */
  id: string;
  offset: number;
  length: number;
  /** What was found out on the way. */
  about: T;
}

export interface SlicesView<T> {
  /** Of the store, absolute: files elsewhere are left as they are. */
  root: string;
  extension: string;
  /** All that a file holds, in its order; not sure: none. */
  slices(file: OpenFile): Iterable<Slice<T>>;
}

export interface Slices<T> {
  /** For `sessions.view`. */
  view(source: Source): Source;
  /** What a file holds, each with the path that it is shown by. @throws SourceError */
  of(path: string, source: Source): Promise<readonly (Slice<T> & { path: string })[]>;
}

/** Files whose places are remembered: one at a time is converted, and some are listed. */
const REMEMBERED = 4;

export function slicesOf<T>({ root, extension, slices }: SlicesView<T>): Slices<T> {
  const path = pathOf({ platform: root.startsWith("/") ? "linux" : "win32" });

  async function all(container: string, source: Source): Promise<ReadonlyMap<string, Slice<T>>> {
    const file = await source.open(container);
    try {
      const state = JSON.stringify([root, extension, container, file.size, file.mtimeMs]);
      const before = remembered.get(state);
      if (before?.by === slices) return before.found as ReadonlyMap<string, Slice<T>>;
      const found = new Map<string, Slice<T>>();
      for (const slice of slices(file)) {
        let id = slice.id;
        for (let again = 2; found.has(id); again++) id = `${slice.id}-${again}`;
        found.set(id, { ...slice, id });
      }
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(state, { by: slices, found });
      return found;
    } finally {
      file.close();
    }
  }

  return {
    view: (source) =>
      filesInFile(source, root, extension, async (container, file) => {
        const id = path.basename(file, extension);
        const slice = (await all(container, source)).get(id);
        if (!slice) throw new SourceError(file, "missing", `the file holds no session ${id}`);
        return windowOf(await source.open(container), file, slice);
      }),
    async of(container, source) {
      const found = await all(container, source);
      return [...found.values()].map((slice) => ({
        ...slice,
        path: path.join(container, `${slice.id}${extension}`),
      }));
    },
  };
}

const remembered = new Map<string, { by: unknown; found: ReadonlyMap<string, Slice<unknown>> }>();

/** A stretch of a file, as a file. */
function windowOf(
  file: OpenFile,
  path: string,
  { offset, length }: { offset: number; length: number },
): OpenFile {
  return {
    path,
    size: length,
    mtimeMs: file.mtimeMs,
    read: (at, wanted) => file.read(offset + at, Math.max(0, Math.min(wanted, length - at))),
    check: () => file.check(),
    close: () => file.close(),
  };
}
