/**
 * Exports that keep many sessions in one file: each is listed as a file of its own, `<export>/<session>.json`. In a bundle,
 * that is what they are.
 */
import {
  type Candidate,
  type Converter,
  documentParts,
  type ListContext,
  type OpenFile,
  pathOf,
  readHead,
  type SessionRef,
  type Slice,
  type Slices,
  type Store,
  slicesOf,
  unlessUnreadable,
} from "@asp-convert/core";
import { type About, refOf, textOf } from "./refs.js";
import type { Place } from "./say.js";

/** How the exports of one program are read. */
export interface Export {
  harness: string;
  /** How the name of a session that is shown as a file ends. */
  extension: string;
  /** Of a file by its name: may it hold sessions? */
  isExport(name: string): boolean;
  /** Where they lie in it, in its order. @param tell of what is not whole */
  places(file: OpenFile, tell: (problem: string) => void): Iterable<Place>;
  /** Of the bytes of one; undefined: it is none. */
  about(text: string): About | undefined;
  /** The export lies in the folder that its sessions are of. */
  inProject?: boolean;
}

export function slicesIn({ root }: Pick<Store, "root">, { extension, places, about }: Export): Slices<About> {
  return slicesOf({
    ...{ root, extension },
    slices: (file, tell) => found(file, places(file, tell), about, tell),
    one(file) {
      const found = about(textOf(file.read(0, file.size)));
      return found && { id: found.id, about: found };
    },
  });
}

/** The objects of a list in a file of JSON. A download that broke off has a torn end. */
export function objectsIn(file: OpenFile, tell: (problem: string) => void): readonly Place[] {
  const { objects, cut } = documentParts(file, []);
  if (cut) tell(`it ends in the middle: what stands from byte ${cut.offset} on is not whole`);
  return objects;
}

function* found(
  file: OpenFile,
  places: Iterable<Place>,
  about: Export["about"],
  tell: (problem: string) => void,
): Generator<Slice<About>> {
  let number = 0;
  for (const { offset, length } of places) {
    number++;
    const one = about(textOf(file.read(offset, length)));
    if (one) yield { id: one.id ?? String(number), offset, length, about: one };
    else tell(`what stands from byte ${offset} to ${offset + length} is no session`);
  }
}

export async function* listExport(
  exported: Export,
  store: Store,
  context: ListContext,
): AsyncGenerator<SessionRef> {
  for (const path of (await unlessUnreadable(context, () => filesOf(exported, store, context))) ?? [])
    for (const ref of await refsIn(exported, path, store, context)) {
      context.signal?.throwIfAborted();
      yield ref;
    }
}

async function filesOf(
  { isExport }: Export,
  { root, focus }: Store,
  { source, environment }: ListContext,
): Promise<string[]> {
  if (focus !== undefined) return [focus];
  const { join } = pathOf(environment);
  return (await source.readDir(root)).flatMap(({ name }) => (isExport(name) ? [join(root, name)] : []));
}

async function refsIn(
  exported: Export,
  path: string,
  store: Store,
  context: ListContext,
): Promise<SessionRef[]> {
  const cwd = exported.inProject ? store.root : undefined;
  const found = await slicesIn(store, exported).of(path, context);
  return found.map(({ id, path, length, about }) =>
    refOf({ ...exported, cwd }, { ...about, id, path, size: length }, store, context),
  );
}

/** For `probe`: how a file of a folder begins; in a bundle, where it is a folder of sessions, the first of them. */
export async function beginning({ path, source }: Candidate, name: string): Promise<string> {
  const slash = path.includes("\\") && !path.includes("/") ? "\\" : "/";
  const at = [path, name].join(slash);
  const isFolder = (await source.stat(at))?.kind === "directory";
  const [first] = isFolder ? await source.readDir(at) : [];
  return Buffer.from(await readHead(source, first ? [at, first.name].join(slash) : at, HEAD)).toString(
    "utf8",
  );
}

const HEAD = 64 * 1024;

/** For `open`: an export is a folder, or the file in it that was pointed at. */
export function openExport(harness: string): Converter["open"] {
  return async (path, source, environment) => {
    const isFile = (await source.stat(path))?.kind === "file";
    const root = isFile ? pathOf(environment).dirname(path) : path;
    return { harness, root, ...(isFile && { focus: path }) };
  };
}
