/** Blocks of a stored message as portable ones. */
import type { Block, Usage } from "@asp-convert/core";
import { type Fields, fields, name, number, string } from "@asp-convert/core/values";
import { fileText, sentText } from "./wire.js";

/** Opaque: what a vendor binds its reasoning with. Each stands behind the block that it belongs to. */
export const OPAQUE = {
  redacted: "cline.redacted_thinking",
  details: "cline.reasoning_details",
  call: "cline.call_signature",
  block: "cline.block",
} as const;

/** @param callId names a call that has no id. */
export function blocksOf(value: unknown, role: string, callId: () => string): Block[] {
  const block = fields(value) ?? {};
  const text = string(block.text);
  switch (block.type) {
    case "text":
      if (text !== undefined) return [{ type: "text", text: role === "user" ? sentText(text) : text }];
      break;
    case "thinking": {
      const signature = name(block.signature);
      const { details } = block;
      return [
        {
          type: "thinking",
          text: string(block.thinking) ?? "",
          ...(signature !== undefined && { signature }),
        },
        ...opaque(OPAQUE.details, details),
      ];
    }
    case "redacted_thinking":
      return opaque(OPAQUE.redacted, block.data);
    case "tool_use":
      return [
        {
          type: "tool-call",
          toolCallId: name(block.id) ?? callId(),
          ...toolOf(string(block.name) ?? ""),
          arguments: block.input ?? {},
        },
        ...opaque(OPAQUE.call, block.signature),
      ];
    case "image":
      if (typeof block.data === "string")
        return [{ type: "image", mimeType: string(block.mediaType) ?? "image/png", data: block.data }];
      break;
    case "file": {
      const path = string(block.path);
      const content = string(block.content);
      if (path !== undefined && content !== undefined)
        return [{ type: "text", text: fileText(path, content) }];
      break;
    }
    case "media": {
      const media = mediaOf(fields(block.media) ?? {});
      if (media) return [media];
    }
  }
  return [{ type: "unknown", nativeType: OPAQUE.block, value: block }];
}

/** Tools of servers are called by these: `server__tool`. What was called so elsewhere keeps its whole name. */
function toolOf(whole: string): { name: string; namespace?: string } {
  const [, namespace, tool] = /^(?!mcp__)([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)__(.+)$/.exec(whole) ?? [];
  return namespace === undefined || tool === undefined ? { name: whole } : { name: tool, namespace };
}

function opaque(nativeType: string, value: unknown): Block[] {
  return value === undefined || value === null || value === ""
    ? []
    : [{ type: "unknown", nativeType, value }];
}

/** A picture, a sound or a document, inside or somewhere else. */
function mediaOf(media: Fields): Block | undefined {
  const source = fields(media.source) ?? {};
  const data = source.type === "base64" ? string(source.data) : undefined;
  const uri = source.type === "url" ? string(source.url) : undefined;
  const mediaType = name(media.mediaType);
  if ((data === undefined && uri === undefined) || mediaType === undefined) return undefined;
  const title = name(media.name);
  if (mediaType.startsWith("image/"))
    return {
      type: "image",
      mimeType: mediaType,
      ...(data === undefined ? { uri: uri as string } : { data }),
      ...(title !== undefined && { alt: title }),
    };
  return {
    type: "reference",
    uri: uri ?? title ?? "document",
    mediaType,
    ...(title !== undefined && { title }),
    ...(data !== undefined && { data }),
  };
}

const COUNTS = {
  inputTokens: "inputTokens",
  outputTokens: "outputTokens",
  cacheReadTokens: "cacheReadTokens",
  cacheWriteTokens: "cacheWriteTokens",
  cost: "costUsd",
} as const satisfies Record<string, keyof Usage>;

export function usageOf(metrics: unknown): Usage | undefined {
  const given = fields(metrics) ?? {};
  const entries = Object.entries(COUNTS).flatMap(([native, own]) => {
    const count = number(given[native]);
    return count === undefined ? [] : [[own, count] as const];
  });
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Usage);
}
