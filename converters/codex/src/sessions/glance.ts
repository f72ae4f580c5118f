/**
 * What a line is, seen from its bytes: enough to count, to find and to pair without parsing bodies. Codex writes
 * its keys in one order and without blanks; a line in any other form is parsed whole.
 */
import { type Line, piecesOf } from "@asp-convert/core";
import { fields, parsed, string } from "@asp-convert/core/values";

export interface Glance {
  /** Top-level type: `response_item`, `event_msg`, … `bare`: a response item without envelope. `header`: of 2025-08. */
  type: string;
  /** `payload.type`, or the item's own type when bare. */
  sub: string;
  time?: string;
  ordinal?: number;
  /** The line's first bytes, one character each; absent when the line had to be parsed. */
  head?: string;
  /** Only when the line had to be parsed. */
  value?: unknown;
}

const HEAD = 512;
const ENVELOPE =
  /^\{"timestamp":"([^"\\]*)",(?:"ordinal":(\d+),)?"type":"([a-z_]+)","payload":\{(?:"type":"([^"\\]*)")?/;

/** undefined: no JSON object. */
export function glance(bytes: Buffer): Glance | undefined {
  const head = bytes.toString("latin1", 0, HEAD);
  const match = ENVELOPE.exec(head);
  if (match) {
    const [, time, ordinal, type, sub] = match;
    return {
      type: type as string,
      sub: sub ?? "",
      head,
      time: time as string,
      ...(ordinal !== undefined && { ordinal: Number(ordinal) }),
    };
  }
  const value = parsed(bytes.toString("utf8"));
  return fields(value) ? glanceOf(value) : undefined;
}

/** A record found on a line, with the bytes that hold it. */
export interface Found {
  seen: Glance;
  bytes: Buffer;
  offset: number;
  length: number;
}

const NEXT = '{"timestamp":"';
const CLOSE = 0x7d;

/**
 * The records of a line: nearly always one. A line that looks damaged (cut, glued, with bytes of something else
 * around) is parsed as far as it can be, as the reader does it.
 * @param trust a line shorter than this is not searched for a second record: for a list, which may be a little off.
 */
export function recordsOn(line: Line, trust = 0): readonly Found[] {
  const { bytes, offset, length, ended } = line;
  if (!bytes) return [];
  const whole =
    ended && bytes.at(-1) === CLOSE && (length < trust || bytes.indexOf(NEXT, 1, "latin1") === -1);
  const seen = whole ? glance(bytes) : undefined;
  if (seen) return [{ seen, bytes, offset, length }];
  const found: Found[] = [];
  for (const piece of piecesOf(line)) {
    if (!piece.ok) continue;
    const from = piece.offset - offset;
    const part = bytes.subarray(from, from + piece.length);
    found.push({ seen: glanceOf(piece.value), bytes: part, offset: piece.offset, length: piece.length });
  }
  return found;
}

/** The same of a value. */
export function glanceOf(value: unknown): Glance {
  const record = fields(value) ?? {};
  const payload = fields(record.payload);
  const time = string(record.timestamp);
  const ordinal = record.ordinal;
  const rest = {
    value,
    ...(time !== undefined && { time }),
    ...(typeof ordinal === "number" && { ordinal }),
  };
  const type = string(record.type);
  if (payload && type !== undefined) return { type, sub: string(payload.type) ?? "", ...rest };
  if (type !== undefined) return { type: "bare", sub: type, ...rest };
  if (isBareHeader(record)) return { type: "header", sub: "", ...rest };
  return { type: "", sub: "", ...rest };
}

/** The first line of the files of 2025-08: `{id, timestamp, instructions, git}`, nothing around it. */
export function isBareHeader(record: Readonly<Record<string, unknown>>): boolean {
  return typeof record.id === "string" && typeof record.timestamp === "string" && record.type === undefined;
}

/**
 * The text value of a key, found in the bytes. Inside a JSON string every quote is escaped, so `"key":"` without
 * a backslash in it is a key.
 * @param from where to begin; `last`: the last such key instead of the first.
 */
export function textOf(bytes: Buffer, key: string, from = 0): string | undefined {
  const mark = `"${key}":"`;
  const at = bytes.indexOf(mark, from, "latin1");
  if (at === -1) return undefined;
  const start = at + mark.length;
  let end = start;
  while (end < bytes.length && bytes[end] !== 0x22) end += bytes[end] === 0x5c ? 2 : 1;
  const raw = bytes.toString("utf8", start, end);
  return raw.includes("\\") ? string(parsed(`"${raw}"`)) : raw;
}

/** Where the value of `"item":{` begins, or -1. */
export function itemStart(bytes: Buffer): number {
  return bytes.indexOf('"item":{"type":"', 0, "latin1");
}
