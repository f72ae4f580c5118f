/**
 * Exports that keep many sessions in one file: each is listed as a file of its own, `<export>/<session>.json`. In a bundle,
 * that is what they are.
 */
import {
  type Converter,
  type ListContext,
  type OpenFile,
  pathOf,
  type SessionRef,
  type Slice,
  type Slices,
  type Source,
  type Store,
  slicesOf,
  unlessUnreadable,
} from "@asp-convert/core";
import { oneLine } from "@asp-convert/core/values";

/** What a list shows of a session. */
export type About = Pick<
  SessionRef,
  | "title"
  | "titleFrom"
  | "cwd"
  | "createdAt"
  | "updatedAt"
  | "timesInferred"
  | "messages"
  | "model"
  | "archived"
> & { id?: string | undefined };

/** How the exports of one program are read. */
export interface Export {
  harness: string;
  /** How the name of a session that is shown as a file ends. */
  extension: string;
  /** Of a file by its name: may it hold sessions? */
  isExport(name: string): boolean;
  /** Where they lie in it, in its order. */
  places(file: OpenFile): Iterable<{ offset: number; length: number }>;
  /** Of the bytes of one; undefined: it is none. */
  about(text: string): About | undefined;
  /** The export lies in the folder that its sessions are of. */
  inProject?: boolean;
}

export function slicesIn({ root }: Pick<Store, "root">, { extension, places, about }: Export): Slices<About> {
  return slicesOf({ root, extension, slices: (file) => found(file, places(file), about) });
}

function* found(
  file: OpenFile,
  places: Iterable<{ offset: number; length: number }>,
  about: Export["about"],
): Generator<Slice<About>> {
  let number = 0;
  for (const { offset, length } of places) {
    number++;
    const one = about(textOf(file.read(offset, length)));
    if (one) yield { id: one.id ?? String(number), offset, length, about: one };
  }
}

export async function* listExport(
  exported: Export,
  store: Store,
  context: ListContext,
): AsyncGenerator<SessionRef> {
  for (const path of (await unlessUnreadable(context, () => filesOf(exported, store, context))) ?? [])
    for (const ref of (await unlessUnreadable(context, () => refsIn(exported, path, store, context))) ?? []) {
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
  const { source, environment } = context;
  const { join, basename } = pathOf(environment);
  if ((await source.stat(path))?.kind !== "directory")
    return (await slicesIn(store, exported).of(path, source)).map(({ id, path, length, about }) =>
      refOf(exported, { ...about, id, path, size: length }, store, context),
    );
  const refs: SessionRef[] = [];
  for (const { name } of await source.readDir(path)) {
    if (!name.endsWith(exported.extension)) continue;
    const ref = await unlessUnreadable(context, async () => {
      const file = join(path, name);
      const { text, size } = await whole(file, source);
      const about = exported.about(text);
      const id = basename(name, exported.extension);
      return about && refOf(exported, { ...about, id: about.id ?? id, path: file, size }, store, context);
    });
    if (ref) refs.push(ref);
  }
  return refs;
}

async function whole(path: string, source: Source): Promise<{ text: string; size: number }> {
  const file = await source.open(path);
  try {
    return { text: textOf(file.read(0, file.size)), size: file.size };
  } finally {
    file.close();
  }
}

/** Without what an editor or a crash put before and after it. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .replace(/\0+\s*$/, "");
}

function refOf(
  { harness, inProject }: Export,
  { path, ...about }: About & { id: string; path: string; size: number },
  { root }: Store,
  { environment }: ListContext,
): SessionRef {
  const cwd = inProject ? { cwd: root } : {};
  const relative = pathOf(environment).relative(root, path).replaceAll("\\", "/");
  return { harness, path, files: [{ path, relative, role: "transcript" }], ...cwd, ...about, children: [] };
}

/** For `open`: an export is a folder, or the file in it that was pointed at. */
export function openExport(harness: string): Converter["open"] {
  return async (path, source, environment) => {
    const isFile = (await source.stat(path))?.kind === "file";
    const root = isFile ? pathOf(environment).dirname(path) : path;
    return { harness, root, ...(isFile && { focus: path }) };
  };
}

const LONGEST_TITLE = 80;

/** A session that nobody named goes by the first words of its first prompt. */
export function titleOf(
  title: string | undefined,
  prompt: string | undefined,
): Pick<SessionRef, "title" | "titleFrom"> {
  const given = oneLine(title);
  if (given !== "") return { title: given, titleFrom: "agent" };
  const first = oneLine(prompt).slice(0, LONGEST_TITLE).trim();
  return first === "" ? {} : { title: first, titleFrom: "prompt" };
}
