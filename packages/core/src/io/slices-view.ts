/**
 * An export that keeps many sessions in one file: each is shown as a file of its own, `<export>/<session><extension>`, a
 * stretch of the bytes that are there. Where they lie is found out once for each state of the file.
 */
import type { ListContext } from "../converter/contract.js";
import { unlessUnreadable } from "../converter/unreadable.js";
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
  /**
   * All that a file holds, in its order; not sure: none.
   * @param tell of what is no session and should be one: a torn end, say.
   */
  slices(file: OpenFile, tell: (problem: string) => void): Iterable<Slice<T>>;
  /** Of a session that is a file by itself, as a bundle keeps it: its id and what is told of it; undefined: it is none. */
  one(file: OpenFile): { id?: string | undefined; about: T } | undefined;
}

export interface Slices<T> {
  /** For `sessions.view`. */
  view(source: Source): Source;
  /**
   * What an export holds, each with the path that it is shown by; where it is a folder, what its files are. Nothing for
   * what is not there. What cannot be read is told to `onUnreadable`.
   * @throws SourceError where nobody is told
   */
  of(
    path: string,
    context: Pick<ListContext, "source" | "onUnreadable">,
  ): Promise<readonly (Slice<T> & { path: string })[]>;
}

/** Files whose places are remembered: one at a time is converted, and some are listed. */
const REMEMBERED = 4;

export function slicesOf<T>({ root, extension, slices, one }: SlicesView<T>): Slices<T> {
  const path = pathOf({ platform: root.startsWith("/") ? "linux" : "win32" });

  async function all(container: string, source: Source): Promise<Held<T>> {
    const file = await source.open(container);
    try {
      const state = JSON.stringify([root, extension, container, file.size, file.mtimeMs]);
      const before = remembered.get(state);
      if (before?.by === slices) return before.held as Held<T>;
      const found = new Map<string, Slice<T>>();
      const problems: string[] = [];
      for (const slice of slices(file, (problem) => problems.push(problem))) {
        let id = slice.id;
        for (let again = 2; found.has(id); again++) id = `${slice.id}-${again}`;
        found.set(id, { ...slice, id });
      }
      if (remembered.size >= REMEMBERED) remembered.clear();
      const held = { found, problems };
      remembered.set(state, { by: slices, held });
      return held;
    } finally {
      file.close();
    }
  }

  async function alone(file: string, source: Source): Promise<(Slice<T> & { path: string }) | undefined> {
    const opened = await source.open(file);
    try {
      const found = one(opened);
      if (!found) return undefined;
      const id = found.id ?? path.basename(file, extension);
      return { id, offset: 0, length: opened.size, about: found.about, path: file };
    } finally {
      opened.close();
    }
  }

  return {
    view: (source) =>
      filesInFile(source, root, extension, async (container, file) => {
        const id = path.basename(file, extension);
        const slice = (await all(container, source)).found.get(id);
        if (!slice) throw new SourceError(file, "missing", `the file holds no session ${id}`);
        return windowOf(await source.open(container), file, slice);
      }),
    async of(container, context) {
      const { source } = context;
      const kind = await unlessUnreadable(context, async () => (await source.stat(container))?.kind);
      if (kind === undefined) return [];
      if (kind === "directory") {
        const entries = (await unlessUnreadable(context, () => source.readDir(container))) ?? [];
        const files = entries.filter(({ name }) => name.endsWith(extension));
        const found: (Slice<T> & { path: string })[] = [];
        for (const { name } of files) {
          const slice = await unlessUnreadable(context, () => alone(path.join(container, name), source));
          if (slice) found.push(slice);
        }
        return found;
      }
      const held = await unlessUnreadable(context, () => all(container, source));
      const [problem, ...more] = held?.problems ?? [];
      if (problem !== undefined)
        await unlessUnreadable(context, async () => {
          const others = more.length > 0 ? `, and ${more.length} more like it` : "";
          throw new SourceError(container, "unreadable", `${problem}${others}`);
        });
      return [...(held?.found.values() ?? [])].map((slice) => ({
        ...slice,
        path: path.join(container, `${slice.id}${extension}`),
      }));
    },
  };
}

/** What a file holds, and what in it is no session and should be one. */
interface Held<T> {
  found: ReadonlyMap<string, Slice<T>>;
  problems: readonly string[];
}

const remembered = new Map<string, { by: unknown; held: Held<unknown> }>();

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
