/** Sessions without their texts: from the database first, then what only the old JSON tree has. */
import {
  type Database,
  type EvidenceFile,
  type ListContext,
  pathOf,
  type SessionRef,
  SourceError,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { isoOf, parsed } from "../json.js";
import { rowsPath, TREE } from "../layout.js";
import { isDefaultTitle } from "../native.js";
import type { Program } from "../program.js";
import {
  callsOfChildren,
  firstPrompt,
  isFamilyDatabase,
  lacksLog,
  messagesBefore,
  type Stats,
  sessionRows,
  statsOf,
} from "../rows/database.js";
import { lineOf, type Row } from "../rows/line.js";
import { jsonNames, recordsOf, treeFiles } from "../rows/records.js";
import { holdingsOf } from "../store.js";
import { modelText, type SessionInfo, sessionInfo } from "./info.js";

/** By session and child: the call that made it. */
type Calls = (parent: string) => ReadonlyMap<string, string>;

export async function* listSessions(
  program: Program,
  store: Store,
  context: ListContext,
): AsyncGenerator<SessionRef> {
  const { source, environment } = context;
  const { focus, root } = store;
  if (focus !== undefined && (await source.stat(focus))?.kind === "file" && /\.jsonl?$/.test(focus)) {
    const [tree] = relativeTo(store, focus, context).split("/");
    if (tree === TREE)
      yield* (await treeRefs(program, store, new Set(), context)).filter(({ path }) => path === focus);
    else yield* nested([await fileRef(program, store, focus, context)], () => new Map());
    return;
  }
  const holdings = await unlessUnreadable(context, () => holdingsOf(program, root, source, environment));
  if (!holdings) return;
  const known = new Set<string>();
  for (const database of holdings.databases) {
    if (focus !== undefined && focus !== database) continue;
    const refs = await unlessUnreadable(context, () => databaseRefs(program, store, database, context));
    for (const ref of refs ?? []) {
      known.add(ref.id);
      yield ref;
    }
  }
  for (const folder of holdings.folders) {
    const path = pathOf(environment);
    const refs: SessionRef[] = [];
    const entries = await unlessUnreadable(context, () => source.readDir(folder));
    for (const { name } of entries ?? []) {
      if (!name.endsWith(".jsonl")) continue;
      const at = path.join(folder, name);
      const ref = await unlessUnreadable(context, () => fileRef(program, store, at, context));
      if (ref) refs.push(ref);
    }
    for (const ref of nested(refs, () => new Map())) {
      known.add(ref.id);
      yield ref;
    }
  }
  // What was moved into the database lies in the tree still: the database goes on, the tree does not.
  if (holdings.tree) yield* nested(await treeRefs(program, store, known, context), () => new Map());
}

async function databaseRefs(
  program: Program,
  _store: Store,
  path: string,
  { source, environment, signal }: ListContext,
): Promise<SessionRef[]> {
  const database = await source.openDatabase(path);
  try {
    if (!isFamilyDatabase(database)) {
      if (lacksLog(database)) throw new SourceError(path, "missing", LOG_MISSING(path));
      return [];
    }
    const stats = statsOf(database);
    const refs: SessionRef[] = [];
    for (const row of sessionRows(database)) {
      signal?.throwIfAborted();
      const line = lineOf("session", row);
      const info = sessionInfo({ table: "session", columns: parsed(line) as Row["columns"] });
      const known = stats.get(info.id);
      const file = rowsPath(path, info.id, environment);
      const relative = `${pathOf(environment).basename(path)}/${pathOf(environment).basename(file)}`;
      refs.push(
        refOf(program, info, [{ path: file, relative, role: "transcript" }], {
          size: Buffer.byteLength(line) + (known?.size ?? 0),
          messages: activeMessages(database, info, known),
          prompt: () => firstPrompt(database, info.id),
        }),
      );
    }
    return nested(refs, (parent) => callsOfChildren(database, parent));
  } finally {
    database.close();
  }
}

/** The program leaves all that is new in the log, for days: a copy of the database alone is an empty one. */
const LOG_MISSING = (path: string) =>
  `is empty, and its log is not beside it: what was said stands in ${path.replace(/^.*[/\\]/, "")}-wal. Copy both files`;

/** Without what an undo took back. */
function activeMessages(database: Database, { id, revert }: SessionInfo, stats: Stats | undefined): number {
  const all = stats?.messages ?? 0;
  return (revert && messagesBefore(database, id, revert.message)) ?? all;
}

function relativeTo({ root }: Store, path: string, { environment }: ListContext): string {
  return pathOf(environment).relative(root, path).replaceAll("\\", "/");
}

/** A session in a file of its own: an export, or rows as they are in a bundle. */
async function fileRef(
  program: Program,
  store: Store,
  path: string,
  context: ListContext,
): Promise<SessionRef> {
  const { source, environment } = context;
  const relative = relativeTo(store, path, context);
  const files: EvidenceFile[] = [{ path, relative, role: "transcript" }];
  const size = (await source.stat(path))?.size ?? 0;
  const bare: SessionRef = { harness: program.id, id: "", path, files, size, children: [] };
  let info: SessionInfo | undefined;
  let messages = 0;
  let prompt: string | undefined;
  for await (const { row } of recordsOf(bare, context)) {
    if (row?.table === "session") info ??= sessionInfo(row);
    if (row?.table === "message") messages++;
    if (row?.table === "part" && row.data?.type === "text" && !row.data.synthetic && !row.data.ignored)
      prompt ??= String(row.data.text ?? "");
  }
  const id = pathOf(environment)
    .basename(path)
    .replace(/\.jsonl?$/, "");
  return refOf(program, info ?? { id: decoded(id), rest: {} }, files, {
    size,
    messages,
    prompt: () => prompt,
  });
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function treeRefs(
  program: Program,
  store: Store,
  known: ReadonlySet<string>,
  context: ListContext,
): Promise<SessionRef[]> {
  const { source, environment } = context;
  const path = pathOf(environment);
  const sessions = path.join(store.root, "storage", "session");
  const refs: SessionRef[] = [];
  const projects = await unlessUnreadable(context, () => source.readDir(sessions));
  for (const { name: project } of projects ?? []) {
    const folder = path.join(sessions, project);
    const names = await unlessUnreadable(context, () => jsonNames(source, folder));
    for (const name of names ?? []) {
      const id = name.slice(0, -".json".length);
      if (known.has(id)) continue;
      const ref = await unlessUnreadable(context, () => treeRef(program, store, project, id, context));
      if (ref) refs.push(ref);
    }
  }
  return refs;
}

async function treeRef(
  program: Program,
  { root }: Store,
  project: string,
  id: string,
  { source, environment }: ListContext,
): Promise<SessionRef> {
  const path = pathOf(environment);
  const at = path.join(root, "storage", "session", project, `${id}.json`);
  const bytes = await source.readFile(at);
  if (!bytes) throw new SourceError(at, "missing", "is a link that leads nowhere");
  const data = parsed(Buffer.from(bytes).toString("utf8")) as Row["data"];
  const { files, size, messages } = await treeFiles(source, path.join, root, project, id);
  const info = sessionInfo({ table: "session", columns: {}, data: { ...data, id } });
  return refOf(program, info, files, { size, messages, prompt: () => undefined });
}

interface Found {
  size: number;
  messages: number;
  /** Asked only where there is no title. */
  prompt: () => string | undefined;
}

function refOf(
  program: Program,
  info: SessionInfo,
  files: readonly EvidenceFile[],
  found: Found,
): SessionRef {
  const createdAt = isoOf(info.created);
  const updatedAt = isoOf(Math.max(info.updated ?? 0, info.created ?? 0));
  const named = info.title !== undefined && !isDefaultTitle(info.title) ? oneLine(info.title) : "";
  const title = named || oneLine(found.prompt() ?? "");
  const git = info.asp?.git;
  return {
    harness: program.id,
    id: info.id,
    path: files[0]?.path ?? "",
    files,
    // The program does not say who gave a title; mostly it did so itself.
    ...(title !== "" && { title, titleFrom: named === "" ? "prompt" : "agent" }),
    ...(info.directory !== undefined && { cwd: info.directory }),
    ...(isGit(git) && { git }),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...((createdAt === undefined || updatedAt === undefined) && { timesInferred: true }),
    size: found.size,
    messages: found.messages,
    ...(info.model && { model: modelText(info.model) }),
    ...(info.version !== undefined && { harnessVersion: info.version }),
    ...(info.archived !== undefined && { archived: true }),
    ...(info.parent !== undefined && {
      // What was said before another program's compaction stands below the session; nobody started it.
      parent: { id: info.parent, relation: info.asp?.before === undefined ? "subagent" : "fork" },
    }),
    children: [],
  };
}

function isGit(value: unknown): value is NonNullable<SessionRef["git"]> {
  return typeof value === "object" && value !== null;
}

const TITLE = 120;

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > TITLE ? `${line.slice(0, TITLE - 1).trimEnd()}…`.toWellFormed() : line;
}

/** Children into their parents; one whose parent is not there stands by itself. */
function nested(refs: readonly SessionRef[], calls: Calls): SessionRef[] {
  const byId = new Map(refs.map((ref) => [ref.id, ref]));
  const children = new Map<string, SessionRef[]>();
  const tops: SessionRef[] = [];
  for (const ref of refs) {
    const parent = ref.parent?.relation === "subagent" ? ref.parent.id : undefined;
    if (parent === undefined || !byId.has(parent) || isOwnAncestor(ref, byId)) tops.push(ref);
    else children.set(parent, [...(children.get(parent) ?? []), ref]);
  }
  const grow = (ref: SessionRef): SessionRef => {
    const own = children.get(ref.id);
    if (!own) return ref;
    const made = calls(ref.id);
    return {
      ...ref,
      children: own.map((child) => {
        const toolCallId = made.get(child.id);
        return grow({
          ...child,
          parent: { id: ref.id, relation: "subagent", ...(toolCallId !== undefined && { toolCallId }) },
        });
      }),
    };
  };
  return tops.map(grow);
}

/** Parents that go in a circle: nobody in it would be listed. */
function isOwnAncestor(ref: SessionRef, byId: ReadonlyMap<string, SessionRef>): boolean {
  const seen = new Set<string>();
  for (
    let at: SessionRef | undefined = ref;
    at?.parent?.relation === "subagent";
    at = byId.get(at.parent.id)
  ) {
    if (seen.has(at.id)) return true;
    seen.add(at.id);
  }
  return false;
}
