/** Messages as events, one after the other: what was said, called and answered, and what the model sees of it. */
import type { Block, LossLedger, Origin, Payloads, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, isoTime, list, name, string } from "@asp-convert/core/values";
import {
  type Answered,
  type Beside,
  blocksOf,
  type Call,
  completed,
  isResponse,
  Pending,
  partsIn,
  resultsIn,
  told,
  unanswered,
  usageOf,
} from "@asp-convert/gemini-family";
import { ownOf } from "./own.js";
import { keyOf, type Slot } from "./scan.js";
import { isContext, isIgnored, isSnapshot, thoughtText } from "./wire.js";

type Message = Omit<Payloads["message.completed"], "messageId">;

export interface TalkContext {
  /** The version of a message that holds, and where it lies. */
  message: (slot: Slot) => { record: Fields; origin: readonly Origin[] };
  /** The same for looking ahead: it is not told now. */
  ahead: (slot: Slot) => Fields;
  /** Where a message lies that is told now, and again at its place. */
  place: (slot: Slot) => readonly Origin[];
  ledger: LossLedger;
  /** A checkpoint is sent as it stands: nothing of it is left out. */
  isWhole: boolean;
}

/** The program sends such a call without a result, which its model would refuse. */
const NO_RESULT = "No result was recorded for this call.";

const USAGE = {
  input: "inputTokens",
  output: "outputTokens",
  cached: "cacheReadTokens",
  thoughts: "reasoningTokens",
  total: "totalTokens",
} as const;

export class Talk {
  readonly #context: TalkContext;
  /** All messages that may come, in order: a result may stand further on. */
  readonly #slots: readonly Slot[];
  readonly #calls = new Pending();
  #late: Map<string, { slot: Slot; answer: Answered }> | undefined;

  constructor(slots: readonly Slot[], context: TalkContext) {
    this.#slots = slots;
    this.#context = context;
  }

  *message(slot: Slot): Generator<SessionEvent> {
    const { record, origin } = this.#context.message(slot);
    const time = isoTime(record.timestamp);
    const beside: Beside = { origin, nativeId: keyOf(slot), ...(time !== undefined && { time }) };
    switch (slot.type) {
      case "user":
        yield* this.#user(slot, record, beside);
        return;
      case "gemini":
        yield* this.unanswered();
        yield* this.#gemini(slot, record, beside);
        return;
      default:
        yield* this.unanswered();
        yield this.#note(slot, record, beside);
    }
  }

  *#user(slot: Slot, record: Fields, beside: Beside): Generator<SessionEvent> {
    const parts = partsIn(record.content);
    if (!parts.some(isResponse)) {
      yield* this.unanswered();
      yield* this.#said(slot, record, parts, beside);
      return;
    }
    const { results, rest } = resultsIn(parts);
    let isNew = false;
    for (const answer of results) {
      const call = this.#calls.take(answer);
      if (!call && this.#calls.isKnown(answer.id)) continue; // the program writes each result twice
      isNew = true;
      yield this.#completed(call, answer, beside, `${keyOf(slot)}/${answer.id ?? call?.id ?? ""}`);
    }
    if (rest.length > 0) {
      yield* this.unanswered();
      yield* this.#said(slot, record, rest, beside);
    } else if (!isNew)
      yield told(
        "unknown.observed",
        { nativeType: "gemini.results", axis: "side-records", reason: "duplicate" },
        beside,
      );
  }

