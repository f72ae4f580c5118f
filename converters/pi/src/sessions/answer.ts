/** What a model said, as Pi's assistant message. */

import type { Block, LossLedger, Payloads, ToolCallBlock, UnknownBlock, Usage } from "@asp-convert/core";
import { legalToolName } from "@asp-convert/core";
import { fields, string } from "@asp-convert/core/values";
import { servedBy, UNKNOWN } from "./models.js";
import * as opaque from "./opaque.js";
import { clean, noteError } from "./parts.js";

type Payload = Payloads["message.completed"];
type Content = { type: string; [key: string]: unknown };

export interface AnswerOptions {
  /** The answer is Pi's own: opaque things go back to where they came from. */
  native: boolean;
  ledger: LossLedger;
  record: number | undefined;
  /** APIs that models of this session were seen to be reached over, by provider and model; added to. */
  apis: Map<string, string>;
  /** The id that a call gets here. */
  callId: (call: ToolCallBlock) => string;
}

const STOPS = ["stop", "length", "toolUse", "deferred"];

/** undefined: nothing of it can be written. */
export function assistantMessage(payload: Payload, options: AnswerOptions): object | undefined {
  return new Answer(payload, options).message();
}

/** An answer that was shown and not sent because it failed. */
export function isFailed({ blocks, stopReason }: Payload): boolean {
  return stopReason === "error" || stopReason === "aborted" || blocks.some(({ type }) => type === "error");
}

class Answer {
  readonly #payload: Payload;
  readonly #options: AnswerOptions;
  readonly #content: Content[] = [];
  readonly #provider: string;
  readonly #model: string;
  #api: string;
  #error: string | undefined;

  constructor(payload: Payload, options: AnswerOptions) {
    this.#payload = payload;
    this.#options = options;
    const { provider, model, api } = servedBy(payload.model ?? UNKNOWN);
    this.#provider = provider;
    this.#model = model;
    this.#api = options.apis.get(`${provider}/${model}`) ?? api;
  }

