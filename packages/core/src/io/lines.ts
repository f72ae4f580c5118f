/**
 * JSONL at the level of bytes. Lines end at `\n` and nowhere else; a `\r` before it, a BOM at the start and
 * NUL runs are kept out of the value and reported. A line longer than the bound is told of, never held.
 */
import { isUtf8 } from "node:buffer";
import type { OpenFile } from "./source.js";

export interface Line {
  /** From 1. */
  number: number;
  /** Of the line's first byte in the file, and its length without `\n`. */
  offset: number;
  length: number;
  /** The bytes, without a trailing `\r`. Valid only until the next batch. Absent when over the bound. */
  bytes?: Buffer;
  /** The line ends with `\n`; false only for the last one. */
  ended: boolean;
}

export interface LineOptions {
  /** Longest line held in memory, in bytes. */
  maxLine?: number;
  /** Bytes read at a time. */
  chunk?: number;
  /** Sees every byte once, in order (to hash them). */
  onBytes?: (bytes: Uint8Array) => void;
  signal?: AbortSignal | undefined;
}

/** 64 MiB: real lines are far shorter, and one record must fit in memory several times over. */
export const MAX_LINE = 64 * 1024 * 1024;
const CHUNK = 1024 * 1024;
const LF = 0x0a;
const CR = 0x0d;

/**
 * The lines of a file in batches of about one chunk. Empty lines are left out. A line that goes over the end of a
 * chunk is read again when its own end is known: so one that is too long is never held, not even in part.
 */
