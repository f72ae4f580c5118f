/** Entries of a course as events: what was said, called, answered, and what the model saw of it. */
import type { LossLedger, Origin, Payloads, reasons, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, name, string } from "@asp-convert/core/values";
import { assistantBlocks, contentBlocks, usageOf } from "./blocks.js";
import type { Course } from "./course.js";
import { eventOf, type Rest } from "./event.js";
import { modelOf, nameOfModel } from "./models.js";
import { type Entry, isoOf, timeOf } from "./scan.js";
import { branchText, commandText, NO_RESULT, ownType, systemTexts } from "./wire.js";

type Message = Omit<Payloads["message.completed"], "messageId">;

export interface TalkContext {
  record: (entry: Entry) => Fields;
  origin: (entry: Entry) => Origin;
  ledger: LossLedger;
}

/** The events of one course, entry by entry. */
export class Talk {
  readonly #course: Course;
  readonly #context: TalkContext;
  /** Calls that no result has come for yet, and the entry that made them. */
  #open = new Map<string, Entry>();
  /** Results that were told before their place. */
  readonly #told = new Set<Entry>();

  constructor(course: Course, context: TalkContext) {
    this.#course = course;
    this.#context = context;
  }

  *entry(entry: Entry): Generator<SessionEvent> {
    const record = this.#context.record(entry);
    switch (entry.type) {
      case "message":
        yield* this.#message(entry, record, fields(record.message) ?? {});
        return;
      case "custom_message":
        yield* this.#custom(entry, record);
        return;
      case "branch_summary": {
        const blocks = [{ type: "text" as const, text: branchText(string(record.summary) ?? "") }];
        yield* this.#said(entry, record, {
          role: "user",
          blocks,
          injected: "notice",
          audience: ["assistant"],
        });
        return;
      }
      case "context_edit":
        if (this.#course.holds(entry, name(record.targetId))) return; // told with what it edits
        yield this.#unknown(entry, record, "superseded");
        return;
      case "model_change": {
        const model = nameOfModel(record.provider, record.modelId) ?? string(record.model) ?? "";
        yield eventOf("capabilities.changed", { settings: { model } }, this.#rest(entry, record));
        return;
      }
      case "thinking_level_change": {
        const settings = { thought_level: string(record.thinkingLevel) ?? "" };
        yield eventOf("capabilities.changed", { settings }, this.#rest(entry, record));
        return;
      }
      case "session_info": {
        const title = string(record.name) ?? "";
        yield eventOf("session.bound", { title, titleBy: "user" }, this.#rest(entry, record));
        return;
      }
      default:
        yield this.#unknown(entry, record, record.type === undefined ? "unparsable" : "no-counterpart");
    }
  }

  *#message(entry: Entry, record: Fields, message: Fields): Generator<SessionEvent> {
    switch (message.role) {
      case "user":
        yield* this.#said(entry, record, { role: "user", blocks: contentBlocks(message.content) });
        return;
      case "system":
        yield eventOf(
          "message.completed",
          {
            messageId: entry.id,
            role: "system",
            blocks: systemTexts(message).map((text) => ({ type: "text", text })),
            injected: "harness",
            audience: ["assistant"],
          },
          this.#rest(entry, record),
        );
        return;
      case "assistant":
        yield* this.#assistant(entry, record, message);
        return;
      case "toolResult":
        if (!this.#told.has(entry)) yield this.#result(entry, record, message);
        return;
      case "bashExecution":
        yield* this.#said(entry, record, {
          role: "user",
          blocks: [{ type: "text", text: commandText(message) }],
          injected: "command",
          ...(message.excludeFromContext === true && { audience: ["user"] }),
        });
        return;
      case "developer":
        yield* this.#said(entry, record, {
          role: "user",
          blocks: contentBlocks(message.content),
          injected: "notice",
        });
        return;
      case "custom":
      case "hookMessage":
        yield* this.#custom(entry, message, record);
        return;
      default:
        yield this.#unknown(entry, record, message.role === undefined ? "unparsable" : "no-counterpart");
    }
  }

  *#custom(entry: Entry, message: Fields, record: Fields = message): Generator<SessionEvent> {
    const own = ownType(message.customType);
    const display = string(fields(message.details)?.display);
    yield* this.#said(entry, record, {
      role: "user",
      blocks: contentBlocks(message.content),
      ...(own ?? { injected: "notice" }),
      ...(own && display !== undefined && { display }),
      ...(message.display === false && { audience: ["assistant"] }),
    });
  }

  *#assistant(entry: Entry, record: Fields, message: Fields): Generator<SessionEvent> {
    const blocks = assistantBlocks(message.content, string(message.api));
    const usage = usageOf(message.usage);
    const model = modelOf(message);
    const stopReason = name(message.stopReason);
    // Pi never sends an answer that failed or was stopped.
    const failed = stopReason === "error" || stopReason === "aborted";
    const error = name(message.errorMessage);
    if (failed) blocks.push({ type: "error", message: error ?? `the answer was ${stopReason}` });
    yield* this.#said(entry, record, {
      role: "assistant",
      blocks,
      ...(model !== undefined && { model }),
      ...(usage && { usage }),
      ...(stopReason !== undefined && { stopReason }),
      ...(failed && { audience: ["user"] }),
    });
  }

  #result(entry: Entry, record: Fields, message: Fields): SessionEvent {
    const toolCallId = string(message.toolCallId) ?? "";
    this.#open.delete(toolCallId);
    const edit = this.#course.edit(entry);
    const { details, usage, nestedCalls } = message;
    const detail = {
      ...(details !== undefined && { details }),
      ...(usage !== undefined && { usage }),
      ...(nestedCalls !== undefined && { nestedCalls }),
    };
    const rest = this.#rest(entry, record);
    if (edit) {
      const place = rest.origin[0]?.record;
      this.#context.ledger.note(
        { axis: "tool-results", level: "evidence-only", reason: "superseded" },
        place,
      );
      rest.origin = [...rest.origin, this.#context.origin(edit.entry)];
    }
    const isOut = edit?.content === null;
    return eventOf(
      "tool.completed",
      {
        toolCallId,
        toolResultId: entry.id,
        result: isOut
          ? [{ type: "text", text: NO_RESULT }]
          : contentBlocks(edit ? edit.content : message.content),
        isError: isOut || message.isError === true,
        ...(Object.keys(detail).length > 0 && { detail }),
        ...(isOut && { synthetic: true }),
      },
      rest,
    );
  }

  /** A message, with what the model sees in its place where that was edited. */
  *#said(entry: Entry, record: Fields, message: Message): Generator<SessionEvent> {
    yield* this.unanswered();
    const rest = this.#rest(entry, record);
    const edit = this.#course.edit(entry);
    if (!edit) {
      this.#called(entry, message);
      yield eventOf("message.completed", { messageId: entry.id, ...message }, rest);
      return;
    }
    const origin = [...rest.origin, this.#context.origin(edit.entry)];
    const typed = textOf(message);
    if (message.role === "user" && edit.content !== null && !message.audience && typed !== undefined) {
      const sent: Message = { ...message, blocks: contentBlocks(edit.content), display: typed };
      yield eventOf("message.completed", { messageId: entry.id, ...sent }, { ...rest, origin });
      return;
    }
    const shown: Message = { ...message, audience: ["user"] };
    yield eventOf("message.completed", { messageId: entry.id, ...shown }, { ...rest, origin });
    if (edit.content === null || (message.audience && !message.audience.includes("assistant"))) return;
    const blocks =
      message.role === "assistant"
        ? assistantBlocks(edit.content, string(fields(record.message)?.api))
        : contentBlocks(edit.content);
    const sent: Message = { ...message, blocks, audience: ["assistant"] };
    this.#called(entry, sent);
    const nativeId = `${entry.id}/edited`;
    yield eventOf("message.completed", { messageId: nativeId, ...sent }, { ...rest, origin, nativeId });
  }

  #called(entry: Entry, { role, blocks, audience }: Message): void {
    if (role !== "assistant" || (audience && !audience.includes("assistant"))) return;
    for (const block of blocks) if (block.type === "tool-call") this.#open.set(block.toolCallId, entry);
  }

  /** Calls that nothing has answered by now: with what answers them later, or else with what Pi would send. */
  *unanswered(): Generator<SessionEvent> {
    const open = this.#open;
    if (open.size === 0) return;
    this.#open = new Map();
    for (const [toolCallId, caller] of open) {
      const late = this.#course.lateResult(caller, toolCallId);
      if (late && !this.#told.has(late)) {
        this.#told.add(late);
        const record = this.#context.record(late);
        yield this.#result(late, record, fields(record.message) ?? {});
        continue;
      }
      this.#context.ledger.note({ axis: "tool-results", level: "not-in-source", reason: "missing-result" });
      yield eventOf(
        "tool.completed",
        { toolCallId, result: [{ type: "text", text: NO_RESULT }], isError: true, synthetic: true },
        { origin: [], nativeId: `${caller.id}/${toolCallId}/none` },
      );
    }
  }

  #unknown(entry: Entry, record: Fields, reason: keyof typeof reasons): SessionEvent {
    const axis =
      reason === "unparsable" ? "raw" : entry.type === "usage" ? ("usage" as const) : "side-records";
    return eventOf(
      "unknown.observed",
      { nativeType: `pi.${entry.type}`, axis, reason },
      this.#rest(entry, record),
    );
  }

  #rest(entry: Entry, record: Fields): Rest {
    const time = entry.time ?? timeOf(fields(record.message)?.timestamp);
    return {
      origin: [this.#context.origin(entry)],
      nativeId: entry.id,
      ...(time !== undefined && { time: isoOf(time) }),
    };
  }
}

/** What a message says, if it is words alone. */
function textOf({ blocks }: Message): string | undefined {
  const [only, more] = blocks;
  return only?.type === "text" && more === undefined ? only.text : undefined;
}
