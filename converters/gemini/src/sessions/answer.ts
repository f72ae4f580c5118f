/** What a model said, as Gemini CLI's own message; its calls wait there for their results. */
import type { Payloads, Usage } from "@asp-convert/core";
import { fields } from "@asp-convert/core/values";
import { answerParts, noteUsage, type Part, type Said } from "@asp-convert/gemini-family";
import { thoughtOf } from "./wire.js";

type Payload = Payloads["message.completed"];

export interface Answer {
  content: string | Part[];
  thoughts: object[];
  tokens: object | null;
  model?: string;
  calls: { id: string }[];
}

export interface AnswerOptions extends Said {
  /** ISO 8601. */
  time: string;
  /** The answer is Gemini CLI's own: signatures go back to where they came from. */
  isNative: boolean;
  callId: (toolCallId: string, name: string) => string;
}

/** undefined: nothing of it can be written. */
export function answerFor(
  { blocks, model, usage, stopReason, display }: Payload,
  options: AnswerOptions,
): Answer | undefined {
  const { ledger, record, time } = options;
  const parts = answerParts(blocks, { ...options, sendsThoughts: false });
  if (parts.length === 0) return undefined;
  if (model !== undefined) ledger.keep("models");
  if (stopReason !== undefined)
    ledger.note({ axis: "turns", level: "evidence-only", reason: "no-counterpart" }, record);
  if (display !== undefined)
    ledger.note({ axis: "side-records", level: "evidence-only", reason: "no-counterpart" }, record);
  return {
    ...(isPlain(parts) ? plain(parts, time) : { content: parts, thoughts: [] }),
    tokens: tokensOf(usage, options),
    ...(model !== undefined && { model }),
    calls: parts.flatMap(({ functionCall }) => {
      const call = fields(functionCall);
      return call ? [{ ...call, id: String(call.id) }] : [];
    }),
  };
}

/** Thoughts, then words, then calls, and nothing signed: then each stands where the program itself puts it. */
function isPlain(parts: readonly Part[]): boolean {
  let rank = 0;
  for (const part of parts) {
    if (part.thoughtSignature !== undefined) return false;
    const own = part.thought === true ? 0 : part.functionCall === undefined ? 1 : 2;
    if (own < rank) return false;
    rank = own;
  }
  return true;
}

function plain(parts: readonly Part[], timestamp: string): Pick<Answer, "content" | "thoughts"> {
  const words = parts.filter(
    ({ thought, functionCall }) => thought === undefined && functionCall === undefined,
  );
  const [only, more] = words;
  const text = only && !more && typeof only.text === "string" ? only.text : undefined;
  return {
    content: words.length === 0 ? "" : (text ?? words),
    thoughts: parts.flatMap(({ thought, text: words }) =>
      thought === true && typeof words === "string" ? [{ ...thoughtOf(words), timestamp }] : [],
    ),
  };
}

function tokensOf(usage: Usage | undefined, said: Said): object | null {
  if (!usage) return null;
  noteUsage(usage, said);
  const { inputTokens: input = 0, outputTokens: output = 0, cacheReadTokens: cached = 0 } = usage;
  const { reasoningTokens: thoughts = 0, totalTokens: total = input + output + thoughts } = usage;
  return { input, output, cached, thoughts, tool: 0, total };
}
