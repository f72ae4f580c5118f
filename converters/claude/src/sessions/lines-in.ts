/**
 * The lines of a transcript where they lie in the pieces it is read in: nothing is made per line, which is what
 * the index needs. The rules are those of core's `lineBatches`: lines end at `\n` only, a BOM and a `\r` before
 * the end are left out, blank lines too, and a line over the bound is told of but never held.
 */
import { isUtf8 } from "node:buffer";
import { type Line, MAX_LINE, type OpenFile } from "@asp-convert/core";
import { Window } from "./window.js";

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
  line(place: LinePlace, bytes: Buffer, text: string): void;
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
  let size = PIECE;
  for (let at = 0; at < file.size; ) {
    signal?.throwIfAborted();
    const piece = window.read(at, size);
    if (piece.length === 0) break;
    const last = at + piece.length >= file.size;
    const end = last ? piece.length : piece.lastIndexOf(LF) + 1;
    if (end > 0) {
      // What is left of the next line is read again with the rest of it.
      lines(sink, piece.subarray(0, end), at, maxLine);
      at += end;
      size = PIECE;
    } else if (size <= maxLine) size *= 2;
    else at = overBound(sink, window, at);
  }
}

/** Passes over a line that is not held. Returns where the next one begins. */
function overBound(sink: LineSink, window: Window, start: number): number {
  const { file } = window;
  for (let at = start; at < file.size; ) {
    const piece = window.read(at, PIECE);
    if (piece.length === 0) break;
    const end = piece.indexOf(LF);
    if (end !== -1) {
      sink.odd({ number: 0, offset: start, length: at + end - start, ended: true });
      return at + end + 1;
    }
    at += piece.length;
  }
  sink.odd({ number: 0, offset: start, length: file.size - start, ended: false });
  return file.size;
}

function lines(sink: LineSink, bytes: Buffer, offset: number, maxLine: number): void {
  const text = bytes.toString("latin1");
  const place: LinePlace = { from: 0, to: 0, offset: 0, length: 0, ended: true, validText: isUtf8(bytes) };
  for (let from = 0; from < bytes.length; ) {
    let end = text.indexOf("\n", from);
    place.ended = end !== -1;
    if (end === -1) end = bytes.length;
    place.from = from + (offset === 0 && from === 0 && hasBom(bytes) ? 3 : 0);
    place.to = end > place.from && bytes[end - 1] === CR ? end - 1 : end;
    place.offset = offset + place.from;
    place.length = end - place.from;
    if (place.length > maxLine) {
      sink.odd({ number: 0, offset: place.offset, length: place.length, ended: place.ended });
    } else if (place.to > place.from) sink.line(place, bytes, text);
    from = end + 1;
  }
}

function hasBom(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
