/** One session as events, in the order of the file: that is what the model is sent, whatever the ids of parents say. */
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
import { type Fields, fields, isoTime, name, parsed, string } from "@asp-convert/core/values";
import { isReminder, type Message, messageOf } from "../records.js";
import { blockOf, resultOf } from "./blocks.js";
import { ownOf } from "./own.js";

export async function* readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const { source, ledger, signal } = context;
  const file = await source.open(ref.path);
  const reader = new Reader(ref);
  try {
    for (const batch of lineBatches(file, { signal }))
      for (const line of batch)
        for (const piece of piecesOf(line)) {
          const { offset, length } = piece;
          const origin = [{ record: ledger.record(), file: 0, offset, length }];
          if (!piece.ok) yield* reader.raw(piece.why, origin);
          else {
            if (piece.invalidText)
              ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, origin[0]?.record);
            yield* reader.record(fields(piece.value) ?? {}, origin);
          }
        }
  } finally {
    file.close();
  }
  yield* reader.begun();
  yield* companions(ref, context);
}

type Origins = readonly Origin[];

class Reader {
  readonly #ref: SessionRef;
  readonly #ids = new Set<string>();
  /** Calls of its own tool that edits files. */
  readonly #edits = new Set<string>();
  #isStarted = false;
  #isHeaded = false;

  constructor(ref: SessionRef) {
    this.#ref = ref;
  }

