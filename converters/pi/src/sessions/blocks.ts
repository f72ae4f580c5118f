/** Pi's content as portable blocks. */
import type { Block, Usage } from "@asp-convert/core";
import { type Fields, fields, list, name, number, string } from "@asp-convert/core/values";
import { CALL, TEXT, thinkingBlocks } from "./opaque.js";

/** What a user, a tool or an extension says: text or parts. */
export function contentBlocks(content: unknown): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return list(content).map(part);
}

/** What the model said. String content, which Pi itself breaks on, is read as text. */
export function assistantBlocks(content: unknown, api: string | undefined): Block[] {
  if (typeof content === "string") return contentBlocks(content);
  return list(content).flatMap((value): Block[] => {
    const block = fields(value) ?? {};
    switch (block.type) {
      case "thinking":
        return thinkingBlocks(block, api);
      case "toolCall":
        return call(block) ?? [part(value)];
      case "text":
        return [part(value), ...opaque(TEXT, block.textSignature)];
      default:
        return [part(value)];
    }
  });
}

function call(block: Fields): Block[] | undefined {
  const { id, name: tool } = block;
  if (typeof id !== "string" || typeof tool !== "string") return undefined;
  const namespace = name(block.namespace);
  return [
    {
      type: "tool-call",
      toolCallId: id,
      name: tool,
      arguments: block.arguments ?? {},
      ...(namespace !== undefined && { namespace }),
    },
    ...opaque(CALL, block.thoughtSignature),
  ];
}

function opaque(nativeType: string, value: unknown): Block[] {
  return value === undefined || value === null ? [] : [{ type: "unknown", nativeType, value }];
}

function part(value: unknown): Block {
  const block = fields(value);
  if (block?.type === "text" && typeof block.text === "string") return { type: "text", text: block.text };
  if (block?.type === "image" && typeof block.data === "string") {
    const mimeType = string(block.mimeType);
    return { type: "image", data: block.data, ...(mimeType !== undefined && { mimeType }) };
  }
  return { type: "unknown", nativeType: `pi.${string(block?.type) ?? "block"}`, value };
}

export function usageOf(value: unknown): Usage | undefined {
  const usage = fields(value);
  if (!usage) return undefined;
  const entries = [
    ["inputTokens", usage.input],
    ["outputTokens", usage.output],
    ["cacheReadTokens", usage.cacheRead],
    ["cacheWriteTokens", usage.cacheWrite],
    ["reasoningTokens", usage.reasoning],
    ["totalTokens", usage.totalTokens],
    ["costUsd", fields(usage.cost)?.total],
  ].filter(([, count]) => number(count) !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Usage);
}
