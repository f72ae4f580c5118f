/** Edits of a text file, as bytes in and bytes out. */
import { isUtf8 } from "node:buffer";
import { WriteError } from "./write-error.js";

type Edit = (before: string | undefined) => string;

/**
 * Applies edits one after the other. A byte order mark is kept away from them and put back.
 * @throws WriteError where the bytes are no text: they would not survive the way to a string and back.
 */
export function editText(path: string, before: Uint8Array | undefined, edits: readonly Edit[]): Buffer {
  if (before && !isUtf8(before)) {
    throw new WriteError(path, "unsafe", "is not UTF-8 text, so it is not edited. Save it as UTF-8 first");
  }
  const old = before && Buffer.from(before).toString("utf8");
  const mark = old?.startsWith("\uFEFF") ? "\uFEFF" : "";
  let text = old?.slice(mark.length);
  for (const edit of edits) text = edit(text);
  return Buffer.from(mark + (text ?? ""));
}
