/**
 * Finds the values of a large JSON document without holding it: `opencode export` gives one object with all messages
 * and parts in it. Bytes are looked at once, in pieces; only where values begin and end is kept.
 */
import type { OpenFile } from "@asp-convert/core";

export interface Span {
  /** Where in the document: `info`, `messages.info`, `messages.parts`. */
  path: string;
  offset: number;
  length: number;
}

const CHUNK = 1024 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

interface Frame {
  array: boolean;
  /** Keys to here, joined; arrays add nothing. */
  path: string;
  key: string;
  expectKey: boolean;
}

/**
 * The spans of objects at the given paths, as each ends.
 * @returns how far the document could be followed: its end, or where it is cut off or no JSON any more.
 */
export function* spansOf(file: OpenFile, wanted: ReadonlySet<string>): Generator<Span, number> {
  const frames: Frame[] = [];
  let depth = -1; // of the wanted object we are in, or -1
  let started = 0;
  let inString = false;
  let escaped = false;
  let stringStart = 0;
  let keyBytes: number[] | undefined;
  let good = 0;

  for (let base = 0; base < file.size; ) {
    const bytes = file.read(base, CHUNK);
    if (bytes.length === 0) break;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      const at = base + i;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          inString = false;
          const top = frames.at(-1);
          if (keyBytes && top) {
            top.key = Buffer.from(keyBytes).toString("utf8");
            top.expectKey = false;
          }
          keyBytes = undefined;
          continue;
        }
        if (keyBytes && at > stringStart && keyBytes.length < 64) keyBytes.push(byte);
        continue;
      }
      const top = frames.at(-1);
      if (byte === QUOTE) {
        inString = true;
        stringStart = at;
        // Inside a wanted object nothing is looked for.
        keyBytes = depth === -1 && top && !top.array && top.expectKey ? [] : undefined;
      } else if (byte === 0x7b || byte === 0x5b) {
        const path = top ? (top.array ? top.path : top.path === "" ? top.key : `${top.path}.${top.key}`) : "";
        frames.push({ array: byte === 0x5b, path, key: "", expectKey: true });
        if (depth === -1 && byte === 0x7b && wanted.has(path)) {
          depth = frames.length;
          started = at;
        }
      } else if (byte === 0x7d || byte === 0x5d) {
        if (!top || top.array !== (byte === 0x5d)) return good;
        if (depth === frames.length) {
          yield { path: top.path, offset: started, length: at + 1 - started };
          depth = -1;
        }
        frames.pop();
        good = at + 1;
        if (frames.length === 0) return good;
      } else if (byte === 0x2c && top) top.expectKey = true;
    }
    base += bytes.length;
  }
  return good;
}