  /** What the program put before a person's words is its own message. */
  *#said(slot: Slot, record: Fields, parts: readonly unknown[], beside: Beside): Generator<SessionEvent> {
    const own = ownOf(record);
    const display = displayOf(record.displayContent);
    const first = parts.findIndex((part) => !isContext(string(fields(part)?.text) ?? ""));
    const context = own ? [] : parts.slice(0, first === -1 ? parts.length : first);
    const words = parts.slice(context.length);
    if (context.length > 0) {
      const isAll = words.length === 0;
      yield this.#event(
        isAll ? keyOf(slot) : `${keyOf(slot)}/context`,
        { role: "user", blocks: this.#blocks(slot, context), injected: "harness", audience: ["assistant"] },
        beside,
      );
      if (isAll) return;
    }
    const isLeftOut = !this.#context.isWhole && isIgnored(record.content);
    const blocks = this.#blocks(slot, words);
    const [only] = blocks;
    const isSummary = own ? own.kind === "summary" : only?.type === "text" && isSnapshot(only.text);
    yield this.#event(
      keyOf(slot),
      {
        role: own?.role ?? "user",
        blocks,
        ...(own?.injected && { injected: own.injected }),
        ...(own?.kind === "queued" && { kind: own.kind }),
        ...(isSummary && { kind: "summary" }),
        ...(isLeftOut ? { audience: ["user"] } : own?.sent && { audience: ["assistant"] }),
        ...(display !== undefined && display !== textOf(blocks) && { display }),
      },
      beside,
    );
  }

  #blocks(slot: Slot, parts: readonly unknown[]): Block[] {
    let unnamed = 0;
    return parts.flatMap((part) => blocksOf(part, () => `${keyOf(slot)}/${unnamed++}`));
  }

  *#gemini(slot: Slot, record: Fields, beside: Beside): Generator<SessionEvent> {
    const said = answerBlocks(keyOf(slot), record);
    const blocks = said.map((block) =>
      block.type === "tool-call"
        ? this.#calls.named(block, keyOf(slot), this.#context.ledger, beside.origin[0]?.record)
        : block,
    );
    const shown = list(record.toolCalls).flatMap((call): Fields[] => fieldsIn(call));
    const usage = usageOf(record.tokens, USAGE);
    const model = name(record.model);
    this.#noteThoughtTimes(record, beside);
    yield this.#event(
      keyOf(slot),
      { role: "assistant", blocks, ...(model !== undefined && { model }), ...(usage && { usage }) },
      beside,
    );
    for (const [i, block] of blocks.entries()) {
      const native = said[i];
      if (block.type !== "tool-call" || native?.type !== "tool-call") continue;
      this.#calls.begin({
        id: block.toolCallId,
        native: native.toolCallId,
        name: block.name,
        shown: shown.find(({ id }) => id === native.toolCallId),
        caller: keyOf(slot),
      });
    }
    for (const call of shown) {
      const { result } = call;
      const parts = typeof result === "string" ? [output(call, result)] : partsIn(result);
      if (parts.length === 0) continue;
      const { results, rest } = resultsIn(parts);
      const [answer, ...more] =
        results.length > 0 ? results : [{ ...bare(call), result: this.#blocks(slot, rest) }];
      if (!answer) continue;
      const open = this.#calls.take({ ...answer, id: name(call.id) ?? answer.id });
      // Further results in it are those of the calls beside it, again.
      for (const other of more)
        if (results.length > 1 && open && other.id === open.native) answer.result.push(...other.result);
      if (open) {
        const time = isoTime(call.timestamp) ?? beside.time;
        yield this.#completed(
          open,
          answer,
          { ...beside, ...(time !== undefined && { time }) },
          `${keyOf(slot)}/${open.id}`,
        );
      }
    }
  }

  /** A thought has a time of its own, which no event has a place for: nearly always it is that of its message. */
  #noteThoughtTimes({ thoughts, timestamp }: Fields, { origin }: Beside): void {
    for (const thought of list(thoughts))
      if (fields(thought)?.timestamp !== undefined && fields(thought)?.timestamp !== timestamp)
        this.#context.ledger.note(
          { axis: "side-records", level: "evidence-only", reason: "no-counterpart" },
          origin[0]?.record,
        );
  }

  #completed(call: Call | undefined, answer: Answered, beside: Beside, nativeId: string): SessionEvent {
    const { id: _, name: __, args: ___, result: ____, ...detail } = call?.shown ?? {};
    return completed(call?.id ?? answer.id ?? "", answer, detail, { ...beside, nativeId });
  }

  /** Calls that nothing has answered by now: with what answers them later, or with words that say that nothing did. */
  *unanswered(): Generator<SessionEvent> {
    for (const call of this.#calls.left()) {
      this.#late ??= this.#lateAnswers();
      const late = this.#late.get(call.native);
      if (!late) {
        yield unanswered(call, NO_RESULT, this.#context.ledger);
        continue;
      }
      const origin = this.#context.place(late.slot);
      const time = late.slot.time === undefined ? {} : { time: new Date(late.slot.time).toISOString() };
      yield this.#completed(call, late.answer, { origin, ...time }, `${keyOf(late.slot)}/${call.id}`);
    }
  }

  #lateAnswers(): Map<string, { slot: Slot; answer: Answered }> {
    const found = new Map<string, { slot: Slot; answer: Answered }>();
    for (const slot of this.#slots) {
      if (slot.type !== "user") continue;
      const parts = partsIn(this.#context.ahead(slot).content);
      for (const answer of parts.some(isResponse) ? resultsIn(parts).results : [])
        if (answer.id !== undefined && !found.has(answer.id)) found.set(answer.id, { slot, answer });
    }
    return found;
  }

  /** What the program tells the person, and what it does not send. */
  #note(slot: Slot, record: Fields, beside: Beside): SessionEvent {
    const own = ownOf(record);
    const text = textOf(this.#blocks(slot, partsIn(record.content)));
    if (own?.shown)
      return this.#event(
        keyOf(slot),
        {
          role: own.shown,
          blocks: slot.type === "error" ? [{ type: "error", message: text }] : [{ type: "text", text }],
          audience: ["user"],
          ...(own.injected && { injected: own.injected }),
        },
        beside,
      );
    if (slot.type === "error" || slot.type === "warning")
      return this.#event(
        keyOf(slot),
        { role: "assistant", blocks: [{ type: "error", message: text }], audience: ["user"] },
        beside,
      );
    return told(
      "unknown.observed",
      { nativeType: `gemini.${slot.type || "message"}`, axis: "side-records", reason: "no-counterpart" },
      beside,
    );
  }

  #event(nativeId: string, message: Message, beside: Beside): SessionEvent {
    return told("message.completed", { messageId: nativeId, ...message }, { ...beside, nativeId });
  }
}

