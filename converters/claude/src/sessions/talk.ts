/**
 * From records in order to events as the program would send them. It joins the records of one message, moves
 * results to their calls and reminders to where they go, and leaves out what the program leaves out: all of it
 * measured on 2.1.332 (README, "What is sent"). Held back is one message with its results, never more.
 */
import type {
  Block,
  EventOf,
  EventType,
  LossLedger,
  MessagePayload,
  Origin,
  SessionEvent,
} from "@asp-convert/core";
import { event } from "@asp-convert/core";
import { type Attached, attachedOf } from "./attachments.js";
import { blocksOf, resultOf, usageOf } from "./blocks.js";
import { TOOL_LOADED } from "./models.js";
import type { Now } from "./now.js";
import type { Tasks } from "./plan.js";
import { axisOf, nativeTypeOf } from "./side.js";
import { type Call, type Part, type Result, Step } from "./step.js";
import { mannerOf } from "./user.js";
import { type Json, list, object, text } from "./value.js";

export interface TalkContext {
  origin: (record: number) => Origin;
  ledger: LossLedger;
  /** How many records of a message are still to come in this sequence; counted down here. */
  remaining: Map<number, number>;
  groupOf: (record: number) => number;
  /** The model takes system messages between turns: reminders are then no part of results (README). */
  systemTurns: boolean;
  /** Anywhere in this sequence is a result for that call. */
  hasResult: (callId: string) => boolean;
  /** From this record on, calls without a result are kept: the last turn was cut off there. Undefined: none are. */
  unfinishedFrom: number | undefined;
  tasks: Tasks;
  branch?: string | undefined;
  branchFrom?: string | undefined;
  /** Told of each event made, with the records in it: for finding what a branch departs from. */
  made?: ((event: SessionEvent) => void) | undefined;
}

export const INTERRUPTED =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. " +
  "Check whether it took effect before relying on it or running it again.]";
export const MISSING = "[Tool result missing due to internal error]";
const ORPHANED_START = "[Orphaned tool result removed due to conversation resume]";
const REUSED = "[Tool use interrupted]";

export class Talk {
  readonly #context: TalkContext;
  readonly #now: Now;
  #steps: Step[] = [new Step(undefined)];
  readonly #called = new Set<string>();
  /** Tools that tool references of this session may name. */
  readonly #tools: Set<string>;
  #turn: { id: string; status: "completed" | "failed" | "cancelled" } | undefined;
  #time: string | undefined;
  /** The record at hand has no time; the one before it stands in. */
  #inferred = false;
  #first = true;
  #out: SessionEvent[] = [];

  constructor(context: TalkContext, now: Now, tools: Set<string>) {
    this.#context = context;
    this.#now = now;
    this.#tools = tools;
  }

  /** Takes the next record; gives back the events that are certain now. */
  take(record: number, native: Json): SessionEvent[] {
    this.#out = [];
    const time = isoTime(text(native.timestamp));
    this.#time = time ?? this.#time;
    this.#inferred = time === undefined;
    this.#settings(record, native);
    switch (native.type) {
      case "user":
        this.#user(record, native);
        break;
      case "assistant":
        if (native.isApiErrorMessage === true) this.#apiError(record, native);
        else this.#assistant(record, native);
        break;
      case "attachment":
        this.#attachment(record, native);
        break;
      case "system":
        this.#system(record, native);
        break;
      default:
        this.#unknown(record, native);
    }
    return this.#out;
  }

  /** The end: what was held back, and the end of the last turn. */
  end(): SessionEvent[] {
    this.#out = [];
    for (const [n, step] of this.#steps.entries()) this.#release(step, n === this.#steps.length - 1);
    this.#steps = [new Step(undefined)];
    this.#endTurn([]);
    const tail = this.#step.rest.splice(0);
    for (const each of tail) this.#emit(each);
    return this.#out;
  }

  get #step(): Step {
    return this.#steps.at(-1) as Step;
  }

