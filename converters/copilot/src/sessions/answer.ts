/** What the model said, as portable blocks. */
import type { Block, Usage } from "@asp-convert/core";
import { type Fields, fields, list, number, string } from "@asp-convert/core/values";

/** What only the maker of a model can read of its thoughts. */
export const REASONING = "copilot.reasoning";
const OPAQUE = ["reasoningOpaque", "encryptedContent", "reasoningBlocks", "reasoningWireField"] as const;

/** Of an answer: what is carried whole, for nobody else to read. */
export const EXTRAS = "copilot.extras";
const EXTRA = ["serverTools", "citations", "fusion"] as const;

export function answerBlocks(data: Fields): Block[] {
  const blocks: Block[] = [];
  const thought = string(data.reasoningText);
  if (thought !== undefined && thought !== "") blocks.push({ type: "thinking", text: thought });
  blocks.push(...opaque(REASONING, picked(data, OPAQUE)));
  const content = string(data.content);
  if (content !== undefined && content !== "") blocks.push({ type: "text", text: content });
  for (const each of list(data.toolRequests)) {
    const call = fields(each) ?? {};
    blocks.push({
      type: "tool-call",
      toolCallId: string(call.toolCallId) ?? "",
      name: string(call.name) ?? "",
      arguments: call.arguments ?? {},
      ...(call.type === "custom" && typeof call.arguments === "string" && { freeform: true }),
    });
  }
  blocks.push(...opaque(EXTRAS, picked(data, EXTRA)));
  return blocks;
}

function picked(data: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((key) => (data[key] === undefined || data[key] === null ? [] : [[key, data[key]]])),
  );
}

function opaque(nativeType: string, value: Fields): Block[] {
  return Object.keys(value).length === 0 ? [] : [{ type: "unknown", nativeType, value }];
}

const COUNTS = {
  inputTokens: "inputTokens",
  outputTokens: "outputTokens",
  cacheReadTokens: "cacheReadTokens",
  cacheWriteTokens: "cacheWriteTokens",
  reasoningTokens: "reasoningTokens",
} as const;

export function usageOf(usage: Fields): Usage {
  return Object.fromEntries(
    Object.entries(COUNTS).flatMap(([native, own]) => {
      const count = number(usage[native]);
      return count === undefined ? [] : [[own, count]];
    }),
  );
}
