/**
 * Marmot's records → events, one each. A record that is not understood is an event too: nothing is lost unsaid. Marmot
 * gives its records no ids; an event's is the place of its record in the file.
 */
import {
  type Block,
  event,
  lineBatches,
  type Origin,
  piecesOf,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
  startedOf,
} from "@asp-convert/core";
import { asRecord, isRecord, type NativeRecord, type Talk, timeOf } from "../records.js";

export async function* readSession(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  let started = false;
  try {
    for (const batch of lineBatches(file, { signal }))
      for (const line of batch)
        for (const piece of piecesOf(line, isRecord)) {
          const at = ledger.record();
          const origin = [{ record: at, file: 0, offset: piece.offset, length: piece.length }];
          const record = piece.ok ? asRecord(piece.value) : undefined;
          const isHead = !started && record?.kind === "talk";
          if (!started) yield start(ref, isHead ? origin : []);
          started = true;
          if (isHead) continue;
          if (!piece.ok) {
            yield unread("marmot.raw", "raw", piece.why, origin);
          } else if (!record || record.kind === "talk") {
            yield unread("marmot.record", "side-records", "not-supported", origin);
          } else {
            if (piece.invalidText) ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, at);
            yield eventOf(record, { origin, time: timeOf(record), nativeId: `r${at}` });
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

type Rest = { origin: Origin[]; time: string; nativeId: string };

function eventOf(record: Exclude<NativeRecord, Talk>, rest: Rest): SessionEvent {
  switch (record.kind) {
    case "ask":
    case "answer":
    case "think": {
      const { kind, text, by } = record;
      return message(kind === "ask" ? "user" : "assistant", blockOf(kind, text), by, rest);
    }
    case "call": {
      const { call: toolCallId, tool: name, with: input } = record;
      return message("assistant", { type: "tool-call", toolCallId, name, arguments: input }, undefined, rest);
    }
    case "back": {
      const result = [{ type: "text" as const, text: record.text }];
      return event("tool.completed", { toolCallId: record.call, result, isError: !record.ok }, rest);
    }
    case "name":
      return event("session.bound", { title: record.name, titleBy: "user" }, rest);
  }
}

function message(role: "user" | "assistant", block: Block, by: string | undefined, rest: Rest): SessionEvent {
  const model = by === undefined ? {} : { model: by };
  return event("message.completed", { messageId: rest.nativeId, role, blocks: [block], ...model }, rest);
}

function blockOf(kind: "ask" | "answer" | "think", text: string): Block {
  return kind === "think" ? { type: "thinking", text } : { type: "text", text };
}

/** What we do not read: its bytes are in `origin`, and `axis` says what it would have been. */
function unread(type: string, axis: string, reason: string, origin: Origin[]): SessionEvent {
  return event("unknown.observed", { nativeType: type, axis, reason }, { origin });
}
