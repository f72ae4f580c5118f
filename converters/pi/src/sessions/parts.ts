/** Portable blocks as parts that Pi sends: text and pictures. */
import type { Axis, Block, LossLedger } from "@asp-convert/core";

export type Part = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

/**
 * Anything else is left out, and said.
 * @param axis of the texts: what is lost with an empty one.
 */
export function partsOf(
  blocks: readonly Block[],
  axis: Axis,
  ledger: LossLedger,
  record: number | undefined,
): Part[] {
  return blocks.flatMap((block): Part[] => {
    switch (block.type) {
      case "text":
        return textPart(block.text, axis, ledger, record);
      case "error":
        noteError(block, ledger, record);
        return textPart(block.message, axis, ledger, record);
      case "image": {
        const image = imagePart(block);
        if (image) ledger.keep("images");
        else ledger.note({ axis: "images", level: "evidence-only", reason: "not-supported" }, record);
        if (image && Object.keys(block).some((key) => !KNOWN.has(key)))
          ledger.note({ axis: "images", level: "evidence-only", reason: "no-counterpart" }, record);
        return image ? [image] : [];
      }
      case "reference":
        ledger.note({ axis: "documents", level: "evidence-only", reason: "not-supported" }, record);
        return [];
      default:
        ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "no-counterpart" }, record);
        return [];
    }
  });
}

/** Of a picture Pi keeps the bytes and their type: no name, and not how closely it was looked at. */
const KNOWN = new Set(["type", "data", "uri", "mimeType"]);

/** Pi keeps the words of an error. */
export function noteError(
  { code, detail }: Extract<Block, { type: "error" }>,
  ledger: LossLedger,
  record: number | undefined,
): void {
  ledger.keep("errors");
  if (code !== undefined || detail !== undefined)
    ledger.note({ axis: "errors", level: "evidence-only", reason: "no-counterpart" }, record);
}

function textPart(text: string, axis: Axis, ledger: LossLedger, record: number | undefined): Part[] {
  if (text.trim() !== "") return [{ type: "text", text: clean(text, ledger, record) }];
  // What said nothing said nothing: only blanks are something that is lost.
  if (text !== "") ledger.note({ axis, level: "dropped", reason: "empty" }, record);
  return [];
}

const DATA = /^data:([^;,]+);base64,(.+)$/s;

function imagePart({
  data,
  uri,
  mimeType = "image/png",
}: Extract<Block, { type: "image" }>): Part | undefined {
  if (data !== undefined) return { type: "image", data, mimeType };
  const [, type, inside] = DATA.exec(uri ?? "") ?? [];
  return type !== undefined && inside !== undefined
    ? { type: "image", data: inside, mimeType: type }
    : undefined;
}

/** Half a surrogate pair is no text that a vendor takes. */
export function clean(text: string, ledger: LossLedger, record: number | undefined): string {
  if (text.isWellFormed()) return text;
  ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, record);
  return text.toWellFormed();
}
