/** Records of a course as events: what was said, called and answered. */
import type { Block, LossLedger, Origin, Payloads, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, isoTime, list, name, string } from "@asp-convert/core/values";
import {
  type Answered,
  type Beside,
  blocksOf,
  type Call,
  completed,
  isResponse,
  isSent,
  Pending,
  partsIn,
  resultsIn,
  told,
  unanswered,
  usageOf,
} from "@asp-convert/gemini-family";
import { ownOf } from "./own.js";
import type { Entry } from "./scan.js";

type Message = Omit<Payloads["message.completed"], "messageId">;

export interface TalkContext {
  record: (entry: Entry) => Fields;
  origins: (entry: Entry) => Origin[];
  ledger: LossLedger;
}

const USAGE = {
  promptTokenCount: "inputTokens",
  candidatesTokenCount: "outputTokens",
  cachedContentTokenCount: "cacheReadTokens",
  thoughtsTokenCount: "reasoningTokens",
  totalTokenCount: "totalTokens",
} as const;

/** What the program itself says to its model in place of a result. */
const NO_RESULT =
  "Tool execution result was not recorded — likely interrupted by network failure, abort, or process exit. " +
  "Treat as failure and retry if needed.";

export class Talk {
  readonly #context: TalkContext;
  readonly #path: readonly Entry[];
  readonly #calls = new Pending();
  #late: Map<string, { entry: Entry; answer: Answered; record: Fields }> | undefined;
  /** Results that were told before their place. */
  readonly #told = new Set<Entry>();

  constructor(path: readonly Entry[], context: TalkContext) {
    this.#path = path;
    this.#context = context;
  }

  *entry(entry: Entry): Generator<SessionEvent> {
    const record = this.#context.record(entry);
    const time = isoTime(record.timestamp);
    const beside = {
      origin: this.#context.origins(entry),
      nativeId: entry.id,
      ...(time !== undefined && { time }),
    };
    switch (entry.type) {
      case "user":
        yield* this.unanswered();
        yield* this.#user(entry, record, beside);
        return;
      case "assistant":
        yield* this.unanswered();
        yield* this.#assistant(entry, record, beside);
        return;
      case "tool_result":
        yield* this.#results(entry, record, beside);
        return;
      default:
        yield this.#system(entry, record, beside);
    }
  }

