/**
 * Burrow's records → events. Each record calls `ledger.record()` and is named in an event's `origin`, also one that is
 * not understood: so nothing is lost unsaid. Files of any size pass through; nothing is gathered.
 */
import {
  event,
  lineBatches,
  type Origin,
  piecesOf,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
  startedOf,
} from "@asp-convert/core";
import { asRecord, type Entry, type Message, type Part } from "../records.js";
import { isRow } from "../rows.js";

export async function* readSession(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  let started = false;
  let time = ref.createdAt;
  const ids = new Set<string>();
  try {
    for (const batch of lineBatches(file, { signal }))
      for (const line of batch)
        for (const piece of piecesOf(line, isRow)) {
          const origin = [{ record: ledger.record(), file: 0, offset: piece.offset, length: piece.length }];
          const record = piece.ok ? asRecord(piece.value) : undefined;
          const isHead = !started && record?.table === "session";
          if (!started) yield start(ref, isHead ? origin : []);
          started = true;
          if (isHead) continue;
          if (!piece.ok) {
            yield unread("burrow.raw", "raw", piece.why, origin);
          } else if (!record || record.table === "session") {
            yield unread(nativeType(piece.value), "side-records", "not-supported", origin);
          } else {
            if (piece.invalidText)
              ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, origin[0]?.record);
            time = record.at;
            yield distinct(eventOf(record, { origin, time }), ids);
          }
        }
  } finally {
    file.close();
  }
  if (!started) yield start(ref, []);
}

function start(ref: SessionRef, origin: Origin[]): SessionEvent {
  const time = ref.createdAt === undefined ? {} : { time: ref.createdAt };
  return event("session.started", startedOf(ref), { nativeId: ref.id, ...time, origin });
}

type Rest = { origin: Origin[]; time: string };

function eventOf(record: Entry, rest: Rest): SessionEvent {
  switch (record.kind) {
    case "user":
    case "assistant":
      return message(record, rest);
    case "result": {
      const result = [{ type: "text" as const, text: record.data.text }];
      const payload = { toolCallId: record.data.call, result, isError: record.data.failed };
      return event("tool.completed", payload, { ...rest, nativeId: record.data.call });
    }
  }
}

function message({ kind, data: { id, parts, model } }: Message, rest: Rest): SessionEvent {
  const blocks = parts.map(blockOf);
  const by = model === undefined ? {} : { model };
  return event("message.completed", { messageId: id, role: kind, blocks, ...by }, { ...rest, nativeId: id });
}

function blockOf(part: Part) {
  if ("text" in part) return { type: "text" as const, text: part.text };
  const { id: toolCallId, name, input } = part.tool;
  return { type: "tool-call" as const, toolCallId, name, arguments: input };
}

/** What we do not read: its bytes are in `origin`, and `axis` says what it would have been. */
function unread(type: string, axis: string, reason: string, origin: Origin[]): SessionEvent {
  return event("unknown.observed", { nativeType: type, axis, reason }, { origin });
}

function nativeType(value: unknown): string {
  return typeof value === "object" && value !== null && "kind" in value
    ? `burrow.${value.kind}`
    : "burrow.value";
}

/** Events are told apart by type and id: an id that comes again gets its place in the file. */
function distinct(made: SessionEvent, ids: Set<string>): SessionEvent {
  const own = `${made.type} ${made.nativeId}`;
  if (made.nativeId === undefined || !ids.has(own)) {
    ids.add(own);
    return made;
  }
  return { ...made, nativeId: `${made.nativeId} at ${made.origin[0]?.offset}` };
}