  // --- records ---------------------------------------------------------------------------------------------

  #assistant(record: number, native: Json): void {
    this.#countDown(record);
    const group = this.#context.groupOf(record);
    const step = this.#stepOf(group);
    const message = object(native.message) ?? {};
    const part: Part = { record, native, said: [], calls: [] };
    const model = text(message.model);
    if (model !== undefined && model !== this.#now.model && !model.startsWith("<")) {
      this.#now.model = model;
      step.before.push(
        this.#make("capabilities.changed", { settings: { model } }, [record], {
          nativeId: `${idOf(native)}#model`,
        }),
      );
    }
    for (const block of blocksOf(message.content)) {
      if (block.type === "tool-call") this.#call(step, part, block);
      else part.said.push(block);
    }
    step.parts.push(part);
    this.#releaseClosed();
  }

  #call(step: Step, part: Part, block: Block & { type: "tool-call" }): void {
    if (this.#called.has(block.toolCallId)) {
      // The program takes the second use of an id out, and its result with it.
      step.rest.push(
        this.#make(
          "unknown.observed",
          { nativeType: "claude.tool_use", axis: "tool-calls", reason: "duplicate-id", value: block },
          [part.record],
          { nativeId: `${idOf(part.native)}#reused` },
        ),
      );
      if (part.said.length === 0) part.said.push({ type: "text", text: REUSED });
      return;
    }
    this.#called.add(block.toolCallId);
    const call: Call = { block };
    part.calls.push(call);
    // A result may stand before its call, if only the person spoke in between.
    for (const holder of [step, this.#steps.at(-2)]) {
      const early = holder?.orphans.findIndex(({ id }) => id === block.toolCallId) ?? -1;
      if (!holder || early === -1) continue;
      const [result] = holder.orphans.splice(early, 1);
      call.result = result as Result;
      step.results.push(result as Result);
      return;
    }
  }

  #stepOf(group: number): Step {
    for (let n = this.#steps.length - 1; n >= 0; n--) {
      const step = this.#steps[n] as Step;
      if (step.group === group && step.open) return step;
      if (!step.open) break;
    }
    const step = new Step(group);
    step.turnId = this.#turn?.id;
    this.#steps.push(step);
    return step;
  }

  /** Lets go of the steps that no later record can join, from the front; the last one is always kept. */
  #releaseClosed(): void {
    while (this.#steps.length > 1) {
      const [step, ...later] = this.#steps as [Step, ...Step[]];
      const joinable =
        step.group !== undefined &&
        (this.#context.remaining.get(step.group) ?? 0) > 0 &&
        step.open &&
        later.every((each) => each.open);
      if (joinable) return;
      // Results that stand before their call wait for the next message, of which one record is here already.
      this.#release(step, false);
      this.#steps.shift();
    }
  }

  #user(record: number, native: Json): void {
    const step = this.#step;
    const content = object(native.message)?.content;
    let blocks: Block[] = [];
    let results = 0;
    if (Array.isArray(content)) {
      for (const item of content) {
        const block = object(item);
        if (block?.type !== "tool_result") blocks.push(...blocksOf([item]));
        else this.#result(step, record, native, block, results++);
      }
    } else blocks = blocksOf(content);
    if (blocks.length === 0 && results > 0) return;
    step.hasText = true;
    const manner = mannerOf(native, blocks);
    const id = idOf(native);
    if (isNotice(blocks) && this.#turn) this.#turn.status = "cancelled";
    if (manner.injected === undefined && manner.kind === undefined) this.#startTurn(record, id);
    step.rest.push(
      this.#make("message.completed", { messageId: id, role: "user", blocks, ...manner }, [record], {
        nativeId: id,
      }),
    );
  }

  #result(step: Step, record: number, native: Json, block: Json, nth: number): void {
    const id = text(block.tool_use_id) ?? "";
    const result: Result = {
      id,
      record,
      native,
      nth,
      content: resultOf(block.content),
      isError: block.is_error === true,
      added: [],
    };
    if (!step.answer(result)) step.orphans.push(result);
    const decision = object(native.permissionDecision);
    const source = text(decision?.source);
    const denial = text(native.toolDenialKind);
    if (nth === 0 && (denial !== undefined || source?.startsWith("user"))) {
      const outcome = denial ?? `${text(decision?.decision) ?? "accept"}`;
      step.hoisted.push(
        this.#make("approval.resolved", { approvalId: id, toolCallId: id, outcome }, [record], {
          nativeId: `${idOf(native)}#approval`,
        }),
      );
    }
  }

  #apiError(record: number, native: Json): void {
    const message = blocksOf(object(native.message)?.content)
      .flatMap((block) => (block.type === "text" ? [block.text] : []))
      .join("\n");
    const code = text(native.error) ?? text(native.apiErrorType);
    if (this.#turn) this.#turn.status = "failed";
    const model = text(object(native.message)?.model);
    const stopReason = text(object(native.message)?.stop_reason);
    const payload: MessagePayload = {
      messageId: idOf(native),
      role: "assistant",
      blocks: [{ type: "error", message, ...(code !== undefined && { code }) }],
      ...(model !== undefined && { model }),
      ...(stopReason !== undefined && { stopReason }),
      audience: ["user"],
    };
    this.#step.rest.push(this.#make("message.completed", payload, [record], { nativeId: idOf(native) }));
    this.#countDown(record);
  }

  #countDown(record: number): void {
    const { remaining, groupOf } = this.#context;
    const group = groupOf(record);
    const left = (remaining.get(group) ?? 1) - 1;
    if (left > 0) remaining.set(group, left);
    else remaining.delete(group);
  }

  #system(record: number, native: Json): void {
    const step = this.#step;
    const content = text(native.content);
    if (native.subtype === "local_command" && content !== undefined) {
      step.hasText = true;
      const id = idOf(native);
      const blocks: Block[] = [{ type: "text", text: content }];
      const { display } = mannerOf({}, blocks);
      const payload: MessagePayload = {
        messageId: id,
        role: "user",
        blocks,
        injected: "command",
        ...(display !== undefined && { display }),
      };
      step.rest.push(this.#make("message.completed", payload, [record], { nativeId: id }));
    } else if (native.subtype === "turn_duration" && this.#turn) this.#endTurn([record]);
    else this.#unknown(record, native);
  }

  #attachment(record: number, native: Json): void {
    for (const item of list(object(native.attachment)?.entries) ?? []) {
      const name = text(object(item)?.name);
      if (name !== undefined) this.#tools.add(name);
    }
    const attached = attachedOf(native);
    if (attached.texts.length === 0 && attached.blocks.length === 0) {
      this.#unknown(record, native);
      return;
    }
    const step = this.#step;
    const asUser = attached.as === "person" || attached.as === "user" || !this.#context.systemTurns;
    const last = step.results.at(-1);
    // A reminder right after a result is sent as the end of that result's text (one that loads tools has no text).
    if (
      asUser &&
      last &&
      attached.as !== "person" &&
      attached.blocks.length === 0 &&
      !this.#loadsTools(last.content) &&
      !(attached.type === "nested_memory" && native.rendered !== undefined)
    ) {
      addText(last, attached.texts);
      last.added.push(record);
      if (attached.queued !== undefined) step.hoisted.push(this.#queued(record, native, attached, ["user"]));
      return;
    }
    const made =
      attached.queued === undefined
        ? this.#reminder(record, native, attached)
        : this.#queued(record, native, attached, undefined);
    if (asUser) step.hoisted.push(made);
    else step.rest.push(made);
  }

  #reminder(record: number, native: Json, attached: Attached): SessionEvent {
    const blocks: Block[] = [
      ...attached.texts.map((words): Block => ({ type: "text", text: words })),
      ...attached.blocks,
    ];
    return this.#make(
      "message.completed",
      { messageId: idOf(native), role: "user", blocks, injected: attached.injected, audience: ["assistant"] },
      [record],
      { nativeId: idOf(native) },
    );
  }

  #queued(record: number, native: Json, attached: Attached, audience: ["user"] | undefined): SessionEvent {
    const words = attached.queued ?? "";
    const texts = audience ? [words] : attached.texts;
    const blocks: Block[] = [
      ...texts.map((each): Block => ({ type: "text", text: each })),
      ...attached.blocks,
    ];
    const payload: MessagePayload = {
      messageId: idOf(native),
      role: "user",
      blocks,
      kind: "queued",
      display: words,
      ...(audience && { audience }),
    };
    return this.#make("message.completed", payload, [record], { nativeId: idOf(native) });
  }

  #unknown(record: number, native: Json): void {
    this.#step.rest.push(
      this.#make("unknown.observed", { nativeType: nativeTypeOf(native), axis: axisOf(native) }, [record], {
        nativeId: idOf(native),
      }),
    );
  }

  // --- turns and settings ------------------------------------------------------------------------------------

  #startTurn(record: number, id: string): void {
    this.#endTurn([]);
    this.#turn = { id, status: "completed" };
    this.#step.rest.push(this.#make("turn.started", { turnId: id }, [record], { nativeId: id }));
  }

  #endTurn(records: number[]): void {
    if (!this.#turn) return;
    const { id, status } = this.#turn;
    this.#step.rest.push(
      this.#make("turn.completed", { turnId: id, status }, records, {
        nativeId: id,
        ...(records.length === 0 && { timeInferred: true }),
      }),
    );
    this.#turn = undefined;
  }

  #settings(record: number, native: Json): void {
    const now = this.#now;
    const mode = native.type === "user" ? text(native.permissionMode) : undefined;
    const effort = native.type === "assistant" ? text(native.effort) : undefined;
    const cwd = text(native.cwd);
    if (mode !== undefined && mode !== now.mode) {
      now.mode = mode;
      this.#step.rest.push(
        this.#make("capabilities.changed", { settings: { mode } }, [record], {
          nativeId: `${idOf(native)}#mode`,
        }),
      );
    }
    if (effort !== undefined && effort !== now.effort) {
      now.effort = effort;
      this.#step.rest.push(
        this.#make("capabilities.changed", { settings: { thought_level: effort } }, [record], {
          nativeId: `${idOf(native)}#effort`,
        }),
      );
    }
    if (cwd !== undefined && cwd !== now.cwd) {
      if (now.cwd !== undefined)
        this.#step.rest.push(
          this.#make("session.bound", { cwd }, [record], { nativeId: `${idOf(native)}#cwd` }),
        );
      now.cwd = cwd;
    }
  }

  // --- letting go --------------------------------------------------------------------------------------------

  #release(step: Step, last: boolean): void {
    for (const each of step.before) this.#emit(each);
    const dropped = this.#settleCalls(step, last);
    for (const part of dropped) this.#emit(this.#unanswered(step, part));
    this.#message(
      step,
      dropped.length === 0 ? step.parts : step.parts.filter((part) => !dropped.includes(part)),
    );
    for (const result of step.results) this.#completed(step, result);
    for (const result of step.results) this.#loaded(result);
    for (const each of step.hoisted) this.#emit(each);
    this.#orphans(step);
    for (const each of step.rest) this.#emit(each);
    this.#first = false;
  }

  /** Gives calls without a result what the program gives them. Returns the records it would leave out whole. */
  #settleCalls(step: Step, last: boolean): Part[] {
    const { unfinishedFrom, hasResult, branch } = this.#context;
    const dropped: Part[] = [];
    for (const part of step.parts) {
      const open = part.calls.filter((call) => !call.result);
      if (open.length === 0) continue;
      if (branch !== undefined) continue;
      const kept = unfinishedFrom !== undefined && part.record >= unfinishedFrom;
      if (!kept && part.calls.every((call) => !call.result && !hasResult(call.block.toolCallId))) {
        dropped.push(part);
        continue;
      }
      for (const call of open) this.#makeUp(step, part, call, kept && last ? INTERRUPTED : MISSING);
    }
    return dropped;
  }

  #makeUp(step: Step, part: Part, call: Call, words: string): void {
    const result: Result = {
      id: call.block.toolCallId,
      record: part.record,
      native: part.native,
      nth: step.results.length,
      content: [{ type: "text", text: words }],
      isError: true,
      added: [],
      synthetic: true,
    };
    call.result = result;
    step.results.push(result);
    this.#context.ledger.note(
      { axis: "tool-results", level: "not-in-source", reason: "missing-result" },
      part.record,
    );
  }

  /** A call that nobody answered, and what its record says beside it: the program leaves it out. */
  #unanswered(step: Step, { record, native, said, calls }: Part): SessionEvent {
    const made = this.#make(
      "unknown.observed",
      {
        nativeType: "claude.tool_use",
        axis: "tool-results",
        reason: "missing-result",
        value: [...said, ...calls.map(({ block }) => block)],
      },
      [record],
      { nativeId: `${idOf(native)}#unanswered`, of: native },
    );
    if (step.turnId !== undefined) made.turnId = step.turnId;
    return made;
  }

  #message(step: Step, parts: readonly Part[]): void {
    const [first] = parts;
    if (!first) return;
    const lastPart = parts.at(-1) as Part;
    const message = object(first.native.message) ?? {};
    const ended = object(lastPart.native.message) ?? {};
    const blocks: Block[] = [];
    for (const part of parts) blocks.push(...part.said);
    for (const part of parts) for (const { block } of part.calls) blocks.push(block);
    const model = text(message.model);
    const usage = usageOf(ended.usage);
    const stopReason = text(ended.stop_reason);
    const payload: MessagePayload = {
      messageId: text(message.id) ?? idOf(first.native),
      role: "assistant",
      blocks,
      ...(model !== undefined && { model }),
      ...(usage && { usage }),
      ...(stopReason !== undefined && { stopReason }),
    };
    const records = parts.map(({ record }) => record);
    const made = this.#make("message.completed", payload, records, {
      nativeId: idOf(first.native),
      of: first.native,
    });
    if (step.turnId !== undefined) made.turnId = step.turnId;
    this.#emit(made);
  }

  #completed(step: Step, result: Result): void {
    const { native, record, nth, content } = result;
    const id = result.synthetic
      ? `${idOf(native)}#result-${nth}`
      : nth === 0
        ? idOf(native)
        : `${idOf(native)}#${nth}`;
    const detail = nth === 0 && !result.synthetic ? native.toolUseResult : undefined;
    const made = this.#make(
      "tool.completed",
      {
        toolCallId: result.id,
        result: content,
        isError: result.isError,
        ...(detail !== undefined && { detail }),
        ...(result.synthetic && { synthetic: true }),
      },
      [record, ...result.added],
      { nativeId: id, of: native },
    );
    if (step.turnId !== undefined) made.turnId = step.turnId;
    this.#emit(made);
    const call = step.callOf(result.id);
    const plan =
      call && !result.synthetic
        ? this.#context.tasks.after(call.block.name, call.block.arguments, detail)
        : undefined;
    if (plan) this.#emit(this.#make("task.updated", { plan }, [record], { nativeId: id, of: native }));
    const saved = persisted(content);
    if (saved !== undefined)
      this.#emit(
        this.#make("artifact.observed", { uri: saved, mediaType: "text/plain" }, [record], {
          nativeId: id,
          of: native,
        }),
      );
  }

  /** The program says this after a result that loads tools; it is in no record. */
  #loaded({ record, native, nth, content }: Result): void {
    if (!this.#loadsTools(content)) return;
    const nativeId = `${idOf(native)}#loaded-${nth}`;
    const payload: MessagePayload = {
      messageId: nativeId,
      role: "user",
      blocks: [{ type: "text", text: TOOL_LOADED }],
      injected: "tool",
      audience: ["assistant"],
    };
    this.#emit(this.#make("message.completed", payload, [record], { nativeId, of: native }));
  }

  #loadsTools(content: readonly Block[]): boolean {
    return content.some(
      (block) =>
        block.type === "unknown" &&
        block.nativeType === "claude.tool_reference" &&
        this.#tools.has(text(object(block.value)?.tool_name) ?? ""),
    );
  }

  #orphans(step: Step): void {
    for (const { record, native, nth, id, content } of step.orphans) {
      const twice = this.#called.has(id);
      const reason = twice ? "duplicate" : "orphan-result";
      this.#emit(
        this.#make(
          "unknown.observed",
          { nativeType: "claude.tool_result", axis: "tool-results", reason, value: content },
          [record],
          { nativeId: `${idOf(native)}#orphan-${nth}` },
        ),
      );
    }
    const [start] = step.orphans;
    if (this.#first && start && step.group === undefined && !step.hasText && step.hoisted.length === 0) {
      const id = `${idOf(start.native)}#start`;
      const payload: MessagePayload = {
        messageId: id,
        role: "user",
        blocks: [{ type: "text", text: ORPHANED_START }],
        injected: "notice",
        audience: ["assistant"],
      };
      this.#emit(this.#make("message.completed", payload, [start.record], { nativeId: id }));
    }
  }

  // --- events ------------------------------------------------------------------------------------------------

  #make<T extends EventType>(
    type: T,
    payload: EventOf<T>["payload"],
    records: readonly number[],
    rest: { nativeId: string; of?: Json; timeInferred?: boolean },
  ): SessionEvent & { type: T } {
    const { origin, branch } = this.#context;
    // Of the record it is made of, or of the one at hand; for want of it, the last time known.
    const own = rest.of ? isoTime(text(rest.of.timestamp)) : this.#inferred ? undefined : this.#time;
    const time = own ?? this.#time;
    const made = event(type, payload, { nativeId: rest.nativeId, origin: records.map(origin) });
    if (time !== undefined) made.time = time;
    if (time !== undefined && (rest.timeInferred || own === undefined)) made.timeInferred = true;
    if (this.#turn) made.turnId = this.#turn.id;
    if (branch !== undefined) made.branch = branch;
    return made as SessionEvent & { type: T };
  }

  #emit(made: SessionEvent): void {
    const { branchFrom } = this.#context;
    if (branchFrom !== undefined) {
      made.branchFrom = branchFrom;
      this.#context.branchFrom = undefined;
    }
    this.#context.made?.(made);
    this.#out.push(made);
  }
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The time as it is written, or the same moment as ISO 8601 in UTC, or undefined if it is none. */
export function isoTime(time: string | undefined): string | undefined {
  if (time === undefined) return undefined;
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) return undefined;
  return ISO.test(time) ? time : new Date(ms).toISOString();
}

function idOf(native: Json): string {
  return text(native.uuid) ?? "";
}

function isNotice(blocks: readonly Block[]): boolean {
  return blocks.some(
    (block) => block.type === "text" && block.text.startsWith("[Request interrupted by user"),
  );
}

function addText(result: Result, texts: readonly string[]): void {
  const { content } = result;
  const [only] = content;
  if (content.length === 0 || (content.length === 1 && only?.type === "text")) {
    const words = only?.type === "text" ? only.text : "";
    result.content = [
      {
        type: "text",
        text: [words, ...texts]
          .map((each) => each.trim())
          .filter((each) => each !== "")
          .join("\n\n"),
      },
    ];
  } else result.content = [...content, ...texts.map((words): Block => ({ type: "text", text: words }))];
}

/** Where the program put an output that was too large to send. */
function persisted(content: readonly Block[]): string | undefined {
  const [first] = content;
  if (first?.type !== "text" || !first.text.startsWith("<persisted-output>")) return undefined;
  return /Full output saved to: (.+)/.exec(first.text)?.[1]?.trim();
}
