/** What a model said, as Gemini CLI's own message; its calls wait there for their results. */
import type { Block, Payloads, Usage } from "@asp-convert/core";
import {
  argumentsFor,
  clean,
  isSaid,
  noteError,
  type Part,
  partsFor,
  type Said,
  SIGNATURE,
  toolName,
  unknownFor,
} from "@asp-convert/gemini-family";
import { thoughtOf } from "./wire.js";

type Payload = Payloads["message.completed"];

export interface Waiting {
  id: string;
  name: string;
  args: Record<string, unknown>;
}

export interface Answer {
  content: string | Part[];
  thoughts: object[];
  tokens: object | null;
  model?: string;
  calls: Waiting[];
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
  { blocks, model, usage, stopReason }: Payload,
  options: AnswerOptions,
): Answer | undefined {
  const { ledger, record, time } = options;
  const calls: Waiting[] = [];
  const parts = blocks.flatMap((block, i) => partFor(block, blocks[i + 1], calls, options));
  if (parts.length === 0) return undefined;
  if (model !== undefined) ledger.keep("models");
  if (usage) ledger.keep("usage");
  if (stopReason !== undefined)
    ledger.note({ axis: "turns", level: "evidence-only", reason: "no-counterpart" }, record);
  return {
    ...(isPlain(parts) ? plain(parts, time) : { content: parts, thoughts: [] }),
    tokens: tokensOf(usage, options),
    ...(model !== undefined && { model }),
    calls,
  };
}

function partFor(block: Block, next: Block | undefined, calls: Waiting[], options: AnswerOptions): Part[] {
  const { ledger, record, isNative, callId } = options;
  const mark = isNative && next?.type === "unknown" && next.nativeType === SIGNATURE ? next : undefined;
  const signature = mark ? { thoughtSignature: mark.value } : {};
  switch (block.type) {
    case "text":
      return isSaid(block.text, "messages", options)
        ? [{ text: clean(block.text, options), ...signature }]
        : [];
    case "thinking":
      if (block.signature !== undefined)
        ledger.note(
          { axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" },
          record,
        );
      if (!isSaid(block.text, "thinking", options)) return [];
      ledger.keep("thinking");
      if (!isNative) ledger.note({ axis: "thinking", level: "partial", reason: "shown-not-sent" }, record);
      return [{ text: clean(block.text, options), thought: true, ...signature }];
    case "tool-call": {
      const name = toolName(block);
      const args = argumentsFor(block.arguments);
      const id = callId(block.toolCallId, name);
      calls.push({ id, name, args });
      ledger.keep("tool-calls");
      return [{ functionCall: { id, name, args }, ...signature }];
    }
    case "error":
      noteError(block, options);
      return isSaid(block.message, "errors", options) ? [{ text: clean(block.message, options) }] : [];
    case "unknown":
      if (isNative && block.nativeType === SIGNATURE) {
        ledger.keep("opaque-reasoning"); // it went with the block before it
        return [];
      }
      return unknownFor(block, options);
    default:
      return partsFor([block], "messages", options);
  }
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

const COUNTED = ["inputTokens", "outputTokens", "cacheReadTokens", "reasoningTokens", "totalTokens"];

function tokensOf(usage: Usage | undefined, { ledger, record }: Said): object | null {
  if (!usage) return null;
  const { inputTokens: input = 0, outputTokens: output = 0, cacheReadTokens: cached = 0 } = usage;
  const { reasoningTokens: thoughts = 0, totalTokens: total = input + output + thoughts } = usage;
  if (Object.keys(usage).some((key) => !COUNTED.includes(key)))
    ledger.note({ axis: "usage", level: "evidence-only", reason: "no-counterpart" }, record);
  return { input, output, cached, thoughts, tool: 0, total };
}