  *#user(entry: Entry, record: Fields, beside: Beside): Generator<SessionEvent> {
    const parts = partsIn(fields(record.message)?.parts ?? fields(record.message)?.content);
    const own = ownOf(record);
    // Of what nobody typed, the program shows something else than it sends.
    const display = string(fields(record.systemPayload)?.displayText);
    yield this.#event(
      entry.id,
      {
        role: own.role ?? "user",
        blocks: this.#blocks(entry, parts),
        // A background agent that is done: nobody typed that.
        ...(entry.subtype === "notification" && { injected: "notice" }),
        ...(entry.subtype === "mid_turn_user_message" && { kind: "queued" }),
        ...(display !== undefined && { display }),
        ...without(own, "role"),
      },
      beside,
    );
  }

  *#assistant(entry: Entry, record: Fields, beside: Beside): Generator<SessionEvent> {
    const parts = partsIn(fields(record.message)?.parts ?? fields(record.message)?.content);
    const said = this.#blocks(entry, parts);
    const { ledger } = this.#context;
    const blocks = said.map((block) =>
      block.type === "tool-call"
        ? this.#calls.named(block, entry.id, ledger, beside.origin[0]?.record)
        : block,
    );
    const usage = usageOf(record.usageMetadata, USAGE);
    const model = name(record.model);
    yield this.#event(
      entry.id,
      { role: "assistant", blocks, ...(model !== undefined && { model }), ...(usage && { usage }) },
      beside,
    );
    for (const [i, block] of blocks.entries()) {
      const native = said[i];
      if (block.type === "tool-call" && native?.type === "tool-call")
        this.#calls.begin({
          id: block.toolCallId,
          native: native.toolCallId,
          name: block.name,
          shown: undefined,
          caller: entry.id,
        });
    }
  }

  *#results(entry: Entry, record: Fields, beside: Beside): Generator<SessionEvent> {
    if (this.#told.has(entry)) return;
    const { results, rest } = resultsIn(partsIn(fields(record.message)?.parts));
    for (const answer of results) {
      const call = this.#calls.take(answer);
      if (!call && this.#calls.isKnown(answer.id)) {
        yield told(
          "unknown.observed",
          { nativeType: "qwen.tool_result", axis: "side-records", reason: "duplicate" },
          beside,
        );
        continue;
      }
      yield this.#completed(call, answer, record, {
        ...beside,
        nativeId: results.length === 1 ? entry.id : `${entry.id}/${answer.id}`,
      });
    }
    if (rest.length > 0 || results.length === 0)
      yield* this.#user(entry, { ...record, message: { parts: rest } }, beside);
  }

  #completed(
    call: Call | undefined,
    answer: Answered,
    record: Fields,
    beside: Beside & { nativeId: string },
  ): SessionEvent {
    const detail = without(fields(record.toolCallResult) ?? {}, "callId");
    return completed(call?.id ?? answer.id ?? "", answer, detail, beside);
  }

  /** Calls that nothing has answered by now: with what answers them later, or with what the program would say. */
  *unanswered(): Generator<SessionEvent> {
    for (const call of this.#calls.left()) {
      this.#late ??= this.#lateAnswers();
      const late = this.#late.get(call.native);
      if (!late || this.#told.has(late.entry)) {
        yield unanswered(call, NO_RESULT, this.#context.ledger);
        continue;
      }
      this.#told.add(late.entry);
      const time = isoTime(late.record.timestamp);
      yield this.#completed(call, late.answer, late.record, {
        origin: this.#context.origins(late.entry),
        nativeId: late.entry.id,
        ...(time !== undefined && { time }),
      });
    }
  }

  #lateAnswers(): Map<string, { entry: Entry; answer: Answered; record: Fields }> {
    const found = new Map<string, { entry: Entry; answer: Answered; record: Fields }>();
    for (const entry of this.#path) {
      if (entry.type !== "tool_result") continue;
      const record = this.#context.record(entry);
      const { results } = resultsIn(partsIn(fields(record.message)?.parts));
      const [answer, more] = results;
      if (answer?.id !== undefined && !more && !found.has(answer.id))
        found.set(answer.id, { entry, answer, record });
    }
    return found;
  }

  #system(entry: Entry, record: Fields, beside: Beside): SessionEvent {
    const payload = fields(record.systemPayload) ?? {};
    if (entry.subtype === "custom_title") {
      const title = string(payload.customTitle) ?? "";
      const titleBy = payload.titleSource === "auto" ? "agent" : "user";
      return told("session.bound", { title, titleBy }, beside);
    }
    if (entry.subtype === "chat_compression" && Array.isArray(payload.compressedHistory)) {
      const reason = name(fields(payload.info)?.triggerReason);
      return told(
        "status.changed",
        {
          status: "compacted",
          ...(reason === "manual" && { trigger: "manual" }),
          ...(reason === "auto" && { trigger: "auto" }),
          context: contentEvents(entry.id, payload.compressedHistory).filter(isSent),
        },
        beside,
      );
    }
    return told(
      "unknown.observed",
      {
        nativeType: `qwen.${entry.subtype ?? entry.type}`,
        axis: entry.subtype?.endsWith("_snapshot") ? "file-snapshots" : "side-records",
        reason: "no-counterpart",
      },
      beside,
    );
  }

  #blocks(entry: Entry, parts: readonly unknown[]): Block[] {
    let unnamed = 0;
    return parts.flatMap((part) => blocksOf(part, () => `${entry.id}/${unnamed++}`));
  }

  #event(nativeId: string, message: Message, beside: Beside): SessionEvent {
    return told("message.completed", { messageId: nativeId, ...message }, { ...beside, nativeId });
  }
}

/** A history in turns, as the model is sent it: nothing in it has an id or a time. */
function contentEvents(id: string, history: readonly unknown[]): SessionEvent[] {
  const events: SessionEvent[] = [];
  const beside = (place: number): Beside => ({ origin: [], nativeId: `${id}/${place}` });
  for (const [place, value] of history.entries()) {
    const content = fields(value) ?? {};
    const parts = list(content.parts);
    const taken = resultsIn(parts.some(isResponse) ? parts : []);
    const rest = taken.results.length > 0 ? taken.rest : parts;
    for (const answer of taken.results)
      events.push(
        completed(answer.id ?? "", answer, {}, { ...beside(place), nativeId: `${id}/${place}/${answer.id}` }),
      );
    let unnamed = 0;
    const blocks = rest.flatMap((part) => blocksOf(part, () => `${id}/${place}/${unnamed++}`));
    if (blocks.length === 0) continue;
    const own = ownOf(content);
    const role = content.role === "model" ? "assistant" : (own.role ?? "user");
    const isSummary = place === 0 && role === "user" && own.injected === undefined;
    const messageId = `${id}/${place}`;
    events.push(
      told(
        "message.completed",
        { messageId, role, blocks, ...(isSummary && { kind: "summary" }), ...without(own, "role") },
        beside(place),
      ),
    );
  }
  return events;
}

function without<T extends object, K extends keyof T | string>(value: T, key: K): Omit<T, K> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as Omit<T, K>;
}
