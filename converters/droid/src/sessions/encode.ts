/** Portable blocks → Droid's content parts. Only shapes that it was seen to write, or to take. */
import {
  type Axis,
  type Block,
  isBlank,
  type Loss,
  type LossLedger,
  legalToolName,
  wellFormed,
} from "@asp-convert/core";

export interface Said {
  ledger: LossLedger;
  record: number | undefined;
  /** The session is the program's own. */
  isNative?: boolean;
}

export type Part = Readonly<Record<string, unknown>>;

export function textPart(text: string, said: Said): { type: "text"; text: string }[] {
  const clean = wellFormed(text);
  if (clean !== text) note(said, "raw", "invalid-text", "partial");
  return isBlank(clean) ? [] : [{ type: "text", text: clean }];
}

/** @param axis of its texts. */
export function partsFor(blocks: readonly Block[], axis: Axis, said: Said): Part[] {
  return blocks.flatMap((block) => partFor(block, axis, said));
}

export function partFor(block: Block, axis: Axis, said: Said): Part[] {
  switch (block.type) {
    case "text": {
      const parts = textPart(block.text, said);
      if (parts.length === 0 && block.text !== "") note(said, axis, "empty", "partial");
      return parts;
    }
    case "thinking":
      return thinkingPart(block, said);
    case "image":
      return imagePart(block, said);
    case "reference":
      return referencePart(block, said);
    case "error":
      if (block.code !== undefined || block.detail !== undefined)
        note(said, "errors", "no-counterpart", "partial");
      return textPart(block.message, said);
    case "unknown":
      note(said, "opaque-reasoning", "encrypted");
      return [];
    default:
      note(said, axis, "not-supported");
      return [];
  }
}

/** As it stands where an API signs nothing: then it is shown, and sent to no model that would ask for a signature. */
function thinkingPart({ text, signature }: Block & { type: "thinking" }, said: Said): Part[] {
  if (signature !== undefined) note(said, "opaque-reasoning", "foreign-signature");
  const clean = wellFormed(text);
  if (isBlank(clean)) return [];
  note(said, "thinking", "shown-not-sent", "partial");
  return [
    {
      type: "thinking",
      signature: "reasoning_content",
      signatureProvider: "generic-chat-completion-api",
      durationMs: 0,
      thinking: clean,
    },
  ];
}

const DATA_URI = /^data:([^;,]+);base64,/;

const OF_IMAGES = new Set(["type", "data", "uri", "mimeType"]);

function imagePart(block: Block & { type: "image" }, said: Said): Part[] {
  const { data, uri, mimeType } = block;
  const inline = uri === undefined ? undefined : DATA_URI.exec(uri);
  const bytes = data ?? (inline ? uri?.slice(inline[0].length) : undefined);
  if (Object.keys(block).some((key) => !OF_IMAGES.has(key)))
    note(said, "images", "no-counterpart", "partial");
  if (bytes === undefined) {
    note(said, "images", "not-supported", "dropped");
    return [];
  }
  const media_type = inline?.[1] ?? mimeType ?? "image/png";
  said.ledger.keep("images");
  return [{ type: "image", source: { type: "base64", media_type, data: bytes } }];
}

/** It takes no documents: their text, or else where they are. */
function referencePart({ uri, title, text, data }: Block & { type: "reference" }, said: Said): Part[] {
  note(
    said,
    "documents",
    data !== undefined && text === undefined ? "not-supported" : "re-encoded",
    "partial",
  );
  const named = title === undefined ? uri : `${title} (${uri})`;
  return textPart(text === undefined ? named : `${named}\n\n${text}`, said);
}

/** Results of its own tools of these names it puts into words of its own: another program's get another name. */
const OWN = new Set(["Edit", "MultiEdit", "Create", "ApplyPatch"]);
export function callPart(
  { name, namespace, arguments: given, freeform }: Block & { type: "tool-call" },
  id: string,
  said: Said,
): Part {
  const full = namespace === undefined ? name : `${namespace.replace(/^mcp__|_+$/g, "")}___${name}`;
  const foreign = OWN.has(full) && !said.isNative ? `${full}_` : full;
  if (foreign !== full) note(said, "ids", "id-not-legal", "partial");
  const legal = legalToolName(foreign, said.ledger, said.record);
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  if (!isObject || freeform) note(said, "tool-calls", "re-encoded", "partial");
  const input = isObject
    ? given
    : typeof given === "string"
      ? { input: given }
      : given === undefined
        ? {}
        : { value: given };
  return { type: "tool_use", id, name: legal, input };
}

/** A text alone stands as text, as the program has it; anything more as a list. */
export function resultContent(result: readonly Block[], said: Said): string | Part[] {
  const parts = partsFor(result, "tool-results", said);
  const [only] = parts;
  if (parts.length === 0) return "";
  return parts.length === 1 && only?.type === "text" ? String(only.text) : parts;
}

function note(
  { ledger, record }: Said,
  axis: Axis,
  reason: Loss["reason"],
  level: Loss["level"] = "evidence-only",
) {
  ledger.note({ axis, level, reason }, record);
}
