/** What a model said, as Pi's assistant message. */
import type { LossLedger, Payloads, ToolCallBlock, Usage } from "@asp-convert/core";
import { fields } from "@asp-convert/core/values";
import { clean, REDACTED, RESPONSES_REASONING } from "./blocks.js";

type Payload = Payloads["message.completed"];
type Content = { type: string; [key: string]: unknown };

/** Who makes which model: told by the session, else by the model's name. */
export interface Makers {
  providers: Map<string, string>;
  /** The events come from Pi: opaque things may go back to where they came from. */
  native: boolean;
}

const KNOWN: readonly [RegExp, provider: string, api: string][] = [
  [/^claude/i, "anthropic", "anthropic-messages"],
  [/^(gpt|o\d|codex|chatgpt)/i, "openai", "openai-responses"],
  [/^gemini/i, "google", "google-generative-ai"],
];

const STOPS = ["stop", "length", "toolUse", "error", "aborted"];

/** undefined: nothing of it can be written. */
export function assistantMessage(
  payload: Payload,
  makers: Makers,
  ledger: LossLedger,
  record: number | undefined,
): object | undefined {
  const model = payload.model ?? "unknown";
  const known = KNOWN.find(([pattern]) => pattern.test(model));
  const provider = makers.providers.get(model) ?? known?.[1] ?? "unknown";
  const shownOnly = payload.audience !== undefined && !payload.audience.includes("assistant");
  const content: Content[] = [];
  let api = known?.[2] ?? "openai-completions";
  let error: string | undefined;
  for (const block of payload.blocks) {
    switch (block.type) {
      case "text":
        if (block.text.trim() === "")
          ledger.note({ axis: "messages", level: "dropped", reason: "empty" }, record);
        else content.push({ type: "text", text: clean(block.text, ledger, record) });
        break;
      case "tool-call":
        content.push({
          type: "toolCall",
          id: block.toolCallId,
          name: nameOf(block),
          arguments: argumentsOf(block),
          ...(block.namespace !== undefined && makers.native && { namespace: block.namespace }),
        });
        ledger.keep("tool-calls");
        break;
      case "thinking":
        thinking(block.text, block.signature);
        break;
      case "unknown":
        opaque(block.nativeType, block.value);
        break;
      case "error":
        error = clean(block.message, ledger, record);
        ledger.keep("errors");
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
  if (content.length === 0 && error === undefined) return undefined;
  const calls = content.some(({ type }) => type === "toolCall");
  const stopReason = shownOnly
    ? payload.stopReason === "aborted"
      ? "aborted"
      : "error"
    : STOPS.includes(payload.stopReason ?? "") && makers.native
      ? payload.stopReason
      : calls
        ? "toolUse"
        : "stop";
  return {
    role: "assistant",
    content,
    api,
    provider,
    model,
    usage: usageOf(payload.usage),
    stopReason,
    ...(error !== undefined && { errorMessage: error }),
  };

  /** Without a signature, the vendor's own API gets thinking as words of the answer: only where that cannot be. */
  function thinking(text: string, signature: string | undefined): void {
    const signed = signature !== undefined && signature !== "" && provider === "anthropic";
    if (!signed && provider !== "openai") {
      ledger.note(
        {
          axis: "thinking",
          level: "evidence-only",
          reason: signature ? "foreign-signature" : "not-supported",
        },
        record,
      );
      return;
    }
    content.push({
      type: "thinking",
      thinking: clean(text, ledger, record),
      ...(signed && { thinkingSignature: signature }),
    });
    ledger.keep("thinking");
    if (signed) ledger.keep("opaque-reasoning");
  }

  function opaque(nativeType: string, value: unknown): void {
    if (makers.native && nativeType === RESPONSES_REASONING && typeof value === "string") {
      const last = content.at(-1);
      if (last?.type === "thinking" && last.thinkingSignature === undefined) last.thinkingSignature = value;
      else content.push({ type: "thinking", thinking: "", thinkingSignature: value });
      api = "openai-responses";
      ledger.keep("opaque-reasoning");
    } else if (makers.native && nativeType === REDACTED && typeof value === "string") {
      content.push({
        type: "thinking",
        thinking: "[Reasoning redacted]",
        thinkingSignature: value,
        redacted: true,
      });
      ledger.keep("opaque-reasoning");
    } else
      ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" }, record);
  }

  function nameOf(call: ToolCallBlock): string {
    return call.namespace === undefined || makers.native ? call.name : `${call.namespace}__${call.name}`;
  }
}

/** Pi takes an object; what is none is put into one. */
function argumentsOf(call: ToolCallBlock): Record<string, unknown> {
  return { ...(fields(call.arguments) ?? { input: call.arguments }) };
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
