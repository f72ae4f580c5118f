/** Portable blocks as blocks of a stored message. What has no place in them is left out, and said. */
import {
  type Axis,
  type Block,
  isBlank,
  type LossLedger,
  legalToolName,
  type Payloads,
  type ToolCallBlock,
  type Usage,
  wellFormed,
} from "@asp-convert/core";
import { fields, name } from "@asp-convert/core/values";
import { UNKNOWN } from "./list.js";
import { OPAQUE } from "./parts.js";

export interface Part {
  type: string;
  [key: string]: unknown;
}

/** Where what is left out is said. */
export interface Said {
  ledger: LossLedger;
  record: number | undefined;
  /** It is of Cline's own: what is opaque goes back to where it came from. */
  isNative: boolean;
}

/** Half a surrogate pair is no text that a vendor takes. */
function clean(text: string, { ledger, record }: Said): string {
  const whole = wellFormed(text);
  if (whole !== text) ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, record);
  return whole;
}

function textFor(text: string, axis: Axis, said: Said): Part[] {
  if (!isBlank(text)) return [{ type: "text", text: clean(text, said) }];
  if (text !== "") said.ledger.note({ axis, level: "dropped", reason: "empty" }, said.record);
  return [];
}

/** What a person or a tool says: texts, pictures and documents. */
export function partsFor(blocks: readonly Block[], axis: Axis, said: Said): Part[] {
  return blocks.flatMap((block): Part[] => {
    switch (block.type) {
      case "text":
        return textFor(block.text, axis, said);
      case "error":
        noteError(block, said);
        return textFor(block.message, "errors", said);
      case "image":
        return imageFor(block, said);
      case "reference":
        return documentFor(block, said);
      case "unknown":
        return unknownFor(block, said);
      default: {
        const lost =
          block.type === "thinking" ? "thinking" : block.type === "tool-call" ? "tool-calls" : "tool-results";
        said.ledger.note({ axis: lost, level: "evidence-only", reason: "not-supported" }, said.record);
        return [];
      }
    }
  });
}

/** The words of an error are kept. */
function noteError({ code, detail }: Extract<Block, { type: "error" }>, { ledger, record }: Said): void {
  ledger.keep("errors");
  if (code !== undefined || detail !== undefined)
    ledger.note({ axis: "errors", level: "evidence-only", reason: "no-counterpart" }, record);
}

/** An opaque block of Cline's own goes back to where it came from; nobody else's does. */
function unknownFor(
  { nativeType, value }: Extract<Block, { type: "unknown" }>,
  { ledger, record, isNative }: Said,
): Part[] {
  const block = isNative && nativeType === OPAQUE.block ? fields(value) : undefined;
  if (block) {
    ledger.keep("opaque-reasoning");
    return [{ type: "", ...block }];
  }
  if (isNative && nativeType === OPAQUE.redacted) {
    ledger.keep("opaque-reasoning");
    return [{ type: "redacted_thinking", data: value }];
  }
  const isOwn = isNative && (nativeType === OPAQUE.details || nativeType === OPAQUE.call);
  // It went with the block before it.
  if (isOwn) ledger.keep("opaque-reasoning");
  else ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" }, record);
  return [];
}

const DATA = /^data:([^;,]+);base64,(.+)$/s;

const IMAGE_KEYS = new Set(["type", "data", "uri", "mimeType"]);

function imageFor(block: Extract<Block, { type: "image" }>, { ledger, record }: Said): Part[] {
  const [, type, inside] = DATA.exec(block.uri ?? "") ?? [];
  const data = block.data ?? inside;
  if (data === undefined) {
    // The program fetches nothing.
    ledger.note({ axis: "images", level: "evidence-only", reason: "not-supported" }, record);
    return [];
  }
  ledger.keep("images");
  if (Object.keys(block).some((key) => !IMAGE_KEYS.has(key)))
    ledger.note({ axis: "images", level: "evidence-only", reason: "no-counterpart" }, record);
  return [{ type: "image", data, mediaType: type ?? block.mimeType ?? "image/png" }];
}

