/**
 * Frames: how a log's values lie in a file, one after the other. All numbers are little-endian.
 *
 *     offset 0   4 bytes   "ASPF"
 *     offset 4   uint32    length of the payload in bytes
 *     offset 8   uint32    the frame's number in the file, from 0
 *     offset 12  uint32    CRC-32 (IEEE 802.3, as in gzip) of bytes 4 to 11 and the payload
 *     offset 16  payload   one JSON value in UTF-8
 */
import { crc32 } from "node:zlib";
import type { OpenFile } from "@asp-convert/core";

export const HEAD = 16;
/** Longer payloads are refused when written, and taken for damage when read. */
export const MAX_PAYLOAD = 512 * 1024 * 1024;
const MAGIC = Buffer.from("ASPF");
const READ = 1024 * 1024;

/** @returns head and payload, to be written one after the other. @throws RangeError over `MAX_PAYLOAD`. */
export function encodeFrame(number: number, payload: Uint8Array): [Buffer, Uint8Array] {
  if (payload.length > MAX_PAYLOAD)
    throw new RangeError(`a frame of ${payload.length} bytes; at most ${MAX_PAYLOAD} are taken`);
  const head = Buffer.allocUnsafe(HEAD);
  MAGIC.copy(head);
  head.writeUInt32LE(payload.length, 4);
  head.writeUInt32LE(number, 8);
  head.writeUInt32LE(crc32(payload, crc32(head.subarray(4, 12))), 12);
  return [head, payload];
}

export interface Frame {
  number: number;
  /** Of its head, in the file. */
  offset: number;
  /** Valid until the next frame is asked for. */
  payload: Buffer;
}

/** Bytes that are no frame. `torn`: nothing whole comes after them. `damaged`: something does. */
export interface Fault {
  kind: "torn" | "damaged";
  offset: number;
  /** Bytes that are lost. */
  length: number;
  /** The first frame that is missing, and how many are (1 or more; for `torn` always 1). */
  frame: number;
  frames: number;
}

export type Scanned = { frame: Frame } | { fault: Fault };

/**
 * Goes through the frames of a file, in memory that does not grow with it (but for its longest frame).
 * @param from where a frame begins, and its number.
 */
export function* scanFrames(file: OpenFile, from = { offset: 0, number: 0 }): Generator<Scanned> {
  const window = new Window(file);
  let { offset, number } = from;
  while (offset < file.size) {
    const payload = frameAt(window, offset, number);
    if (payload) {
      yield { frame: { number, offset, payload } };
      offset += HEAD + payload.length;
      number++;
      continue;
    }
    const next = nextFrame(window, offset + 1, number);
    if (!next) {
      yield { fault: { kind: "torn", offset, length: file.size - offset, frame: number, frames: 1 } };
      return;
    }
    yield {
      fault: {
        kind: "damaged",
        offset,
        length: next.offset - offset,
        frame: number,
        frames: Math.max(1, next.number - number),
      },
    };
    ({ offset, number } = next);
  }
}

/** One frame, by its place. undefined: what lies there is not it. */
export function readFrame(
  file: Pick<OpenFile, "read" | "size">,
  { offset, number }: { offset: number; number: number },
): Buffer | undefined {
  return frameAt(new Window(file, 64 * 1024), offset, number);
}

function frameAt(window: Window, offset: number, number: number): Buffer | undefined {
  const head = window.at(offset, HEAD);
  if (head.length < HEAD || MAGIC.compare(head, 0, 4) !== 0 || head.readUInt32LE(8) !== number)
    return undefined;
  const length = head.readUInt32LE(4);
  const sum = head.readUInt32LE(12);
  if (length > MAX_PAYLOAD || offset + HEAD + length > window.size) return undefined;
  const start = crc32(head.subarray(4, 12));
  const payload = window.at(offset + HEAD, length);
  return payload.length === length && crc32(payload, start) === sum ? payload : undefined;
}

/** The next whole frame of a later number. Only what begins like a frame is looked at. */
function nextFrame(
  window: Window,
  from: number,
  number: number,
): { offset: number; number: number } | undefined {
  for (let at = from; at < window.size; ) {
    const piece = window.at(at, READ);
    const found = piece.indexOf(MAGIC);
    if (found === -1) {
      if (piece.length < READ) return undefined;
      at += piece.length - MAGIC.length + 1;
      continue;
    }
    const head = window.at(at + found, HEAD);
    const claimed = head.length === HEAD ? head.readUInt32LE(8) : -1;
    // A frame that stands where an earlier one was to be is no part of this log.
    if (claimed >= number && frameAt(window, at + found, claimed))
      return { offset: at + found, number: claimed };
    at += found + 1;
  }
  return undefined;
}

/** A stretch of the file in memory. */
class Window {
  readonly #file: Pick<OpenFile, "read" | "size">;
  readonly #ahead: number;
  #bytes: Buffer = Buffer.alloc(0);
  #from = 0;

  /** @param ahead bytes that are read at once. */
  constructor(file: Pick<OpenFile, "read" | "size">, ahead = READ) {
    this.#file = file;
    this.#ahead = ahead;
  }

  get size(): number {
    return this.#file.size;
  }

  /** Up to `length` bytes from `offset`; fewer only at the end. Valid until the next call. */
  at(offset: number, length: number): Buffer {
    if (offset < this.#from || offset + length > this.#from + this.#bytes.length) {
      const bytes = this.#file.read(offset, Math.max(length, this.#ahead));
      this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      this.#from = offset;
    }
    const start = offset - this.#from;
    return this.#bytes.subarray(start, start + length);
  }
}