  /** A file without a head has one all the same. */
  *begun(origin: Origins = []): Generator<SessionEvent> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { createdAt, timesInferred } = this.#ref;
    yield event("session.started", startedOf(this.#ref), {
      nativeId: this.#ref.id,
      ...(createdAt !== undefined && { time: createdAt }),
      ...(createdAt !== undefined && timesInferred && { timeInferred: true }),
      origin,
    });
  }

  *raw(reason: string, origin: Origins): Generator<SessionEvent> {
    yield* this.begun();
    yield event("unknown.observed", { nativeType: "raw", axis: "raw", reason }, { origin });
  }

  *record(record: Fields, origin: Origins): Generator<SessionEvent> {
    if (record.type === "session_start" && !this.#isHeaded && !this.#isStarted) {
      this.#isHeaded = true;
      yield* this.begun(origin);
      return;
    }
    yield* this.begun();
    const time = isoTime(record.timestamp);
    const at = time === undefined ? {} : { time };
    const message = messageOf(record);
    if (message) yield* this.#message(message, record, origin, at);
    else if (record.type === "agent_turn_outcome") yield this.#outcome(record, origin);
    else if (record.type === "compaction_state") yield this.#compaction(record, origin, at);
    else {
      const axis = record.type === "todo_state" ? "plans" : "side-records";
      const nativeType = `droid.${string(record.type) ?? "record"}`;
      yield event("unknown.observed", { nativeType, axis, reason: "no-counterpart" }, { origin });
    }
  }

  *#message(
    message: Message,
    record: Fields,
    origin: Origins,
    at: { time?: string },
  ): Generator<SessionEvent> {
    const { content, role, model, visibility, id } = message;
    const own = ownOf(record);
    const context: Block[] = [];
    const blocks: Block[] = [];
    let isTold = false;
    for (const part of content) {
      const call = name(part.tool_use_id);
      if (part.type === "tool_result" && call !== undefined) {
        const edited = this.#edits.has(call) ? editIn(part.content) : undefined;
        const payload = {
          toolCallId: call,
          result: edited ? [{ type: "text" as const, text: edited.text }] : resultOf(part),
          isError: part.is_error === true,
          ...(edited && { detail: edited.detail }),
        };
        yield event("tool.completed", payload, {
          nativeId: this.#distinct("result", call, origin),
          ...at,
          origin,
        });
        isTold = true;
        continue;
      }
      const block = blockOf(part);
      if (!block) {
        const nativeType = `droid.${string(part.type) ?? "part"}`;
        yield event(
          "unknown.observed",
          { nativeType, axis: "messages", reason: "not-supported" },
          { origin },
        );
        isTold = true;
      } else if (block.type === "tool-call" && block.name === "Edit") {
        this.#edits.add(block.toolCallId);
        blocks.push(block);
      } else if (isReminder(part) && own.injected === undefined) context.push(block);
      else blocks.push(block);
    }
    if (context.length > 0) {
      const messageId = this.#distinct("message", id === undefined ? undefined : `${id} context`, origin);
      yield event(
        "message.completed",
        { messageId, role: "user", blocks: context, injected: "harness", audience: ["assistant"] },
        { nativeId: messageId, ...at, origin },
      );
    } else if (blocks.length === 0 && !isTold)
      yield event(
        "unknown.observed",
        { nativeType: "droid.message", axis: "messages", reason: "empty" },
        { origin },
      );
    if (blocks.length === 0) return;
    const messageId = this.#distinct("message", id, origin);
    const errors = blocks.map(
      (block): Block => (block.type === "text" ? { type: "error", message: block.text } : block),
    );
    yield event(
      "message.completed",
      {
        messageId,
        role: visibility === "user_only" ? "assistant" : (own.role ?? role),
        // What only a person is shown is that something failed.
        blocks: visibility === "user_only" ? errors : blocks,
        ...(visibility === "user_only" && { audience: ["user" as const] }),
        ...(visibility === "llm_only" && { audience: ["assistant" as const] }),
        ...(visibility === "llm_only" && own.injected === undefined && { injected: "notice" as const }),
        ...(model !== undefined && { model }),
        ...own,
      },
      { nativeId: messageId, ...at, origin },
    );
  }

  #outcome(record: Fields, origin: Origins): SessionEvent {
    const turnId = name(record.turnId) ?? `at ${origin[0]?.offset ?? 0}`;
    const reason = name(record.reason);
    const status =
      reason === "completed"
        ? "completed"
        : /cancel|abort|interrupt/.test(reason ?? "")
          ? "cancelled"
          : "failed";
    const error = status === "failed" && reason !== undefined ? { error: reason } : {};
    const nativeId = this.#distinct("turn", turnId, origin);
    return event("turn.completed", { turnId, status, ...error }, { nativeId, origin });
  }

  /** From here on the model is sent the summary, and what follows. */
  #compaction(record: Fields, origin: Origins, at: { time?: string }): SessionEvent {
    const text = string(record.summaryText) ?? "";
    const id = this.#distinct("compaction", name(record.id), origin);
    const summary = event(
      "message.completed",
      { messageId: `${id} summary`, role: "user", blocks: [{ type: "text", text }], kind: "summary" },
      { ...at, origin },
    );
    return event(
      "status.changed",
      { status: "compacted", context: text === "" ? [] : [summary] },
      { nativeId: id, ...at, origin },
    );
  }

  /** Events are told apart by type and id: an id that comes again gets its place in the file. */
  #distinct(kind: string, id: string | undefined, [at]: Origins): string {
    const place = `at ${at?.offset ?? 0}`;
    if (id === undefined) return place;
    const key = `${kind} ${id}`;
    if (this.#ids.has(key)) return `${id} ${place}`;
    this.#ids.add(key);
    return id;
  }
}

/** The result of an edit is kept for the screen; the model is sent a sentence. */
function editIn(content: unknown): { text: string; detail: Fields } | undefined {
  const detail = fields(parsed(content));
  const path = name(detail?.file_path);
  if (!detail || path === undefined || detail.success !== true) return undefined;
  return { text: `The file ${path} has been updated successfully.`, detail };
}

/** What lies beside: the model in use, what the session took. */
async function* companions(ref: SessionRef, { source, ledger }: ReadContext): AsyncGenerator<SessionEvent> {
  for (const [index, { path, role }] of ref.files.entries()) {
    if (role !== "companion") continue;
    const info = await source.stat(path);
    if (!info) continue;
    const origin = [{ record: ledger.record(), file: index, offset: 0, length: info.size }];
    yield event(
      "unknown.observed",
      { nativeType: "droid.settings", axis: "settings", reason: "no-counterpart" },
      { origin },
    );
  }
}
