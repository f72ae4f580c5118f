/**
 * Joins many small parts into buffers of some hundred KiB, so that a stream of records is written in few calls. Text
 * is gathered as UTF-16, which is a mere copy, and encoded in bulk: string by string, V8 takes three times as long
 * for every text with a letter beyond Latin-1 in it.
 */
import buffer from "node:buffer";

/** UTF-16 units encoded at a time, and bytes of one. */
const UNITS = 128 * 1024;
const WIDTH = 2;

/** Text added bit by bit, taken as UTF-8 piece by piece. A character may be split between two parts. */
export class TextPieces {
  readonly #wide = Buffer.allocUnsafeSlow(UNITS * WIDTH);
  /** Bytes of it that are in use. */
  #used = 0;
  #pieces: Buffer[] = [];

  add(text: string): void {
    for (let from = 0; from < text.length; ) {
      if (this.#used === this.#wide.length) this.#encode(lastHalf(this.#wide));
      const room = (this.#wide.length - this.#used) / WIDTH;
      const part = text.length - from <= room && from === 0 ? text : text.slice(from, from + room);
      this.#used += this.#wide.write(part, this.#used, "utf16le");
      from += part.length;
    }
  }

  /** What is whole so far: buffers that are the caller's own, often none. */
  take(): readonly Buffer[] {
    if (this.#pieces.length === 0) return NONE;
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  /** All that was added since. */
  end(): readonly Buffer[] {
    this.#encode(0);
    return this.take();
  }

  /** @param kept bytes at the end that stay. */
  #encode(kept: number): void {
    const end = this.#used - kept;
    if (end > 0) this.#pieces.push(utf8(this.#wide.subarray(0, end)));
    this.#wide.copyWithin(0, end, this.#used);
    this.#used = kept;
  }
}

const NONE: readonly Buffer[] = [];

/** 2 if the text ends with the first half of a character whose second one is still to come. */
function lastHalf(wide: Buffer): number {
  const code = wide.readUInt16LE(wide.length - WIDTH);
  return code >= 0xd800 && code <= 0xdbff ? WIDTH : 0;
}

function utf8(wide: Buffer): Buffer {
  try {
    return buffer.transcode(wide, "utf16le", "utf8");
  } catch {
    return Buffer.from(wide.toString("utf16le")); // half a character, which becomes U+FFFD; or a Node without ICU
  }
}

/** @returns buffers that are the caller's own. A character may be split between two parts. */
export async function* inPieces(
  parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): AsyncGenerator<Buffer> {
  const text = new TextPieces();
  for await (const part of parts) {
    if (typeof part === "string") {
      text.add(part);
      for (const piece of text.take()) yield piece;
    } else {
      for (const piece of text.end()) yield piece;
      if (part.length > 0) yield Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    }
  }
  for (const piece of text.end()) yield piece;
}
