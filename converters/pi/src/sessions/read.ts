/**
 * One session as events. The talk is the path from a root to the last line of the file; the other branches come
 * after it. What the model no longer sees after a compaction is told all the same; the compaction says what it sees.
 */
import type {
  EventOf,
  EventType,
  OpenFile,
  Origin,
  Payloads,
  ReadContext,
  reasons,
  SessionEvent,
  SessionRef,
} from "@asp-convert/core";
import { type Fields, fields, isoTime, name, number, string } from "@asp-convert/core/values";
import { assistantBlocks, contentBlocks, usageOf } from "./blocks.js";
import { type Entry, pathTo, recordAt, type Scan, scan, sideBranches } from "./scan.js";
import { branchText, commandText, compactionText, NO_RESULT } from "./wire.js";

/** @throws SourceError; any other error is a bug. */
export async function* readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const file = await context.source.open(ref.path);
  try {
    yield* new Reader(ref, file, context).read();
  } finally {
    file.close();
  }
}

type Rest = { time?: string; origin?: readonly Origin[]; nativeId?: string };

class Reader {
  readonly #ref: SessionRef;
  readonly #file: OpenFile;
  readonly #context: ReadContext;
  readonly #scan: Scan;
  /** Origins by the offset of their record: a compaction tells of records that were told before. */
  readonly #origins = new Map<number, Origin>();
  /** Calls of the path so far that no result has come for. */
  #open = new Set<string>();
  /** By entry: what the model sees in its place; null for nothing. */
  readonly #edits = new Map<string, Fields | null>();

  constructor(ref: SessionRef, file: OpenFile, context: ReadContext) {
    this.#ref = ref;
    this.#file = file;
    this.#context = context;
    this.#scan = scan(file, context.signal);
  }

