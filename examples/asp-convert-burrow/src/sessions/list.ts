/** Burrow's sessions: of its database, or, in a bundle, of the files that their rows were kept as. */
import { posix } from "node:path";
import {
  type ListContext,
  lineBatches,
  type OpenFile,
  piecesOf,
  type SessionRef,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { databaseIn, rowsPath } from "../layout.js";
import { asRecord, type NativeRecord } from "../records.js";
import { isRow, viewOf } from "../rows.js";

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  for (const path of (await unlessUnreadable(context, () => pathsIn(store, context))) ?? []) {
    if (store.focus !== undefined && store.focus !== path) continue;
    const ref = await unlessUnreadable(context, () => refOf(path, store, context));
    if (ref) yield ref;
  }
}

async function pathsIn({ root }: Store, { source }: ListContext): Promise<string[]> {
  const at = databaseIn(root);
  if ((await source.stat(at))?.kind !== "file")
    return (await source.readDir(at)).map(({ name }) => posix.join(at, name));
  const database = await source.openDatabase(at);
  try {
    if (database.columns("session").length === 0) return [];
    return database.all("SELECT id FROM session ORDER BY id").map(({ id }) => rowsPath(root, String(id)));
  } finally {
    database.close();
  }
}

async function refOf(path: string, store: Store, { source }: ListContext): Promise<SessionRef | undefined> {
  const file = await viewOf(store, source).open(path);
  try {
    const { id, first, last, messages, ...found } = skim(file);
    if (id === undefined) return undefined;
    const ofFile = new Date(file.mtimeMs).toISOString();
    return {
      harness: "burrow",
      id,
      path,
      files: [{ path, relative: posix.relative(store.root, path), role: "transcript" }],
      ...found,
      createdAt: first ?? ofFile,
      updatedAt: last ?? ofFile,
      ...(first === undefined && { timesInferred: true }),
      size: file.size,
      messages,
      children: [],
    };
  } finally {
    file.close();
  }
}

interface Skimmed extends Pick<SessionRef, "title" | "titleFrom" | "cwd" | "harnessVersion"> {
  id?: string;
  first?: string;
  last?: string;
  messages: number;
}

function skim(file: OpenFile): Skimmed {
  const found: Skimmed = { messages: 0 };
  for (const batch of lineBatches(file))
    for (const line of batch)
      for (const piece of piecesOf(line, isRow)) {
        const record = piece.ok ? asRecord(piece.value) : undefined;
        if (record) note(record, found);
      }
  return found;
}

function note(record: NativeRecord, found: Skimmed): void {
  const time = record.table === "session" ? record.created : record.at;
  if (found.first === undefined || time < found.first) found.first = time;
  if (found.last === undefined || time > found.last) found.last = time;
  if (record.table === "session") {
    found.id ??= record.id;
    found.cwd ??= record.cwd;
    found.harnessVersion ??= record.version;
    if (record.title !== undefined) entitle(found, record.title, "user");
  } else if (record.kind !== "result") {
    found.messages++;
    const text = record.data.parts.find((part) => "text" in part)?.text;
    if (record.kind === "user" && found.title === undefined && text !== undefined)
      entitle(found, text, "prompt");
  }
}

/** A list shows one line without control characters. */
function entitle(found: Skimmed, text: string, from: "user" | "prompt"): void {
  const line = text
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 80);
  if (line === "") return;
  found.title = line;
  found.titleFrom = from;
}
