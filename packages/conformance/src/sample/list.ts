/** Sample's sessions, from the first and the last lines of their files. */
import { posix } from "node:path";
import {
  type ListContext,
  lineBatches,
  type OpenFile,
  type ParentLink,
  piecesOf,
  type SessionRef,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { sessionsDir } from "./layout.js";
import type { Head, SampleRecord } from "./records.js";
import { asRecord, timeOf } from "./shape.js";

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const folder = sessionsDir(store.root);
  for (const path of await transcriptsIn(folder, context)) {
    if (store.focus !== undefined && store.focus !== path) continue;
    const ref = await unlessUnreadable(context, () => refOf(path, store, context));
    if (ref) yield ref;
  }
}

async function transcriptsIn(folder: string, context: ListContext): Promise<string[]> {
  const entries = await unlessUnreadable(context, () => context.source.readDir(folder));
  return (entries ?? []).flatMap(({ name }) => (name.endsWith(".jsonl") ? posix.join(folder, name) : []));
}

async function refOf(
  path: string,
  store: Store,
  context: ListContext,
  parent?: ParentLink,
): Promise<SessionRef> {
  const id = posix.basename(path, ".jsonl");
  const file = await context.source.open(path);
  try {
    const { head, first, last, name, messages } = skim(file);
    const children: SessionRef[] = [];
    if (!parent) {
      const folder = posix.join(posix.dirname(path), id);
      for (const at of await transcriptsIn(folder, context)) {
        const child = await unlessUnreadable(context, () =>
          refOf(at, store, context, { id, relation: "subagent" }),
        );
        if (child) children.push(child);
      }
    }
    const link = head?.parent ?? parent;
    const inferred = first === undefined ? new Date(file.mtimeMs).toISOString() : undefined;
    return {
      harness: "sample",
      id,
      path,
      files: [{ path, relative: posix.relative(store.root, path), role: "transcript" }],
      ...(name === undefined ? {} : name),
      ...(head?.dir === undefined ? {} : { cwd: head.dir }),
      ...(head?.git ? { git: head.git } : {}),
      ...(head?.model === undefined ? {} : { model: head.model }),
      ...(head?.version === undefined ? {} : { harnessVersion: head.version }),
      createdAt: first ?? inferred ?? "",
      updatedAt: last ?? inferred ?? "",
      ...(inferred === undefined ? {} : { timesInferred: true }),
      size: file.size,
      messages,
      ...(link ? { parent: link } : {}),
      children,
    };
  } finally {
    file.close();
  }
}

interface Skimmed {
  head?: Head;
  first?: string;
  last?: string;
  name?: Pick<SessionRef, "title" | "titleFrom">;
  messages: number;
}

/** Sample's files are small: it reads them through. Real harnesses need more care here. */
function skim(file: OpenFile): Skimmed {
  const found: Skimmed = { messages: 0 };
  for (const batch of lineBatches(file)) {
    for (const line of batch) {
      for (const piece of piecesOf(line)) {
        const record = piece.ok ? asRecord(piece.value) : undefined;
        if (record) note(record, found);
      }
    }
  }
  return found;
}

function note(record: SampleRecord, found: Skimmed): void {
  const time = timeOf(record);
  if (time !== undefined) {
    if (found.first === undefined || time < found.first) found.first = time;
    if (found.last === undefined || time > found.last) found.last = time;
  }
  if (record.kind === "head" && !found.head) {
    found.head = record;
    if (record.name !== undefined) found.name = { title: record.name, titleFrom: "user" };
  }
  if (record.kind === "name") found.name = { title: record.name, titleFrom: record.by ?? "user" };
  if (record.kind === "said" && !record.why && (record.by === "user" || record.by === "assistant")) {
    found.messages++;
    const text = record.parts.find((part) => part.type === "text");
    if (!found.name && record.by === "user" && text) {
      const title = text.text.split("\n", 1)[0]?.slice(0, 80).trim();
      if (title) found.name = { title, titleFrom: "prompt" };
    }
  }
}