  *read(): Generator<SessionEvent> {
    const { entries, byId, header, doubles, others } = this.#scan;
    const { path, broken } = pathTo(entries.at(-1), byId);
    yield this.#started(header);
    const [first] = path;
    if (broken && first) {
      this.#context.ledger.note(
        { axis: "messages", level: "evidence-only", reason: "dangling-parent" },
        this.#origin(first).record,
      );
    }
    for (const entry of path) if (entry.type === "context_edit") this.#edit(recordAt(this.#file, entry));
    for (const [index, entry] of path.entries()) {
      this.#context.signal?.throwIfAborted();
      yield* this.#entry(entry, () => path.slice(0, index));
    }
    yield* this.#unanswered();
    for (const branch of sideBranches(this.#scan, path)) yield* this.#branch(branch);
    for (const entry of doubles) yield this.#unknown(entry, "duplicate-id", entry.type);
    for (const piece of others) {
      const raw = piece.ok ? "pi.record" : "raw";
      const payload = piece.ok
        ? { nativeType: raw, axis: "side-records", reason: "no-counterpart" }
        : { nativeType: raw, axis: "raw", reason: piece.why };
      yield this.#event("unknown.observed", payload, piece);
    }
  }

  #started(header: Scan["header"]): SessionEvent {
    const { id, title, cwd, git, model, harnessVersion, createdAt } = this.#ref;
    return this.#event(
      "session.started",
      {
        nativeSessionId: id,
        ...(title !== undefined && { title }),
        ...(cwd !== undefined && { cwd }),
        ...(git && { git }),
        ...(model !== undefined && { model }),
        ...(harnessVersion !== undefined && { harnessVersion }),
      },
      header,
      { ...(createdAt !== undefined && { time: createdAt }), ...(!header && { origin: [] }) },
    );
  }

  #edit(record: Fields): void {
    const target = name(record.targetId);
    if (target !== undefined) this.#edits.set(target, fields(record.replacement) ?? null);
  }

  /** @param before the path up to this entry, for a compaction that keeps some of it. */
  *#entry(entry: Entry, before: () => readonly Entry[]): Generator<SessionEvent> {
    const record = recordAt(this.#file, entry);
    const rest = this.#rest(entry, record);
    switch (entry.type) {
      case "message":
        yield* this.#message(entry, fields(record.message) ?? {}, rest);
        return;
      case "custom_message": {
        const blocks = contentBlocks(record.content);
        const hidden = record.display === false;
        yield* this.#said(
          entry,
          { role: "user", blocks, injected: "notice", ...(hidden && { audience: ["assistant"] }) },
          rest,
        );
        return;
      }
      case "branch_summary":
        yield* this.#said(
          entry,
          {
            role: "user",
            blocks: [{ type: "text", text: branchText(string(record.summary) ?? "") }],
            injected: "notice",
            audience: ["assistant"],
          },
          rest,
        );
        return;
      case "compaction":
        yield* this.#compaction(entry, record, rest, before());
        return;
      case "model_change": {
        const model = [string(record.provider), string(record.modelId)]
          .filter((part) => part !== undefined)
          .join("/");
        yield this.#event("capabilities.changed", { settings: { model } }, entry, rest);
        return;
      }
      case "thinking_level_change":
        yield this.#event(
          "capabilities.changed",
          { settings: { thought_level: string(record.thinkingLevel) ?? "" } },
          entry,
          rest,
        );
        return;
      case "session_info":
        yield this.#event(
          "session.bound",
          { title: string(record.name) ?? "", titleBy: "user" },
          entry,
          rest,
        );
        return;
      default:
        yield this.#unknown(entry, record.type === undefined ? "unparsable" : "no-counterpart", entry.type);
    }
  }

  *#message(entry: Entry, message: Fields, rest: Rest): Generator<SessionEvent> {
    switch (message.role) {
      case "user":
        yield* this.#said(entry, { role: "user", blocks: contentBlocks(message.content) }, rest);
        return;
      case "system":
        yield this.#event(
          "message.completed",
          {
            messageId: entry.id,
            role: "system",
            blocks: contentBlocks(message.content),
            injected: "harness",
            audience: ["assistant"],
          },
          entry,
          rest,
        );
        return;
      case "assistant":
        yield* this.#assistant(entry, message, rest);
        return;
      case "toolResult": {
        const toolCallId = string(message.toolCallId) ?? "";
        this.#open.delete(toolCallId);
        const edit = this.#edits.get(entry.id);
        yield this.#event(
          "tool.completed",
          {
            toolCallId,
            toolResultId: entry.id,
            result: contentBlocks(edit ? edit.content : message.content),
            isError: message.isError === true,
            ...(message.details !== undefined && { detail: message.details }),
          },
          entry,
          rest,
        );
        return;
      }
      case "bashExecution":
        yield* this.#said(
          entry,
          {
            role: "user",
            blocks: [{ type: "text", text: commandText(message) }],
            injected: "command",
            ...(message.excludeFromContext === true && { audience: ["user"] }),
          },
          rest,
        );
        return;
      case "custom":
      case "hookMessage":
        yield* this.#said(
          entry,
          { role: "user", blocks: contentBlocks(message.content), injected: "notice" },
          rest,
        );
        return;
      default:
        yield this.#unknown(
          entry,
          message.role === undefined ? "unparsable" : "no-counterpart",
          `message.${message.role}`,
        );
    }
  }

  *#assistant(entry: Entry, message: Fields, rest: Rest): Generator<SessionEvent> {
    const blocks = assistantBlocks(message);
    const usage = usageOf(message.usage);
    const model = name(message.model);
    const stopReason = name(message.stopReason);
    const error = name(message.errorMessage);
    // Pi never sends an answer that failed or was stopped.
    const failed = stopReason === "error" || stopReason === "aborted";
    if (failed) blocks.push({ type: "error", message: error ?? `the answer was ${stopReason}` });
    yield* this.#said(
      entry,
      {
        role: "assistant",
        blocks,
        ...(model !== undefined && { model }),
        ...(usage && { usage }),
        ...(stopReason !== undefined && { stopReason }),
        ...(failed && { audience: ["user"] }),
      },
      rest,
    );
    if (failed) return;
    for (const block of blocks) if (block.type === "tool-call") this.#open.add(block.toolCallId);
  }

  /** A message, with what the model sees in its place where that was edited. */
  *#said(
    entry: Entry,
    message: Omit<Payloads["message.completed"], "messageId">,
    rest: Rest,
  ): Generator<SessionEvent> {
    yield* this.#unanswered();
    const edit = this.#edits.get(entry.id);
    const shown = edit === undefined ? message : { ...message, audience: ["user" as const] };
    yield this.#event("message.completed", { messageId: entry.id, ...shown }, entry, rest);
    if (!edit) return;
    yield this.#event(
      "message.completed",
      {
        ...message,
        messageId: `${entry.id}/edited`,
        blocks: contentBlocks(edit.content),
        audience: ["assistant"],
      },
      entry,
      { ...rest, nativeId: `${entry.id}/edited` },
    );
  }

  /** Calls without a result get the one that Pi would send. */
  *#unanswered(): Generator<SessionEvent> {
    const open = this.#open;
    if (open.size === 0) return;
    this.#open = new Set();
    for (const toolCallId of open) {
      this.#context.ledger.note({ axis: "tool-results", level: "not-in-source", reason: "missing-result" });
      yield this.#event(
        "tool.completed",
        { toolCallId, result: [{ type: "text", text: NO_RESULT }], isError: true, synthetic: true },
        undefined,
        { origin: [], nativeId: `${toolCallId}/none` },
      );
    }
  }

  *#compaction(entry: Entry, record: Fields, rest: Rest, before: readonly Entry[]): Generator<SessionEvent> {
    yield* this.#unanswered();
    const kept = name(record.firstKeptEntryId) ?? this.#keptByIndex(record);
    const from = before.findIndex(({ id }) => id === kept);
    const context: SessionEvent[] = [
      this.#event(
        "message.completed",
        {
          messageId: entry.id,
          role: "user",
          blocks: [{ type: "text", text: compactionText(string(record.summary) ?? "") }],
          kind: "summary",
          audience: ["assistant"],
        },
        entry,
        rest,
      ),
    ];
    for (const each of from === -1 ? [] : before.slice(from)) {
      if (each.type === "compaction") continue;
      for (const event of this.#entry(each, () => [])) {
        if (event.type === "message.completed" || event.type === "tool.completed") context.push(event);
      }
    }
    context.push(...this.#unanswered());
    yield this.#event("status.changed", { status: "compacted", context }, entry, rest);
  }

  /** Version 1 counts entries, the header first. */
  #keptByIndex(record: Fields): string | undefined {
    const index = number(record.firstKeptEntryIndex);
    return index === undefined ? undefined : this.#scan.entries[index - 1]?.id;
  }

  *#branch(branch: readonly Entry[]): Generator<SessionEvent> {
    const [first] = branch;
    const leaf = branch.at(-1);
    if (!first || !leaf) return;
    this.#open = new Set();
    let isFirst = true;
    for (const [index, entry] of branch.entries()) {
      for (const event of this.#entry(entry, () => branch.slice(0, index))) {
        event.branch = leaf.id;
        if (isFirst && first.parent !== undefined) event.branchFrom = first.parent;
        isFirst = false;
        yield event;
      }
    }
    this.#open = new Set();
  }

  #unknown(entry: Entry, reason: keyof typeof reasons, type: string): SessionEvent {
    const axis = reason === "unparsable" ? "raw" : type === "usage" ? "usage" : "side-records";
    return this.#event("unknown.observed", { nativeType: `pi.${type}`, axis, reason }, entry, {
      nativeId: entry.id,
    });
  }

  #rest(entry: Entry, record: Fields): Rest {
    const ms = number(fields(record.message)?.timestamp);
    const time = isoTime(entry.time) ?? (ms === undefined ? undefined : new Date(ms).toISOString());
    return { nativeId: entry.id, ...(time !== undefined && { time }) };
  }

  #event<T extends EventType>(
    type: T,
    payload: Payloads[T],
    place: { offset: number; length: number } | undefined,
    { origin, ...rest }: Rest = {},
  ): EventOf<T> & SessionEvent {
    const event: EventOf<T> = {
      type,
      payload,
      origin: origin ?? (place ? [this.#origin(place)] : []),
      ...rest,
    };
    return event as EventOf<T> & SessionEvent;
  }

  #origin({ offset, length }: { offset: number; length: number }): Origin {
    let origin = this.#origins.get(offset);
    if (!origin) {
      origin = { record: this.#context.ledger.record(), file: 0, offset, length };
      this.#origins.set(offset, origin);
    }
    return origin;
  }
}
