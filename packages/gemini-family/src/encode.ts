/** Portable blocks as parts. What has no place in them is left out, and said. */
import {
  type Axis,
  type Block,
  isBlank,
  type LossLedger,
  type ToolCallBlock,
  wellFormed,
} from "@asp-convert/core";
import { fields } from "@asp-convert/core/values";
import { SIGNATURE } from "./parts.js";

export interface Part {
  [key: string]: unknown;
}

/** Where what is left out is said. */
export interface Said {
  ledger: LossLedger;
  record: number | undefined;
}

/** Half a surrogate pair is no text that a vendor takes. */
export function clean(text: string, { ledger, record }: Said): string {
  const whole = wellFormed(text);
  if (whole !== text) ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, record);
  return whole;
}

/** Is it a text that can be said? Of blanks, it is told that they are gone; nothing at all is nothing lost. */
export function isSaid(text: string, axis: Axis, { ledger, record }: Said): boolean {
  if (!isBlank(text)) return true;
  if (text !== "") ledger.note({ axis, level: "dropped", reason: "empty" }, record);
  return false;
}

/** What a person or a tool says: texts and bytes. */
export function partsFor(blocks: readonly Block[], axis: Axis, said: Said): Part[] {
  return blocks.flatMap((block): Part[] => {
    switch (block.type) {
      case "text":
        return isSaid(block.text, axis, said) ? [{ text: clean(block.text, said) }] : [];
      case "error":
        noteError(block, said);
        return isSaid(block.message, axis, said) ? [{ text: clean(block.message, said) }] : [];
      case "image":
      case "reference":
        return bytesFor(block, said);
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

/** An opaque part of the family's own goes back to where it came from; nobody else's does. */
export function unknownFor(block: Extract<Block, { type: "unknown" }>, { ledger, record }: Said): Part[] {
  const part = block.nativeType === "gemini.part" ? fields(block.value) : undefined;
  if (part) {
    ledger.keep("opaque-reasoning");
    return [{ ...part }];
  }
  ledger.note(
    {
      axis: "opaque-reasoning",
      level: "evidence-only",
      reason: block.nativeType === SIGNATURE ? "foreign-signature" : "no-counterpart",
    },
    record,
  );
  return [];
}

/** The words of an error are kept. */
export function noteError(
  { code, detail }: Extract<Block, { type: "error" }>,
  { ledger, record }: Said,
): void {
  ledger.keep("errors");
  if (code !== undefined || detail !== undefined)
    ledger.note({ axis: "errors", level: "evidence-only", reason: "no-counterpart" }, record);
}

const DATA = /^data:([^;,]+);base64,(.+)$/s;
/** There is no place for a name: a part that gives one is refused by the programs themselves. */
const BYTES_KEYS = new Set(["type", "data", "uri", "mimeType", "mediaType"]);

/** Bytes with their type. An address is nothing that Google's API would fetch. */
function bytesFor(block: Extract<Block, { type: "image" | "reference" }>, { ledger, record }: Said): Part[] {
  const axis = block.type === "image" ? "images" : "documents";
  const [, dataType, dataInside] = DATA.exec(block.uri ?? "") ?? [];
  const data = block.data ?? dataInside;
  const text = block.type === "reference" ? block.text : undefined;
  if (data === undefined && text !== undefined) {
    ledger.keep(axis);
    ledger.note({ axis, level: "partial", reason: "re-encoded" }, record);
    return [{ text }];
  }
  if (data === undefined) {
    ledger.note({ axis, level: "evidence-only", reason: "not-supported" }, record);
    return [];
  }
  const mimeType =
    dataType ??
    (block.type === "image" ? (block.mimeType ?? "image/png") : (block.mediaType ?? "application/pdf"));

  ledger.keep(axis);
  const isNamed = block.type === "reference" && block.uri !== "document";
  if (isNamed || Object.keys(block).some((key) => !BYTES_KEYS.has(key)))
    ledger.note({ axis, level: "evidence-only", reason: "no-counterpart" }, record);
  return [{ inlineData: { mimeType, data } }];
}

/** A result in the form that the programs themselves give it: one text under `output` or `error`. */
export function responseFor(
  { id, name }: { id: string; name: string },
  blocks: readonly Block[],
  isError: boolean,
  said: Said,
): { response: Part; text: string; beside: Part[] } {
  const parts = partsFor(blocks, "tool-results", said);
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  if (texts.length > 1)
    said.ledger.note({ axis: "tool-results", level: "partial", reason: "merged" }, said.record);
  const text = texts.join("\n");
  return {
    response: { functionResponse: { id, name, response: isError ? { error: text } : { output: text } } },
    text,
    beside: parts.filter((part) => typeof part.text !== "string"),
  };
}

/** A call's arguments are an object: what is none is put into one. */
export function argumentsFor(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null) return {};
  return { ...(fields(given) ?? { input: given }) };
}

/** The name of a tool, the family before it where the source keeps it apart. */
export function toolName({ name, namespace }: Pick<ToolCallBlock, "name" | "namespace">): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}
