/**
 * Joins many small parts into buffers of about 256 KiB, so that a stream of records is written in few calls.
 * Each part is encoded by itself: a joined string with one foreign letter in it would be widened as a whole, and
 * encode three times slower.
 */
const SIZE = 256 * 1024;
/** Most bytes that one UTF-16 unit becomes. */
const WIDEST = 3;

/** @returns buffers that are the caller's own. A character may be split between two parts. */
export async function* inPieces(
  parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): AsyncGenerator<Buffer> {
  let buffer = Buffer.allocUnsafeSlow(SIZE);
  let at = 0;
  let half = ""; // the first half of a character whose second one is still to come
  for await (const part of parts) {
    if (typeof part !== "string") {
      if (half !== "") at += buffer.write(half, at);
      half = "";
      if (at > 0) {
        yield buffer.subarray(0, at);
        buffer = Buffer.allocUnsafeSlow(SIZE);
        at = 0;
      }
      if (part.length > 0) yield Buffer.from(part.buffer, part.byteOffset, part.byteLength);
      continue;
    }
    let text = part;
    if (half !== "") {
      text = half + text;
      half = "";
    }
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
      half = text.slice(-1);
      text = text.slice(0, -1);
    }
    // Room for the text and for a half that the next part may not complete.
    const room = (text.length + 1) * WIDEST;
    if (room > SIZE - at && at > 0) {
      yield buffer.subarray(0, at);
      buffer = Buffer.allocUnsafeSlow(SIZE);
      at = 0;
    }
    if (room > SIZE) yield Buffer.from(text);
    else at += buffer.write(text, at);
  }
  if (half !== "") at += buffer.write(half, at);
  if (at > 0) yield buffer.subarray(0, at);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
