/**
 * Which stretches of which files make up a session's talk, in order, and which ones were taken back. A fork or a
 * reverted thread holds only its own turns and names the bytes it goes on from (`history_base`).
 */
import { type EvidenceFile, type OpenFile, piecesOf } from "@asp-convert/core";
import { type Fields, fields, number, string } from "@asp-convert/core/values";
import { parseRolloutName } from "../layout.js";
import { glanceOf } from "./glance.js";
import { linesOf, type Place, type Stretch } from "./places.js";

/** The bytes that a session goes on from. */
export interface HistoryBase {
  thread: string;
  /** Ordinals and bytes, excluded. */
  endOrdinal: number;
  endOffset: number;
}

/** What a file's first line says. */
export interface Header {
  place: Place;
  /** `payload` of session_meta, or the bare header of 2025-08. */
  meta: Fields;
  bare: boolean;
  id: string;
  /** Of the line itself; 0 where there are none. */
  ordinal: number;
  base?: HistoryBase;
}

/** How far into a file its header is looked for: nothing but damage stands before it. */
const HEADER_LINES = 50;
const HEADER_BYTES = 16 * 1024 * 1024;
const HEADER_CHUNK = 64 * 1024;

/** The first session_meta (a second one is of a session this one came from). */
export function readHeader(files: readonly OpenFile[], file: number): Header | undefined {
  const open = files[file] as OpenFile;
  let seen = 0;
  const stretch = { file, from: 0, to: Math.min(open.size, HEADER_BYTES) };
  for (const batch of linesOf(files, stretch, { chunk: HEADER_CHUNK })) {
    for (const line of batch) {
      if (++seen > HEADER_LINES) return undefined;
      for (const piece of piecesOf(line)) {
        if (!piece.ok) continue;
        const header = headerOf(piece.value, { file, offset: piece.offset, length: piece.length });
        if (header) return header;
      }
    }
  }
  return undefined;
}

export function headerOf(value: unknown, place: Place): Header | undefined {
  const seen = glanceOf(value);
  const record = fields(value) ?? {};
  const bare = seen.type === "header";
  const meta = bare ? record : seen.type === "session_meta" ? fields(record.payload) : undefined;
  const id = string(meta?.id) ?? string(meta?.session_id);
  if (!meta || id === undefined) return undefined;
  const base = baseOf(meta);
  return { place, meta, bare, id: id.toLowerCase(), ordinal: seen.ordinal ?? 0, ...(base && { base }) };
}

function baseOf(meta: Fields): HistoryBase | undefined {
  const base = fields(meta.history_base);
  const thread = string(base?.thread_id);
  const endOrdinal = number(base?.end_ordinal_exclusive);
  const endOffset = number(base?.end_byte_offset);
  if (thread === undefined || endOrdinal === undefined || endOffset === undefined) return undefined;
  return { thread: thread.toLowerCase(), endOrdinal, endOffset };
}

export interface Course {
  /** In order: what ancestors hold, then the session's own. */
  main: Stretch[];
  /** What was taken back by a revert, each with the place it departs from. */
  taken: Stretch[];
  /** Other files of the same id that the session does not go on from. */
  superseded: Stretch[];
  /** The thread whose file is not among the session's files. */
  missing?: string;
  headers: (Header | undefined)[];
}

export function courseOf(evidence: readonly EvidenceFile[], files: readonly OpenFile[]): Course {
  const headers = files.map((_, file) => readHeader(files, file));
  const course: Course = { main: [], taken: [], superseded: [], headers };
  const used = new Set<number>();
  const own = headers[0]?.id;
  let at = 0;
  let end = (files[0] as OpenFile).size;
  for (;;) {
    used.add(at);
    course.main.unshift({ file: at, from: 0, to: end });
    const size = (files[at] as OpenFile).size;
    if (at !== 0 && headers[at]?.id === own && end < size)
      course.taken.push({ file: at, from: end, to: size });
    const base = headers[at]?.base;
    if (!base) break;
    const parent = findBase(base, headers, files, used);
    if (!parent) {
      course.missing = base.thread;
      break;
    }
    at = parent.file;
    end = parent.end;
  }
  for (const [file, { path }] of evidence.entries()) {
    if (used.has(file) || !parseRolloutName(path.split(/[/\\]/).at(-1) ?? "")) continue;
    const whole = { file, from: 0, to: (files[file] as OpenFile).size };
    // A later segment that was itself reverted holds taken-back turns; any other file is an older copy.
    if (headers[file]?.id === own && headers[file]?.base?.thread === own) course.taken.push(whole);
    else course.superseded.push(whole);
  }
  return course;
}

/** The file among the session's files that a base names, and where it ends in it. */
function findBase(
  base: HistoryBase,
  headers: readonly (Header | undefined)[],
  files: readonly OpenFile[],
  used: ReadonlySet<number>,
): { file: number; end: number } | undefined {
  let guess: { file: number; end: number } | undefined;
  for (const [file, header] of headers.entries()) {
    if (!header || used.has(file) || header.id !== base.thread || header.ordinal >= base.endOrdinal) continue;
    const size = (files[file] as OpenFile).size;
    const endsLine =
      base.endOffset <= size && (files[file] as OpenFile).read(base.endOffset - 1, 1)[0] === 0x0a;
    if (endsLine && lastOrdinalBefore(files, file, base.endOffset) === base.endOrdinal - 1) {
      return { file, end: base.endOffset };
    }
    // The parent was re-written: Codex refuses it, but the ordinals still tell where the fork left.
    const end = offsetOfOrdinal(files, file, base.endOrdinal);
    if (end !== undefined && (!guess || header.ordinal > (headers[guess.file]?.ordinal ?? 0)))
      guess = { file, end };
  }
  return guess;
}

const TAIL = 64 * 1024;

function lastOrdinalBefore(files: readonly OpenFile[], file: number, end: number): number | undefined {
  const from = Math.max(0, end - TAIL);
  const open = files[file] as OpenFile;
  const bytes = Buffer.from(open.read(from, end - from));
  let start = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
  if (start === 0 && from > 0) {
    // One line longer than the tail: its ordinal stands at its start.
    for (const batch of linesOf(files, { file, from: 0, to: end }))
      start = (batch.at(-1)?.offset ?? 0) - from;
    return ordinalIn(Buffer.from(open.read(from + start, 256)).toString("latin1"));
  }
  return ordinalIn(bytes.toString("latin1", start, start + 256));
}

function offsetOfOrdinal(files: readonly OpenFile[], file: number, ordinal: number): number | undefined {
  const { size } = files[file] as OpenFile;
  let end: number | undefined;
  for (const batch of linesOf(files, { file, from: 0, to: size })) {
    for (const { bytes, offset, length } of batch) {
      const here = bytes && ordinalIn(bytes.toString("latin1", 0, 256));
      if (here !== undefined && here < ordinal) end = offset + length + 1;
    }
  }
  return end === undefined ? undefined : Math.min(end, size);
}

function ordinalIn(head: string): number | undefined {
  const match = /"ordinal":\s*(\d+)/.exec(head);
  return match ? Number(match[1]) : undefined;
}
