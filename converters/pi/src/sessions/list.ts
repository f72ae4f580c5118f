/** The sessions of a store as a list shows them: from the tree of each file and four of its records. */
import {
  type Environment,
  isInside,
  type OpenFile,
  type ParentLink,
  pathOf,
  type ReadContext,
  type SessionRef,
  SourceError,
  type Store,
} from "@asp-convert/core";
import { type Fields, fields, list, name, string } from "@asp-convert/core/values";
import { ownFolder, sessionFolders } from "../folders.js";
import { idInName, isSessionFile, sessionPath } from "../layout.js";
import { modelOf } from "./models.js";
import { subagentOf } from "./provenance.js";
import { type Entry, isoOf, pathTo, recordAt, type Scan, scan, timeOf } from "./scan.js";

export type ListContext = Omit<ReadContext, "ledger">;

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const refs: Writable[] = [];
  for (const path of await sessionFiles(store, context)) {
    context.signal?.throwIfAborted();
    const ref = await refOf(path, store, context);
    if (ref) refs.push(ref);
  }
  yield* inFamilies(refs);
}

type Writable = SessionRef & { children: SessionRef[] };

/** Subagents' sessions inside the one that started them, where that is listed too. */
function inFamilies(refs: readonly Writable[]): Writable[] {
  const byId = new Map(refs.map((ref) => [ref.id, ref]));
  const tops: Writable[] = [];
  for (const ref of refs) {
    const above = ref.parent?.relation === "subagent" ? byId.get(ref.parent.id) : undefined;
    if (above && !isBelow(above, ref, byId)) above.children.push(ref);
    else tops.push(ref);
  }
  return tops;
}

/** Is it the session `top`, or one of its subagents'? */
function isBelow(ref: Writable, top: Writable, byId: ReadonlyMap<string, Writable>): boolean {
  const seen = new Set<Writable>();
  for (let at: Writable | undefined = ref; at && !seen.has(at); ) {
    if (at === top) return true;
    seen.add(at);
    at = at.parent?.relation === "subagent" ? byId.get(at.parent.id) : undefined;
  }
  return false;
}

/** Files that Pi would take for sessions; copies that others keep beside them are none. */
async function sessionFiles(store: Store, context: ListContext): Promise<string[]> {
  const { source, environment } = context;
  const path = pathOf(environment);
  const { focus } = store;
  if (focus !== undefined && (await source.stat(focus))?.kind === "file") return [focus];
  const folders = await sessionFolders(store, context);
  const own = await ownFolder(store, context);
  if (own !== undefined && !folders.includes(own)) folders.push(own);
  if (focus !== undefined && !folders.some((folder) => isInside(folder, focus, environment.platform)))
    folders.push(focus);
  const files = [];
  for (const folder of folders) {
    if (focus !== undefined && !isInside(folder, focus, environment.platform)) continue;
    for (const { name: file, kind } of await source.readDir(folder)) {
      if (kind === "file" && isSessionFile(file)) files.push(path.join(folder, file));
    }
  }
  return files;
}

/** undefined: it is no session. */
async function refOf(path: string, store: Store, context: ListContext): Promise<Writable | undefined> {
  let file: OpenFile;
  try {
    file = await context.source.open(path);
  } catch (error) {
    // It is listed all the same; reading it will say what is wrong.
    if (error instanceof SourceError) return unreadable(path, store, context);
    throw error;
  }
  try {
    return headOf(file, path, store, context);
  } finally {
    file.close();
  }
}

async function unreadable(path: string, store: Store, context: ListContext): Promise<Writable> {
  const info = await context.source.stat(path);
  const time = isoOf(info?.mtimeMs ?? 0);
  return {
    harness: store.harness,
    id: idInName(path) ?? path,
    path,
    files: [
      { path, relative: relativeTo(store, path, undefined, time, context.environment), role: "transcript" },
    ],
    createdAt: time,
    updatedAt: time,
    timesInferred: true,
    size: info?.size ?? 0,
    messages: 0,
    children: [],
  };
}

function headOf(file: OpenFile, path: string, store: Store, context: ListContext): Writable | undefined {
  const found = scan(file, context.signal);
  if (!found.header && !found.entries.some(({ role }) => role !== undefined)) return undefined;
  const meta: Fields = found.header?.meta ?? {};
  const { path: talk } = pathTo(found.entries.at(-1), found);
  const read = (entry: Entry | undefined) => (entry ? recordAt(file, entry) : {});
  const users = talk.filter(({ role }) => role === "user");
  const answers = talk.filter(({ role }) => role === "assistant");
  const model = modelOf(fields(read(answers.at(-1)).message) ?? {});
  const times = talk.flatMap(({ role, time }) => (role === undefined ? [] : (time ?? [])));
  // Version 1 writes its header when the first answer is there.
  const created = earlier(timeOf(meta.timestamp), times[0]);
  const updated = later(created, times.at(-1));
  const cwd = name(meta.cwd);
  const id = name(meta.id) ?? idInName(path) ?? path;
  const parent = parentOf(meta, read(found.entries[0]));
  return {
    harness: store.harness,
    id,
    path,
    files: [
      {
        path,
        relative: relativeTo(store, path, cwd, isoOf(created ?? file.mtimeMs), context.environment),
        role: "transcript",
      },
    ],
    ...titleOf(found, read, users[0]),
    ...(cwd !== undefined && { cwd }),
    createdAt: isoOf(created ?? file.mtimeMs),
    updatedAt: isoOf(updated ?? file.mtimeMs),
    ...(created === undefined && { timesInferred: true }),
    size: file.size,
    messages: users.length + answers.length,
    ...(model !== undefined && { model }),
    ...(parent && { parent }),
    children: [],
  };
}

/** A fork names the file of the session it comes from; a subagent's session says whose it is. */
function parentOf(meta: Fields, first: Fields): ParentLink | undefined {
  const above = subagentOf(first);
  if (above) {
    const { session: id, toolCall } = above;
    return { id, relation: "subagent", ...(toolCall !== undefined && { toolCallId: toolCall }) };
  }
  const file = name(meta.parentSession) ?? name(meta.branchedFrom);
  return file === undefined ? undefined : { id: idInName(file) ?? file, relation: "fork" };
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

/** Where a session lies in the store; one that lies elsewhere is given the place that it would have. */
function relativeTo(
  { root }: Store,
  file: string,
  cwd: string | undefined,
  created: string,
  environment: Environment,
): string {
  const path = pathOf(environment);
  if (isInside(file, root, environment.platform)) return path.relative(root, file).replaceAll("\\", "/");
  return sessionPath(cwd ?? "", created, idInName(file) ?? path.basename(file, ".jsonl"));
}

const TITLE_LENGTH = 120;

/** The last name given; an empty one takes it away. Without one, the first words. */
function titleOf(
  found: Scan,
  read: (entry: Entry | undefined) => Fields,
  firstUser: Entry | undefined,
): Pick<SessionRef, "title" | "titleFrom"> {
  const named = oneLine(string(read(found.entries.findLast(({ type }) => type === "session_info")).name));
  if (named !== "") return { title: named, titleFrom: "user" };
  const { content } = fields(read(firstUser).message) ?? {};
  const parts = typeof content === "string" ? [content] : list(content).map((part) => fields(part)?.text);
  const text = parts.filter((part) => typeof part === "string").join(" ");
  const line = oneLine(text.trim().split("\n", 1)[0]);
  if (line === "") return {};
  return {
    title: line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line,
    titleFrom: "prompt",
  };
}

function oneLine(text = ""): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim();
}
