/** Sample's records → events. */
import {
  event,
  lineBatches,
  type Origin,
  piecesOf,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
} from "@asp-convert/core";
import type { Result, Said, SampleRecord } from "./records.js";
import { asRecord, timeOf } from "./shape.js";

/** Side records that the program writes for itself. */
const SIDE_KINDS: ReadonlySet<unknown> = new Set(["hook", "mark"]);

export async function* readSession(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  const given = new Set<string>();
  let started = false;
  let last = ref.createdAt;
  try {
    for (const batch of lineBatches(file, { signal })) {
      for (const line of batch) {
        for (const piece of piecesOf(line)) {
          const origin = [{ record: ledger.record(), file: 0, offset: piece.offset, length: piece.length }];
          const record = piece.ok ? asRecord(piece.value) : undefined;
          if (!started) {
            started = true;
            const head = record?.kind === "head" ? record : undefined;
            yield start(ref, head, head ? origin : []);
            if (head) continue;
          }
          if (!piece.ok) {
            const reason = piece.why;
            yield event("unknown.observed", { nativeType: "sample.raw", axis: "raw", reason }, { origin });
            continue;
          }
          if (!record || record.kind === "head") {
            yield unread(piece.value, origin);
            continue;
          }
          if (piece.invalidText)
            ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, origin[0]?.record);
          const time = timeOf(record);
          last = time ?? last;
          yield distinct(eventOf(record, origin, time ?? last, time === undefined), given);
        }
      }
    }
  } finally {
    file.close();
  }
  if (!started) yield start(ref, undefined, []);
}

/** An id that occurs twice stays one of each: events are told apart by type and id. */
function distinct(event: SessionEvent, given: Set<string>): SessionEvent {
  if (event.nativeId === undefined) return event;
  const own = `${event.type} ${event.nativeId}`;
  if (!given.has(own)) {
    given.add(own);
    return event;
  }
  return { ...event, nativeId: `${event.nativeId} at ${event.origin[0]?.offset}` };
}

function start(
  ref: SessionRef,
  head: (SampleRecord & { kind: "head" }) | undefined,
  origin: Origin[],
): SessionEvent {
  const { name: title, dir: cwd, git, model, version: harnessVersion } = head ?? {};
  const at = head && timeOf(head);
  return event(
    "session.started",
    {
      nativeSessionId: ref.id,
      ...(title === undefined ? {} : { title }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(git ? { git } : {}),
      ...(model === undefined ? {} : { model }),
      ...(harnessVersion === undefined ? {} : { harnessVersion }),
    },
    { nativeId: ref.id, ...(at === undefined ? {} : { time: at }), origin },
  );
}

function unread(value: unknown, origin: Origin[]): SessionEvent {
  const kind = typeof value === "object" && value !== null && "kind" in value ? String(value.kind) : "value";
  const reason = SIDE_KINDS.has(kind) ? "no-counterpart" : "not-supported";
  return event(
    "unknown.observed",
    { nativeType: `sample.${kind}`, axis: "side-records", reason },
    { origin },
  );
}

function eventOf(
  record: Exclude<SampleRecord, { kind: "head" }>,
  origin: Origin[],
  time: string | undefined,
  inferred: boolean,
): SessionEvent {
  const rest = {
    origin,
    ...(time === undefined ? {} : { time }),
    ...(time !== undefined && inferred ? { timeInferred: true } : {}),
  };
  switch (record.kind) {
    case "said":
      return said(record, rest);
    case "result":
      return result(record, rest);
    case "name":
      return event(
        "session.bound",
        { title: record.name, ...(record.by ? { titleBy: record.by } : {}) },
        rest,
      );
    case "set":
      return event("capabilities.changed", { settings: record.values }, rest);
    case "todo":
      return event("task.updated", { plan: record.items }, rest);
    case "back":
      return event("status.changed", { status: "rewound", turns: record.turns }, rest);
    case "turn": {
      const { id: turnId, ends: status, error, usage } = record;
      if (!status) return event("turn.started", { turnId }, { ...rest, nativeId: turnId });
      const more = { ...(error === undefined ? {} : { error }), ...(usage ? { usage } : {}) };
      return event("turn.completed", { turnId, status, ...more }, { ...rest, nativeId: turnId });
    }
    case "cut": {
      const context = record.keep?.map((kept) =>
        kept.kind === "said" ? said(kept, { origin: [] }) : result(kept, { origin: [] }),
      );
      const more = { ...(record.by ? { trigger: record.by } : {}), ...(context ? { context } : {}) };
      return event("status.changed", { status: "compacted", ...more }, rest);
    }
  }
}

type Rest = { origin: Origin[]; time?: string; timeInferred?: boolean };

function said(record: Said, rest: Rest): SessionEvent {
  const {
    id: messageId,
    by: role,
    parts: blocks,
    model,
    usage,
    stop,
    as,
    why,
    for: audience,
    shown,
  } = record;
  const at = timeOf(record);
  return event(
    "message.completed",
    {
      messageId,
      role,
      blocks,
      ...(model === undefined ? {} : { model }),
      ...(usage ? { usage } : {}),
      ...(stop === undefined ? {} : { stopReason: stop }),
      ...(as ? { kind: as } : {}),
      ...(why ? { injected: why } : {}),
      ...(audience ? { audience } : {}),
      ...(shown === undefined ? {} : { display: shown }),
    },
    { ...(at === undefined ? {} : { time: at }), ...rest, nativeId: messageId },
  );
}

function result(record: Result, rest: Rest): SessionEvent {
  const { call: toolCallId, parts, failed: isError, madeUp } = record;
  const at = timeOf(record);
  return event(
    "tool.completed",
    { toolCallId, result: parts, isError, ...(madeUp ? { synthetic: true } : {}) },
    { ...(at === undefined ? {} : { time: at }), ...rest, nativeId: toolCallId },
  );
}