/** What the model said: content that has calls or thoughts of its own says it all, else they stand beside it. */
export function answerBlocks(id: string, record: Fields): Block[] {
  const parts = partsIn(record.content);
  const calls = list(record.toolCalls).flatMap((call): Fields[] => fieldsIn(call));
  let unnamed = 0;
  const said = parts.flatMap((part) => blocksOf(part, () => `${id}/${unnamed++}`));
  if (said.some(({ type }) => type === "tool-call" || type === "thinking")) return said;
  return [
    ...list(record.thoughts).map(
      (thought): Block => ({ type: "thinking", text: thoughtText(fields(thought) ?? {}) }),
    ),
    ...said,
    ...calls.map(
      (call): Block => ({
        type: "tool-call",
        toolCallId: name(call.id) ?? `${id}/${unnamed++}`,
        name: string(call.name) ?? "",
        arguments: call.args ?? {},
      }),
    ),
  ];
}

function fieldsIn(value: unknown): Fields[] {
  const own = fields(value);
  return own ? [own] : [];
}

function bare(call: Fields): Omit<Answered, "result"> {
  return { id: name(call.id), name: string(call.name) ?? "", isError: false };
}

function output(call: Fields, text: string): unknown {
  return { functionResponse: { id: call.id, name: call.name, response: { output: text } } };
}

function displayOf(content: unknown): string | undefined {
  const parts = partsIn(content);
  const texts = parts.flatMap((part) => string(fields(part)?.text) ?? []);
  return texts.length > 0 ? texts.join("") : undefined;
}

function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}
