/** What a list shows of a session that lies in one file. */
import {
  type ListContext,
  pathOf,
  type SessionRef,
  type Source,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { oneLine } from "@asp-convert/core/values";

export type About = Pick<
  SessionRef,
  | "title"
  | "titleFrom"
  | "cwd"
  | "git"
  | "createdAt"
  | "updatedAt"
  | "timesInferred"
  | "messages"
  | "model"
  | "harnessVersion"
  | "archived"
> & { id?: string | undefined };

/** Sessions that are a file each. @param about of its text, and its path; undefined: it is none. */
export async function* listFiles(
  harness: string,
  files: (store: Store, context: ListContext) => Promise<readonly string[]>,
  about: (text: string, path: string) => About | undefined,
  store: Store,
  context: ListContext,
): AsyncGenerator<SessionRef> {
  const { source, environment, signal } = context;
  const { basename, extname } = pathOf(environment);
  const paths = async () => (store.focus === undefined ? files(store, context) : [store.focus]);
  for (const path of (await unlessUnreadable(context, paths)) ?? []) {
    signal?.throwIfAborted();
    const ref = await unlessUnreadable(context, async () => {
      const { text, size } = await wholeText(path, source);
      const found = about(text, path);
      const id = found?.id ?? basename(path, extname(path));
      return found && refOf({ harness }, { ...found, id, path, size }, store, context);
    });
    if (ref) yield ref;
  }
}

export function refOf(
  { harness, cwd }: { harness: string; cwd?: string | undefined },
  { path, ...about }: About & { id: string; path: string; size: number },
  { root }: Store,
  { environment }: ListContext,
): SessionRef {
  const relative = pathOf(environment).relative(root, path).replaceAll("\\", "/");
  const files = [{ path, relative, role: "transcript" as const }];
  // A number, a day: another store has the same.
  const own = UUID.test(about.id) ? {} : { store: root };
  return { harness, path, files, ...own, ...(cwd !== undefined && { cwd }), ...about, children: [] };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

export async function wholeText(path: string, source: Source): Promise<{ text: string; size: number }> {
  const file = await source.open(path);
  try {
    return { text: textOf(file.read(0, file.size)), size: file.size };
  } finally {
    file.close();
  }
}

/** Without what an editor or a crash put before and after it. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .replace(/\0+\s*$/, "");
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
