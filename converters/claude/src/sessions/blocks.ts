/** Content blocks of a record as portable blocks. What is not known stays itself, as `claude.<type>`. */
import type { Block, Usage } from "@asp-convert/core";
import { type Json, list, number, object, text } from "./value.js";

export function blocksOf(content: unknown): Block[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return (list(content) ?? []).map(blockOf);
}

export function blockOf(native: unknown): Block {
  if (typeof native === "string") return { type: "text", text: native };
  const block = object(native);
  const type = text(block?.type);
  if (!block || type === undefined) return { type: "unknown", nativeType: "claude.block", value: native };
  switch (type) {
    case "text":
      if (typeof block.text === "string") return { type: "text", text: block.text };
      break;
    case "thinking":
      if (typeof block.thinking === "string") {
        const signature = text(block.signature);
        return { type: "thinking", text: block.thinking, ...(signature !== undefined && { signature }) };
      }
      break;
    case "tool_use":
      if (typeof block.id === "string" && typeof block.name === "string") {
        return { type: "tool-call", toolCallId: block.id, name: block.name, arguments: block.input };
      }
      break;
    case "image":
      return imageOf(block) ?? unknown(type, block);
    case "document":
      return documentOf(block) ?? unknown(type, block);
  }
  return unknown(type, block);
}

function unknown(type: string, value: Json): Block {
  return { type: "unknown", nativeType: `claude.${type}`, value };
}

function imageOf(block: Json): Block | undefined {
  const source = object(block.source);
  const mimeType = text(source?.media_type);
  const kind = mimeType === undefined ? {} : { mimeType };
  if (typeof source?.data === "string") return { type: "image", ...kind, data: source.data };
  return typeof source?.url === "string" ? { type: "image", ...kind, uri: source.url } : undefined;
}

function documentOf(block: Json): Block | undefined {
  const source = object(block.source);
  if (!source) return undefined;
  const title = text(block.title);
  const mediaType = text(source.media_type);
  const uri = text(source.url);
  const data = text(source.data);
  if (uri === undefined && data === undefined) return undefined;
  return {
    type: "reference",
    uri: uri ?? title ?? "document",
    ...(title !== undefined && { title }),
    ...(mediaType !== undefined && { mediaType }),
    ...(data !== undefined && (source.type === "text" ? { text: data } : { data })),
  };
}

/** A result's content; what is no list of blocks is sent as its JSON text. */
export function resultOf(content: unknown): Block[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string" || Array.isArray(content)) return blocksOf(content);
  return [{ type: "text", text: JSON.stringify(content) }];
}

export function usageOf(native: unknown): Usage | undefined {
  const usage = object(native);
  if (!usage) return undefined;
  const out: Usage = {};
  const input = number(usage.input_tokens);
  const output = number(usage.output_tokens);
  const read = number(usage.cache_read_input_tokens);
  const write = number(usage.cache_creation_input_tokens);
  if (input !== undefined) out.inputTokens = input;
  if (output !== undefined) out.outputTokens = output;
  if (read !== undefined) out.cacheReadTokens = read;
  if (write !== undefined) out.cacheWriteTokens = write;
  return out;
}
