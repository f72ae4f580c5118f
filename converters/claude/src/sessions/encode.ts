/** Portable blocks as content blocks of Claude's own. */
import type { Block, Reason, SessionAxis } from "@asp-convert/core";
import { isBlank } from "@asp-convert/core";

/** What could not be written as it was. */
export interface Shortfall {
  axis: SessionAxis;
  level: "partial" | "evidence-only" | "dropped";
  reason: Reason;
}

export type Native = Readonly<Record<string, unknown>>;
type Encoded = { native: Native } | Shortfall;

export function encodeAll(blocks: readonly Block[]): { natives: Native[]; short: Shortfall[] } {
  const natives: Native[] = [];
  const short: Shortfall[] = [];
  for (const block of blocks) {
    const encoded = encodeBlock(block);
    if ("native" in encoded) natives.push(encoded.native);
    else short.push(encoded);
  }
  return { natives, short };
}

/** A block of a user message or of a result. */
export function encodeBlock(block: Block): Encoded {
  switch (block.type) {
    case "text":
      if (isBlank(block.text)) return { axis: "messages", level: "dropped", reason: "empty" };
      return { native: { type: "text", text: block.text } };
    case "image":
      return encodeImage(block);
    case "reference":
      return encodeReference(block);
    case "error":
      return { native: { type: "text", text: block.message } };
    case "unknown":
      return encodeUnknown(block);
    default:
      return { axis: "messages", level: "evidence-only", reason: "not-supported" };
  }
}

/** Content blocks of Claude's own go back as they are; nobody else's do. */
function encodeUnknown({ nativeType, value }: Block & { type: "unknown" }): Encoded {
  const own =
    nativeType.startsWith("claude.") && typeof value === "object" && value !== null && !Array.isArray(value);
  return own
    ? { native: value as Native }
    : { axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" };
}

const DATA_URI = /^data:([^;,]+);base64,/;

function encodeImage({ data, uri, mimeType }: Block & { type: "image" }): Encoded {
  const inline = uri === undefined ? undefined : DATA_URI.exec(uri);
  const bytes = data ?? (inline ? uri?.slice(inline[0].length) : undefined);
  if (bytes !== undefined) {
    const media_type = inline?.[1] ?? mimeType ?? sniffed(bytes);
    return { native: { type: "image", source: { type: "base64", media_type, data: bytes } } };
  }
  if (uri !== undefined && /^https?:/.test(uri))
    return { native: { type: "image", source: { type: "url", url: uri } } };
  return { axis: "images", level: "dropped", reason: "not-supported" };
}

/** By the first characters of its base64. */
function sniffed(base64: string): string {
  if (base64.startsWith("/9j/")) return "image/jpeg";
  if (base64.startsWith("R0lG")) return "image/gif";
  return base64.startsWith("UklG") ? "image/webp" : "image/png";
}

function encodeReference({ uri, title, mediaType, data, text }: Block & { type: "reference" }): Encoded {
  const named = title === undefined ? {} : { title };
  if (data !== undefined) {
    return {
      native: {
        type: "document",
        source: { type: "base64", media_type: mediaType ?? "application/pdf", data },
        ...named,
      },
    };
  }
  if (text !== undefined) {
    return {
      native: { type: "document", source: { type: "text", media_type: "text/plain", data: text }, ...named },
    };
  }
  if (/^https?:/.test(uri))
    return { native: { type: "document", source: { type: "url", url: uri }, ...named } };
  return {
    native: { type: "text", text: title === undefined ? uri : `${title} (${uri})` },
  };
}

/** A call's name: the family's tools of an MCP server bear its name, as Claude writes it. */
export function toolName(name: string, namespace: string | undefined): string {
  if (namespace === undefined || namespace === "") return name;
  const family = namespace.startsWith("mcp__") ? namespace : `mcp__${namespace}`;
  return name.startsWith(`${family}__`) ? name : `${family.replace(/_+$/, "")}__${name}`;
}

/** Claude's tools take an object; free text goes in as `input`, any other value as `value`. */
export function toolInput(given: unknown): Native {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given as Native;
  return typeof given === "string"
    ? { input: given }
    : given === undefined || given === null
      ? {}
      : { value: given };
}
