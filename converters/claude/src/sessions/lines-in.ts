/**
 * The lines of a transcript where they lie in the pieces it is read in: nothing is made per line, which is what
 * the index needs. The rules are those of core's `lineBatches`: lines end at `\n` only, a BOM and a `\r` before
 * the end are left out, blank lines too, and a line over the bound is told of but never held.
 */
import { isUtf8 } from "node:buffer";
import { type Line, MAX_LINE, type OpenFile } from "@asp-convert/core";
import { bufferOf, Window } from "./window.js";

export interface LinePlace {
  /** In the bytes at hand. */
  from: number;
  to: number;
  /** In the file. */
  offset: number;
  length: number;
  ended: boolean;
  /** All the bytes at hand are valid UTF-8. */
  validText: boolean;
}

export interface LineSink {
  line(place: LinePlace, bytes: Buffer, text: string | undefined): void;
  odd(line: Line): void;
}

const PIECE = 64 * 1024;
const LF = 0x0a;
const CR = 0x0d;

export interface LinesOptions {
  /** Longest line held, in bytes. */
  maxLine?: number;
  signal?: AbortSignal | undefined;
}

export function eachLine(file: OpenFile, { maxLine = MAX_LINE, signal }: LinesOptions, sink: LineSink): void {
  const window = new Window(file);
  for (let at = 0; at < file.size; ) {
    signal?.throwIfAborted();
    const piece = window.read(at, PIECE);
    if (piece.length === 0) break;
    const last = at + piece.length >= file.size;
    const end = last ? piece.length : piece.lastIndexOf(LF) + 1;
    if (end > 0) {
      // What is left of the next line is read again with the rest of it.
      lines(sink, piece.subarray(0, end), piece.toString("latin1", 0, end), at);
      at += end;
    } else at = longLine(sink, file, window, at, maxLine);
  }
}

/** A line longer than a piece: its end is looked for before it is read. Returns where the next one begins. */
function longLine(sink: LineSink, file: OpenFile, window: Window, start: number, maxLine: number): number {
  let end = -1;
  let at = start;
  while (at < file.size && end === -1) {
    const piece = window.read(at, PIECE);
    if (piece.length === 0) break;
    end = piece.indexOf(LF);
    at += end === -1 ? piece.length : end;
  }
  const length = at - start;
  const next = end === -1 ? at : at + 1;
  if (length > maxLine) sink.odd({ number: 0, offset: start, length, ended: end !== -1 });
  else lines(sink, bufferOf(file.read(start, next - start)), undefined, start);
  return next;
}

/** @param text the bytes as a string of one byte a character; for a long line it is not made. */
function lines(sink: LineSink, bytes: Buffer, text: string | undefined, offset: number): void {
  const place: LinePlace = {
    from: 0,
    to: 0,
    offset: 0,
    length: 0,
    ended: true,
    validText: isUtf8(bytes),
  };
  for (let from = 0; from < bytes.length; ) {
    let end = text === undefined ? bytes.indexOf(LF, from) : text.indexOf("\n", from);
    place.ended = end !== -1;
    if (end === -1) end = bytes.length;
    place.from = from + (offset === 0 && from === 0 && hasBom(bytes) ? 3 : 0);
    place.to = end > place.from && bytes[end - 1] === CR ? end - 1 : end;
    place.offset = offset + place.from;
    place.length = end - place.from;
    if (place.to > place.from) sink.line(place, bytes, text);
    from = end + 1;
  }
}

function hasBom(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
