/** Marmot's sessions, without their bodies. */
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
import { idOf, talksDir } from "../layout.js";
import { asRecord, isRecord, type NativeRecord, timeOf } from "../records.js";

/** One file that cannot be read hides none of the others: `unlessUnreadable` tells of it. */
export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const folder = talksDir(store.root);
  const entries = await unlessUnreadable(context, () => context.source.readDir(folder));
  for (const { name } of entries ?? []) {
    const path = posix.join(folder, name);
    if (!name.endsWith(".jsonl") || (store.focus !== undefined && store.focus !== path)) continue;
    const ref = await unlessUnreadable(context, () => refOf(path, store, context));
    if (ref) yield ref;
  }
}

async function refOf(path: string, store: Store, { source }: ListContext): Promise<SessionRef> {
  const file = await source.open(path);
  try {
    const { first, last, messages, ...found } = skim(file);
    const ofFile = new Date(file.mtimeMs).toISOString();
    return {
      harness: "marmot",
      id: idOf(path),
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
  first?: string;
  last?: string;
  messages: number;
}

function skim(file: OpenFile): Skimmed {
  const found: Skimmed = { messages: 0 };
  for (const batch of lineBatches(file))
    for (const line of batch)
      for (const piece of piecesOf(line, isRecord)) {
        const record = piece.ok ? asRecord(piece.value) : undefined;
        if (record) note(record, found);
      }
  return found;
}

function note(record: NativeRecord, found: Skimmed): void {
  const time = timeOf(record);
  if (found.first === undefined || time < found.first) found.first = time;
  if (found.last === undefined || time > found.last) found.last = time;
  if (record.kind === "talk") {
    found.cwd ??= record.dir;
    found.harnessVersion ??= record.marmot;
  } else if (record.kind === "name") entitle(found, record.name, "user");
  else if (record.kind !== "back") {
    found.messages++;
    if (record.kind === "ask" && found.title === undefined) entitle(found, record.text, "prompt");
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
