/** The sessions of a store as a list shows them: from the tree of each file and four of its records. */
import {
  type Environment,
  isInside,
  pathOf,
  type ReadContext,
  type SessionRef,
  type Store,
} from "@asp-convert/core";
import { type Fields, fields, isoTime, list, name, string } from "@asp-convert/core/values";
import { isProjectFolder, SESSIONS } from "../layout.js";
import { type Entry, pathTo, recordAt, type Scan, scan } from "./scan.js";

type ListContext = Omit<ReadContext, "ledger">;

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  for (const path of await sessionFiles(store, context)) {
    context.signal?.throwIfAborted();
    const ref = await refOf(path, store, context);
    if (ref) yield ref;
  }
}

/** Files that Pi would take for sessions; copies that others keep beside them are none. */
async function sessionFiles(store: Store, { source, environment }: ListContext): Promise<string[]> {
  const path = pathOf(environment);
  const { focus } = store;
  if (focus !== undefined && (await source.stat(focus))?.kind === "file") return [focus];
  const top = path.join(store.root, SESSIONS);
  const folders = [];
  for (const { name: folder, kind } of await source.readDir(top)) {
    if (kind !== "file" && isProjectFolder(folder)) folders.push(path.join(top, folder));
  }
  // A session folder of its own (`--session-dir`) is flat.
  if (focus !== undefined && !isInside(focus, top, environment.platform)) folders.push(focus);
  const files = [];
  for (const folder of folders) {
    if (focus !== undefined && !isInside(folder, focus, environment.platform)) continue;
    for (const { name: file, kind } of await source.readDir(folder)) {
      if (kind === "file" && isSessionFile(file)) files.push(path.join(folder, file));
    }
  }
  return files;
}

export function isSessionFile(file: string): boolean {
  return file.endsWith(".jsonl") && !/\.(checkpoint|deleted|lock)\./.test(file);
}

/** The id that Pi puts at the end of a file's name. */
export function idInName(path: string): string | undefined {
  return /_([^_/\\]+)\.jsonl$/.exec(path)?.[1];
}

async function refOf(path: string, store: Store, context: ListContext): Promise<SessionRef | undefined> {
  const file = await context.source.open(path);
  try {
    const found = scan(file, context.signal);
    if (!found.header && found.entries.length === 0) return undefined;
    const meta: Fields = found.header?.meta ?? {};
    const { path: talk } = pathTo(found.entries.at(-1), found.byId);
    const read = (entry: Entry | undefined) => (entry ? recordAt(file, entry) : {});
    const users = talk.filter(({ role }) => role === "user");
    const answers = talk.filter(({ role }) => role === "assistant");
    const model = name(fields(read(answers.at(-1)).message)?.model);
    const created = isoTime(meta.timestamp) ?? isoTime(found.entries[0]?.time);
    const updated = isoTime(talk.findLast(({ role }) => role !== undefined)?.time) ?? created;
    const fileTime = new Date(file.mtimeMs).toISOString();
    const cwd = name(meta.cwd);
    const parent = name(meta.parentSession) ?? name(meta.branchedFrom);
    return {
      harness: "pi",
      id: name(meta.id) ?? idInName(path) ?? path,
      path,
      files: [{ path, relative: relativeTo(store.root, path, context.environment), role: "transcript" }],
      ...titleOf(found, (entry) => read(entry), users[0]),
      ...(cwd !== undefined && { cwd }),
      createdAt: created ?? fileTime,
      updatedAt: updated ?? fileTime,
      ...((created === undefined || updated === undefined) && { timesInferred: true }),
      size: file.size,
      messages: users.length + answers.length,
      ...(model !== undefined && { model }),
      ...(parent !== undefined && { parent: { id: idInName(parent) ?? parent, relation: "fork" as const } }),
      children: [],
    };
  } finally {
    file.close();
  }
}

function relativeTo(root: string, path: string, environment: Environment): string {
  return pathOf(environment).relative(root, path).replaceAll("\\", "/");
}

const TITLE_LENGTH = 120;

/** The last name given; an empty one takes it away. Without one, the first words. */
function titleOf(
  found: Scan,
  read: (entry: Entry | undefined) => Fields,
  firstUser: Entry | undefined,
): Pick<SessionRef, "title" | "titleFrom"> {
  const named = string(read(found.entries.findLast(({ type }) => type === "session_info")).name);
  if (named) return { title: named, titleFrom: "user" };
  const { content } = fields(read(firstUser).message) ?? {};
  const text =
    typeof content === "string"
      ? content
      : list(content)
          .map((part) => string(fields(part)?.text) ?? "")
          .join(" ");
  const line = text.trim().split("\n", 1)[0] ?? "";
  if (line === "") return {};
  return {
    title: line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line,
    titleFrom: "prompt",
  };
}