function documentFor(block: Extract<Block, { type: "reference" }>, { ledger, record }: Said): Part[] {
  const [, type, inside] = DATA.exec(block.uri) ?? [];
  const data = block.data ?? inside;
  if (data === undefined && block.text !== undefined && !isBlank(block.text)) {
    ledger.keep("documents");
    ledger.note({ axis: "documents", level: "partial", reason: "re-encoded" }, record);
    return [{ type: "text", text: wellFormed(block.text) }];
  }
  if (data === undefined) {
    ledger.note({ axis: "documents", level: "evidence-only", reason: "not-supported" }, record);
    return [];
  }
  ledger.keep("documents");
  const mediaType = type ?? block.mediaType ?? "application/pdf";
  const called =
    name(block.title) ?? (inside === undefined && block.uri !== "document" ? name(block.uri) : undefined);
  return [
    {
      type: "media",
      media: {
        id: `document_${data.length}`,
        modality: /^(?:image|audio|video)(?=\/)/.exec(mediaType)?.[0] ?? "file",
        mediaType,
        source: { type: "base64", data },
        ...(called !== undefined && { name: called }),
      },
    },
  ];
}

export interface CallFor {
  id: string;
  name: string;
}

/** What a model said. @param begin names a call. */
export function answerFor(
  blocks: readonly Block[],
  begin: (toolCallId: string, tool: string) => CallFor,
  said: Said,
): Part[] {
  const { ledger, record, isNative } = said;
  return blocks.flatMap((block, i): Part[] => {
    const next = blocks[i + 1];
    const behind = (nativeType: string) =>
      isNative && next?.type === "unknown" && next.nativeType === nativeType ? next.value : undefined;
    switch (block.type) {
      case "thinking": {
        const { signature } = block;
        if (signature !== undefined && !isNative)
          ledger.note(
            { axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" },
            record,
          );
        const details = behind(OPAQUE.details);
        const isSigned = isNative && (signature !== undefined || details !== undefined);
        if (isBlank(block.text) && !isSigned) {
          if (block.text !== "") ledger.note({ axis: "thinking", level: "dropped", reason: "empty" }, record);
          return [];
        }
        ledger.keep("thinking");
        return [
          {
            type: "thinking",
            thinking: clean(block.text, said),
            ...(isNative && signature !== undefined && { signature }),
            ...(details !== undefined && { details }),
          },
        ];
      }
      case "tool-call": {
        const call = begin(block.toolCallId, legalToolName(toolName(block), ledger, record));
        const signature = behind(OPAQUE.call);
        ledger.keep("tool-calls");
        return [
          {
            type: "tool_use",
            id: call.id,
            name: call.name,
            input: argumentsFor(block.arguments),
            ...(signature !== undefined && { signature }),
          },
        ];
      }
      default:
        return partsFor([block], "messages", said);
    }
  });
}

/** A call's arguments are an object: what is none is put into one. */
function argumentsFor(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null) return {};
  return { ...(fields(given) ?? { input: given }) };
}

/** The name of a tool, the family before it where the source keeps it apart; a result without one would stop the program. */
function toolName({ name: tool, namespace }: Pick<ToolCallBlock, "name" | "namespace">): string {
  const whole = namespace === undefined ? tool : `${namespace}__${tool}`;
  return whole === "" ? UNKNOWN : whole;
}

/** Which model it was, and what it counted. */
export function besideAnswer(
  { model, usage, stopReason }: Payloads["message.completed"],
  { ledger, record }: Said,
): object {
  if (stopReason !== undefined)
    ledger.note({ axis: "turns", level: "evidence-only", reason: "no-counterpart" }, record);
  const metrics = usage && metricsFor(usage);
  if (usage) {
    ledger.keep("usage");
    if (Object.keys(usage).some((key) => !(key in METRICS)))
      ledger.note({ axis: "usage", level: "evidence-only", reason: "no-counterpart" }, record);
  }
  if (model === undefined) return metrics ? { metrics } : {};
  ledger.keep("models");
  const [, provider = UNKNOWN, id = model] = /^([^/]+)\/(.+)$/.exec(model) ?? [];
  return { modelInfo: { id, provider }, ...(metrics && { metrics }) };
}

const METRICS = {
  inputTokens: "inputTokens",
  outputTokens: "outputTokens",
  cacheReadTokens: "cacheReadTokens",
  cacheWriteTokens: "cacheWriteTokens",
  costUsd: "cost",
} as const satisfies Partial<Record<keyof Usage, string>>;

function metricsFor(usage: Usage): Record<string, number> {
  return Object.fromEntries(
    Object.entries(METRICS).flatMap(([own, native]) => {
      const count = usage[own as keyof typeof METRICS];
      return count === undefined ? [] : [[native, count]];
    }),
  );
}