  #reachedOver(api: string): void {
    this.#api = api;
    this.#options.apis.set(`${this.#provider}/${this.#model}`, api);
  }

  message(): object | undefined {
    const { blocks, model, usage, audience } = this.#payload;
    const { ledger } = this.#options;
    for (let i = 0; i < blocks.length; i++) {
      const block = blocks[i] as Block;
      const next = blocks[i + 1];
      const mark = next?.type === "unknown" && this.#belongs(block, next) ? next : undefined;
      if (mark) i++;
      this.#block(block, mark);
    }
    const shownOnly = audience !== undefined && !audience.includes("assistant");
    const failed = shownOnly && isFailed(this.#payload);
    if (this.#content.length === 0 && !failed) return undefined;
    if (model !== undefined) ledger.keep("models");
    if (usage !== undefined) ledger.keep("usage");
    return {
      role: "assistant",
      content: this.#content,
      api: this.#api,
      provider: this.#provider,
      model: this.#model,
      usage: usageOf(usage),
      stopReason: this.#stopReason(failed),
      ...(failed && this.#error !== undefined && { errorMessage: this.#error }),
    };
  }

  #stopReason(failed: boolean): string {
    const { stopReason = "" } = this.#payload;
    if (failed) return stopReason === "aborted" ? "aborted" : "error";
    if (this.#options.native && STOPS.includes(stopReason)) return stopReason;
    if (stopReason !== "")
      this.#options.ledger.note(
        { axis: "turns", level: "partial", reason: "re-encoded" },
        this.#options.record,
      );
    return this.#content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop";
  }

  /** Is what stands behind a block a part of it? To other programs' opaque things that question is not put. */
  #belongs({ type }: Block, mark: UnknownBlock): boolean {
    if (!this.#options.native) return false;
    if (type === "thinking") return opaque.isOfThought(mark);
    const { nativeType } = mark;
    if (type === "text") return nativeType === opaque.TEXT;
    return type === "tool-call" && nativeType === opaque.CALL;
  }

  #block(block: Block, mark: UnknownBlock | undefined): void {
    const { ledger, record, native } = this.#options;
    if (mark) ledger.keep("opaque-reasoning");
    switch (block.type) {
      case "text":
        this.#text(block.text, mark && string(mark.value));
        break;
      case "tool-call": {
        const name = legalToolName(nameOf(block, native), ledger, record);
        this.#content.push({
          type: "toolCall",
          // The result bears the name too.
          id: this.#options.callId({ ...block, name }),
          name,
          arguments: argumentsOf(block),
          ...(block.namespace !== undefined && native && { namespace: block.namespace }),
          ...(mark && { thoughtSignature: mark.value }),
        });
        ledger.keep("tool-calls");
        break;
      }
      case "thinking":
        if (native) this.#thought(block.text, block.signature, mark);
        else this.#foreignThought(block.text, block.signature);
        break;
      case "unknown":
        if (native && block.nativeType === opaque.THINKING) {
          this.#thought("", undefined, block);
          ledger.keep("opaque-reasoning");
        } else
          ledger.note(
            { axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" },
            record,
          );
        break;
      case "error":
        this.#error = [this.#error, clean(block.message, ledger, record)].filter(Boolean).join("\n");
        noteError(block, ledger, record);
        break;
      case "image":
        ledger.note({ axis: "images", level: "evidence-only", reason: "not-supported" }, record);
        break;
      case "reference":
        ledger.note({ axis: "documents", level: "evidence-only", reason: "not-supported" }, record);
        break;
      case "tool-result":
        ledger.note({ axis: "tool-results", level: "evidence-only", reason: "not-supported" }, record);
    }
  }

  #text(text: string, signature: string | undefined): void {
    const { ledger, record } = this.#options;
    if (text.trim() === "") {
      if (text !== "") ledger.note({ axis: "messages", level: "dropped", reason: "empty" }, record);
      return;
    }
    const textSignature = signature === undefined ? {} : { textSignature: signature };
    if (signature !== undefined) this.#reachedOver("openai-responses");
    this.#content.push({ type: "text", text: clean(text, ledger, record), ...textSignature });
  }

  #thought(text: string, signature: string | undefined, mark: UnknownBlock | undefined): void {
    const { ledger, record } = this.#options;
    const { thought, api } = opaque.thoughtOf(text, signature, mark);
    if (api !== undefined) this.#reachedOver(api);
    this.#content.push({ type: "thinking", ...thought, thinking: clean(thought.thinking, ledger, record) });
    if (text !== "") ledger.keep("thinking");
    if (signature !== undefined) ledger.keep("opaque-reasoning");
  }

  /**
   * Pi sends thinking only to the model that it names. A signature goes along to Anthropic, if it is Anthropic's;
   * without one, Anthropic would be sent the thought as words of the answer, so it stays behind.
   */
  #foreignThought(text: string, signature: string | undefined): void {
    const { ledger, record } = this.#options;
    const toAnthropic = this.#provider === "anthropic";
    const signed = signature !== undefined && signature !== "";
    if (signed && !toAnthropic)
      ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" }, record);
    if (text.trim() === "" && !(signed && toAnthropic)) return;
    if (toAnthropic && !signed) {
      ledger.note({ axis: "thinking", level: "evidence-only", reason: "not-supported" }, record);
      return;
    }
    this.#content.push({
      type: "thinking",
      thinking: clean(text, ledger, record),
      ...(signed && toAnthropic && { thinkingSignature: signature }),
    });
    if (text !== "") ledger.keep("thinking");
    if (signed && toAnthropic) ledger.keep("opaque-reasoning");
  }
}

function nameOf(call: ToolCallBlock, native: boolean): string {
  return call.namespace === undefined || native ? call.name : `${call.namespace}__${call.name}`;
}

/** Pi takes an object; what is none is put into one. */
function argumentsOf({ arguments: given }: ToolCallBlock): Record<string, unknown> {
  if (given === undefined || given === null) return {};
  return { ...(fields(given) ?? { input: given }) };
}

function usageOf(usage: Usage | undefined): object {
  const input = usage?.inputTokens ?? 0;
  const output = usage?.outputTokens ?? 0;
  const cacheRead = usage?.cacheReadTokens ?? 0;
  const cacheWrite = usage?.cacheWriteTokens ?? 0;
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    ...(usage?.reasoningTokens !== undefined && { reasoning: usage.reasoningTokens }),
    totalTokens: usage?.totalTokens ?? input + output + cacheRead + cacheWrite,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: usage?.costUsd ?? 0 },
  };
}
