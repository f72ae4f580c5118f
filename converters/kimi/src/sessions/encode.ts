/** Portable blocks as parts of a journal. What has no place in them is left out, and said. */
import {
  type Axis,
  type Block,
  isBlank,
  type LossLedger,
  type ToolCallBlock,
  wellFormed,
} from "@asp-convert/core";
import { fields } from "@asp-convert/core/values";
import { ENCRYPTED } from "./parts.js";

export interface Part {
  type: string;
  [key: string]: unknown;
}

/** Where what is left out is said. */
export interface Said {
  ledger: LossLedger;
  record: number | undefined;
  /** The session is Kimi Code's own: what only it can read goes back to it. */
  isNative: boolean;
}

/** Half a surrogate pair is no text that a vendor takes. */
export function clean(text: string, { ledger, record }: Said): string {
  const whole = wellFormed(text);
  if (whole !== text) ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, record);
  return whole;
}

/** @param axis of the texts: what is lost with an empty one. */
export function partsFor(blocks: readonly Block[], axis: Axis, said: Said): Part[] {
  return blocks.flatMap((block, i) => partFor(block, blocks[i + 1], axis, said));
}

function partFor(block: Block, next: Block | undefined, axis: Axis, said: Said): Part[] {
  const { ledger, record, isNative } = said;
  switch (block.type) {
    case "text":
      return text(block.text, axis, said);
    case "thinking": {
      if (block.signature !== undefined)
        ledger.note(
          { axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" },
          record,
        );
      const mark = isNative && next?.type === "unknown" && next.nativeType === ENCRYPTED ? next : undefined;
      if (isBlank(block.text) && !mark) {
        if (block.text !== "") ledger.note({ axis: "thinking", level: "dropped", reason: "empty" }, record);
        return [];
      }
      ledger.keep("thinking");
      return [{ type: "think", think: clean(block.text, said), ...(mark && { encrypted: mark.value }) }];
    }
    case "error":
      ledger.keep("errors");
      if (block.code !== undefined || block.detail !== undefined)
        ledger.note({ axis: "errors", level: "evidence-only", reason: "no-counterpart" }, record);
      return text(block.message, axis, said);
    case "image":
      return image(block, said);
    case "reference":
      return document(block, said);
    case "unknown":
      return opaque(block, said);
    case "tool-call":
      return []; // stands beside the parts
    case "tool-result":
      ledger.note({ axis: "tool-results", level: "evidence-only", reason: "not-supported" }, record);
      return [];
  }
}

function text(words: string, axis: Axis, said: Said): Part[] {
  if (!isBlank(words)) return [{ type: "text", text: clean(words, said) }];
  // What said nothing said nothing: only blanks are something that is lost.
  if (words !== "") said.ledger.note({ axis, level: "dropped", reason: "empty" }, said.record);
  return [];
}

const DATA = /^data:[^;,]+;base64,./s;

/** Its bytes, or an address that the model's vendor would fetch. */
function image(block: Extract<Block, { type: "image" }>, { ledger, record }: Said): Part[] {
  const { data, uri = "", mimeType = "image/png", alt } = block;
  const url = data === undefined ? uri : `data:${mimeType};base64,${data}`;
  if (data === undefined && !DATA.test(uri) && !/^https?:/.test(uri)) {
    ledger.note({ axis: "images", level: "evidence-only", reason: "not-supported" }, record);
    return [];
  }
  ledger.keep("images");
  const { type: _, data: __, uri: ___, mimeType: ____, alt: _____, ...rest } = block;
  if (Object.keys(rest).length > 0 || (data === undefined && block.mimeType !== undefined))
    ledger.note({ axis: "images", level: "evidence-only", reason: "no-counterpart" }, record);
  return [{ type: "image_url", imageUrl: { url, ...(alt !== undefined && { name: alt }) } }];
}

/** Sound and moving pictures have a part of their own; of a document only the words can be said. */
function document(block: Extract<Block, { type: "reference" }>, said: Said): Part[] {
  const { ledger, record } = said;
  const { mediaType = "", data, uri } = block;
  const [, kind] = /^(audio|video)\//.exec(mediaType) ?? [];
  if (kind !== undefined && data !== undefined) {
    ledger.keep("documents");
    ledger.note({ axis: "documents", level: "partial", reason: "re-encoded" }, record);
    return [
      {
        type: `${kind}_url`,
        [`${kind}Url`]: { url: `data:${mediaType};base64,${data}`, name: block.title ?? uri },
      },
    ];
  }
  if (data === undefined && block.text !== undefined) {
    ledger.keep("documents");
    ledger.note({ axis: "documents", level: "partial", reason: "re-encoded" }, record);
    return text(block.text, "documents", said);
  }
  ledger.note({ axis: "documents", level: "evidence-only", reason: "not-supported" }, record);
  return [];
}

function opaque(block: Extract<Block, { type: "unknown" }>, { ledger, record, isNative }: Said): Part[] {
  const part = isNative && block.nativeType === "kimi.part" ? fields(block.value) : undefined;
  if (part) {
    ledger.keep("opaque-reasoning");
    return [{ type: "", ...part }];
  }
  if (isNative && block.nativeType === ENCRYPTED) {
    ledger.keep("opaque-reasoning"); // it went with the thought before it
    return [];
  }
  ledger.note({ axis: "opaque-reasoning", level: "evidence-only", reason: "no-counterpart" }, record);
  return [];
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