export function* lineBatches(file: OpenFile, options: LineOptions = {}): Generator<Line[]> {
  const { maxLine = MAX_LINE, chunk = CHUNK, onBytes, signal } = options;
  let number = 1;
  let offset = 0; // where the next read starts
  let lineStart = 0; // where the current line starts
  // One array for all chunks: a new one for each would be garbage faster than it is collected.
  const into = file.readInto && Buffer.allocUnsafeSlow(Math.min(chunk, file.size));

  while (offset < file.size) {
    signal?.throwIfAborted();
    const buffer = into
      ? into.subarray(0, file.readInto?.(offset, into))
      : asBuffer(file.read(offset, chunk));
    if (buffer.length === 0) break;
    onBytes?.(buffer);
    const batch: Line[] = [];
    for (let at = buffer.indexOf(LF); at !== -1; at = buffer.indexOf(LF, at + 1)) {
      const length = offset + at - lineStart;
      const bytes = lineStart < offset || length > maxLine ? again(length) : buffer.subarray(at - length, at);
      push(batch, bytes, lineStart, length, number++, true);
      lineStart = offset + at + 1;
    }
    offset += buffer.length;
    if (batch.length > 0) yield batch;
  }
  if (lineStart < offset) {
    const batch: Line[] = [];
    push(batch, again(offset - lineStart), lineStart, offset - lineStart, number, false);
    if (batch.length > 0) yield batch;
  }

  function again(length: number): Buffer | undefined {
    return length > maxLine ? undefined : asBuffer(file.read(lineStart, length));
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function push(
  batch: Line[],
  bytes: Buffer | undefined,
  offset: number,
  length: number,
  number: number,
  ended: boolean,
): void {
  if (!bytes) {
    batch.push({ number, offset, length, ended });
    return;
  }
  let start = 0;
  let end = bytes.length;
  if (end > 0 && bytes[end - 1] === CR) end--;
  if (offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3;
  if (end > start) {
    batch.push({
      number,
      offset: offset + start,
      length: length - start,
      bytes: bytes.subarray(start, end),
      ended,
    });
  }
}

/** One JSON value found on a line, or a stretch of bytes that is none. */
export type Piece =
  | { ok: true; value: unknown; offset: number; length: number; invalidText?: boolean }
  | { ok: false; why: "unparsable" | "torn-tail" | "over-bound"; offset: number; length: number };

/**
 * The values of a line. Nearly always one. A damaged line is searched for whole JSON objects; what lies
 * between them is given back as unreadable stretches, so that no byte goes unaccounted.
 * @param isRecord which of the objects inside a damaged stretch is a whole record and no fragment of another one.
 * Default: one with a `type`, `id`, `timestamp` or `sessionId`.
 */
export function piecesOf(line: Line, isRecord: (value: object) => boolean = looksLikeOne): Piece[] {
  const { bytes, offset, length } = line;
  if (!bytes) return [{ ok: false, why: "over-bound", offset, length }];
  const value = tryParse(bytes, 0, bytes.length);
  if (value) return [withText({ ok: true, value: value.value, offset, length }, bytes, 0, bytes.length)];
  return salvage(line, bytes, isRecord);
}

/** How many objects at most are dug out of one damaged line; the rest stays raw. */
const MAX_SALVAGED = 1000;

function salvage(line: Line, bytes: Buffer, isRecord: (value: object) => boolean): Piece[] {
  const pieces: Piece[] = [];
  let rawFrom = 0;
  let at = bytes.indexOf(0x7b);
  let budget = bytes.length * 4 + 65_536; // bytes looked at, in all: keeps a hostile line from taking squared time
  while (at !== -1 && pieces.length < MAX_SALVAGED && budget > 0) {
    const end = objectEnd(bytes, at);
    budget -= (end === -1 ? bytes.length : end) - at;
    const found = end === -1 ? undefined : tryParse(bytes, at, end);
    // Right after another one it is a record whatever its keys; inside a damaged stretch it must look like one.
    if (
      found &&
      (isBlank(bytes, rawFrom, at) ||
        (isObject(found.value) && isRecord(found.value) && !isInside(bytes, at, end, line.ended)))
    ) {
      raw(rawFrom, at);
      pieces.push(
        withText(
          { ok: true, value: found.value, offset: line.offset + at, length: end - at },
          bytes,
          at,
          end,
        ),
      );
      rawFrom = end;
      at = bytes.indexOf(0x7b, end);
    } else {
      // A cut record may hold a whole one later on: `{"type":"us{"type":"user",…}`
      at = bytes.indexOf('{"', at + 1);
    }
  }
  raw(rawFrom, bytes.length);
  return pieces;

  function raw(from: number, to: number): void {
    if (isBlank(bytes, from, to)) return;
    const why = !line.ended && to === bytes.length ? "torn-tail" : "unparsable";
    pieces.push({ ok: false, why, offset: line.offset + from, length: to - from });
  }
}

/** Nothing but white space between the two. */
function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const byte = bytes[i];
    if (byte !== 0x20 && byte !== 0x09 && byte !== CR) return false;
  }
  return true;
}

/**
 * Is an object a part of the cut record before it? Then that goes on after it; or, where the line ends with it for
 * want of more, a value was due where it stands.
 */
function isInside(bytes: Buffer, at: number, end: number, ended: boolean): boolean {
  const after = neighbour(bytes, end, 1);
  if (after === 0x2c || after === 0x7d || after === 0x5d) return true; // , } ]
  if (ended || after !== undefined) return false;
  const before = neighbour(bytes, at - 1, -1);
  return before === 0x3a || before === 0x2c || before === 0x5b; // : , [
}

/** The nearest byte that is no white space, from `at` on in steps of `step`. */
function neighbour(bytes: Buffer, at: number, step: 1 | -1): number | undefined {
  while (isBlank(bytes, at, at + 1) && at >= 0 && at < bytes.length) at += step;
  return bytes[at];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A salvaged object counts as a record only if it looks like one, not if it is a fragment of one's inside. */
function looksLikeOne(value: object): boolean {
  return "type" in value || "id" in value || "timestamp" in value || "sessionId" in value;
}

/** One past the `}` that closes the object at `from`, or -1. Strings and escapes are respected. */
function objectEnd(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === 0x22) {
      i = stringEnd(bytes, i + 1);
      if (i === -1) return -1;
    } else if (byte === 0x7b) depth++;
    else if (byte === 0x7d && --depth === 0) return i + 1;
  }
  return -1;
}

/** The index of the `"` that closes the string whose first byte is at `from`, or -1. */
export function stringEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0x22, from); at !== -1; at = bytes.indexOf(0x22, at + 1)) {
    let back = at - 1;
    while (back >= from && bytes[back] === 0x5c) back--;
    if ((at - back) % 2 === 1) return at;
  }
  return -1;
}

function tryParse(bytes: Buffer, from: number, to: number): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(bytes.toString("utf8", from, to)) };
  } catch {
    return undefined;
  }
}

function withText(piece: Piece & { ok: true }, bytes: Buffer, from: number, to: number): Piece {
  if (!isUtf8(to - from === bytes.length ? bytes : bytes.subarray(from, to))) piece.invalidText = true;
  return piece;
}

/** The record that lies in these bytes of a document, without what a crash or an editor put around it. */
export function pieceAt(file: OpenFile, { offset, length }: { offset: number; length: number }): Piece {
  const bytes = Buffer.from(file.read(offset, length));
  const pieces = piecesOf({ number: 1, bytes, offset, length, ended: true }, () => true);
  return pieces.find(({ ok }) => ok) ?? { ok: false, why: "unparsable", offset, length };
}
