/** Pictures and documents → file parts. */
import { type Block, isBlank } from "@asp-convert/core";
import { name } from "../json.js";
import type { DraftPart } from "./draft.js";
import { type Encoding, note } from "./encoding.js";

/** A file of the source as it is sent: pictures and documents as files, other texts as text. */
export function referenceParts(block: Block & { type: "reference" }, encoding: Encoding): DraftPart[] {
  const { uri, title, mediaType, data, text } = block;
  if (text !== undefined) {
    // A text file would be shown and not sent: the program itself puts the text beside it.
    note(encoding, "documents", "partial", "re-encoded");
    return isBlank(text) ? [] : [{ data: { type: "text", text, synthetic: true } }];
  }
  encoding.ledger.keep("documents");
  const filename = title ?? name(uri.split(/[/\\]/).at(-1));
  const named = filename === undefined ? {} : { filename };
  if (data !== undefined) {
    const mime = mediaType ?? "application/octet-stream";
    return [{ data: { type: "file", mime, ...named, url: `data:${mime};base64,${data}` } }];
  }
  // Only pointed at: shown, as the program shows a file that was mentioned.
  const url = URL.canParse(uri) ? uri : `file://${uri.split(/[/\\]/).map(encodeURIComponent).join("/")}`;
  return [{ data: { type: "file", mime: "text/plain", ...named, url } }];
}

export function isLocal({ uri, data }: Block & { type: "image" }): boolean {
  return data === undefined && uri !== undefined && !/^(https?|data):/i.test(uri);
}

/** Of a picture the program keeps the bytes, their type and a name: not how closely it was looked at. */
const KNOWN = new Set(["type", "data", "uri", "mimeType", "alt"]);

export function picture(block: Block & { type: "image" }, encoding: Encoding): Record<string, unknown> {
  encoding.ledger.keep("images");
  if (Object.keys(block).some((key) => !KNOWN.has(key)))
    note(encoding, "images", "evidence-only", "no-counterpart");
  return filePart(block);
}

function filePart({ mimeType, data, uri, alt }: Block & { type: "image" }): Record<string, unknown> {
  const mime = mimeType ?? "image/png";
  const url = uri ?? `data:${mime};base64,${data ?? ""}`;
  return { type: "file", mime, ...(alt !== undefined && { filename: alt }), url };
}
