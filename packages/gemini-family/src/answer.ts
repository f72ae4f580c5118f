/** What a model said, as parts; each opaque payload of the family's own behind what it belongs to. */

import type { Block, Usage } from "@asp-convert/core";
import { legalToolName } from "@asp-convert/core";
import {
  argumentsFor,
  clean,
  isSaid,
  noteError,
  type Part,
  partsFor,
  type Said,
  toolName,
  unknownFor,
} from "./encode.js";
import { SIGNATURE } from "./parts.js";

export interface AnswerOptions extends Said {
  /** The answer is the program's own: signatures go back to where they came from. */
  isNative: boolean;
  /** The program sends thoughts back to its model. */
  sendsThoughts: boolean;
  callId: (toolCallId: string, name: string) => string;
}

/** Empty: nothing of it can be written. */
export function answerParts(blocks: readonly Block[], options: AnswerOptions): Part[] {
  return blocks.flatMap((block, i) => partFor(block, blocks[i + 1], options));
}

function partFor(block: Block, next: Block | undefined, options: AnswerOptions): Part[] {
  const { ledger, record, isNative, sendsThoughts, callId } = options;
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
      if (!isNative && !sendsThoughts)
        ledger.note({ axis: "thinking", level: "partial", reason: "shown-not-sent" }, record);
      return [{ text: clean(block.text, options), thought: true, ...signature }];
    case "tool-call": {
      const name = legalToolName(toolName(block), ledger, record);
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

/** The programs count these, and nothing else. */
export function noteUsage(usage: Usage, { ledger, record }: Said): void {
  ledger.keep("usage");
  if (Object.keys(usage).some((key) => !COUNTED.includes(key)))
    ledger.note({ axis: "usage", level: "evidence-only", reason: "no-counterpart" }, record);
}
