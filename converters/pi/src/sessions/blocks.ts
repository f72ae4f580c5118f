/** Pi's content ⇄ portable blocks. */
import type { Block, LossLedger, Usage } from "@asp-convert/core";
import { type Fields, fields, list, name, number, string } from "@asp-convert/core/values";

/** A whole reasoning item of the Responses API, as the text Pi keeps in `thinkingSignature`. */
export const RESPONSES_REASONING = "pi.responses_reasoning";
/** A redacted thinking block: its payload. */
export const REDACTED = "pi.redacted_thinking";

/** What a user, a tool or an extension says: text or parts. */
export function contentBlocks(content: unknown): Block[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return list(content).map(part);
}

/** What the model said. String content, which Pi itself breaks on, is read as text. */
export function assistantBlocks(message: Fields): Block[] {
  if (typeof message.content === "string") return [{ type: "text", text: message.content }];
  return list(message.content).flatMap((block) => {
    const { type, ...rest } = fields(block) ?? {};
    if (type === "thinking") return thinking(rest, string(message.api));
    if (type === "toolCall" && typeof rest.id === "string" && typeof rest.name === "string") {
      const namespace = name(rest.namespace);
      return [
        {
          type: "tool-call" as const,
          toolCallId: rest.id,
          name: rest.name,
          arguments: rest.arguments ?? {},
          ...(namespace !== undefined && { namespace }),
        },
      ];
    }
    return [part(block)];
  });
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

/** A signature means something to the vendor of its own API only; what is one depends on the API. */
function thinking(block: Fields, api: string | undefined): Block[] {
  const text = string(block.thinking) ?? "";
  const signature = name(block.thinkingSignature);
  if (block.redacted === true) return [{ type: "unknown", nativeType: REDACTED, value: signature ?? text }];
  if (signature === undefined || api === "openai-completions") return [{ type: "thinking", text }];
  if (api !== undefined && /responses$/.test(api)) {
    const opaque: Block = { type: "unknown", nativeType: RESPONSES_REASONING, value: signature };
    return text === "" ? [opaque] : [{ type: "thinking", text }, opaque];
  }
  return [{ type: "thinking", text, signature }];
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

export type Part = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

/** Blocks as parts that Pi sends: text and pictures. Anything else is left out, and said. */
export function partsOf(blocks: readonly Block[], ledger: LossLedger, record: number | undefined): Part[] {
  return blocks.flatMap((block): Part[] => {
    if (block.type === "text") {
      if (block.text.trim() === "") {
        ledger.note({ axis: "messages", level: "dropped", reason: "empty" }, record);
        return [];
      }
      return [{ type: "text", text: clean(block.text, ledger, record) }];
    }
    if (block.type === "error") return [{ type: "text", text: clean(block.message, ledger, record) }];
    if (block.type === "image" && block.data !== undefined) {
      ledger.keep("images");
      return [{ type: "image", data: block.data, mimeType: block.mimeType ?? "image/png" }];
    }
    if (block.type === "image")
      ledger.note({ axis: "images", level: "evidence-only", reason: "not-supported" }, record);
    else if (block.type === "reference") {
      ledger.note({ axis: "documents", level: "evidence-only", reason: "not-supported" }, record);
    } else
      ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "no-counterpart" }, record);
    return [];
  });
}

/** Half a surrogate pair is no text that a vendor takes. */
export function clean(text: string, ledger: LossLedger, record: number | undefined): string {
  if (text.isWellFormed()) return text;
  ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, record);
  return text.toWellFormed();
}
