/** What a model said, as parts; thoughts among them, which the program sends back to its model. */
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

type Payload = Payloads["message.completed"];

export interface AnswerOptions extends Said {
  /** The answer is Qwen Code's own: signatures go back to where they came from. */
  isNative: boolean;
  callId: (toolCallId: string, name: string) => string;
}

export function answerParts({ blocks }: Pick<Payload, "blocks">, options: AnswerOptions): Part[] {
  return blocks.flatMap((block, i) => partFor(block, blocks[i + 1], options));
}

function partFor(block: Block, next: Block | undefined, options: AnswerOptions): Part[] {
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
      return [{ text: clean(block.text, options), thought: true, ...signature }];
    case "tool-call": {
      const name = toolName(block);
      ledger.keep("tool-calls");
      const id = callId(block.toolCallId, name);
      return [{ functionCall: { id, name, args: argumentsFor(block.arguments) }, ...signature }];
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

const COUNTED = ["inputTokens", "outputTokens", "cacheReadTokens", "reasoningTokens", "totalTokens"];

export function usageFor(usage: Usage, { ledger, record }: Said): object {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, reasoningTokens = 0 } = usage;
  if (Object.keys(usage).some((key) => !COUNTED.includes(key)))
    ledger.note({ axis: "usage", level: "evidence-only", reason: "no-counterpart" }, record);
  ledger.keep("usage");
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens,
    thoughtsTokenCount: reasoningTokens,
    totalTokenCount: usage.totalTokens ?? inputTokens + outputTokens,
    cachedContentTokenCount: cacheReadTokens,
  };
}
