/** Damage inside what somebody said: the text must come through, or its change be declared. */
import type { Atom } from "../talk.js";
import { linesOf } from "./lines.js";

export interface TextShape {
  name: string;
  because: string;
  /** Bytes put into the JSON text of a string. */
  insert: Buffer;
  /** What a reader must find there. */
  reads: string;
  /** What a target of another harness must hold there, in its JSON. */
  writes: RegExp;
  /** The loss that must be declared, where it is one. */
  loss?: "invalid-text";
}

export const textDamage: readonly TextShape[] = [
  {
    name: "u2028",
    because: "a line separator of Unicode is no end of a line",
    insert: Buffer.from("\u2028\u2029\u0085"),
    reads: "\u2028\u2029\u0085",
    writes: /(\u2028|\\u2028)(\u2029|\\u2029)(\u0085|\\u0085)/,
  },
  {
    name: "lone-surrogate",
    because: "an emoji was cut in half",
    insert: Buffer.from("\\ud83d"),
    reads: "\ud83d",
    writes: /\ufffd|\\ufffd/i,
    loss: "invalid-text",
  },
  {
    name: "escaped-nul",
    because: "output of a Windows command in UTF-16",
    insert: Buffer.from("\\u0000\\u001b[31m"),
    reads: "\0\u001b[31m",
    writes: /\\u0000\\u001b\[31m/i,
  },
  {
    name: "invalid-utf8",
    because: "bytes of some other encoding",
    insert: Buffer.from([0xff, 0xfe]),
    reads: "\ufffd\ufffd",
    writes: /(\ufffd|\\ufffd){2}/i,
    loss: "invalid-text",
  },
];

/** What stands around a text in JSON: its string's quotes, or an end of a line in it. */
const OPEN = /(?:"|\\n)$/;
const CLOSE = /^(?:"|\\n)/;

/**
 * Puts `insert` into the first text of the talk that can be found in the file, after its first word.
 * @returns the new bytes and the text's old form, or undefined where no text could be found.
 */
export function insertInto(
  bytes: Uint8Array,
  atoms: readonly Atom[],
  insert: Buffer,
): { bytes: Buffer; text: string; at: number } | undefined {
  for (const { kind, key } of atoms) {
    if (kind !== "user" && kind !== "assistant") continue;
    const at = /^[\w]{2,}/.exec(key)?.[0].length;
    if (at === undefined) continue;
    const inside = JSON.stringify(key).slice(1, -1);
    const lines = linesOf(bytes);
    let hits = 0;
    const changed = lines.map((line) => {
      const parts = split(line, Buffer.from(inside));
      const replacement = Buffer.concat([
        Buffer.from(inside.slice(0, at)),
        insert,
        Buffer.from(inside.slice(at)),
      ]);
      const whole = Buffer.from(inside);
      return Buffer.concat(
        parts.flatMap((part, i) => {
          const before = parts[i - 1];
          if (!before) return [part];
          // Only where it is a whole string, or stands on lines of its own in one; and everywhere (harnesses keep copies).
          const isOwn =
            OPEN.test(before.toString("latin1", Math.max(0, before.length - 2))) &&
            CLOSE.test(part.toString("latin1", 0, 2));
          if (isOwn) hits++;
          return [isOwn ? replacement : whole, part];
        }),
      );
    });
    if (hits > 0)
      return { bytes: Buffer.concat(changed.flatMap((line) => [line, Buffer.from("\n")])), text: key, at };
  }
  return undefined;
}

function split(bytes: Buffer, by: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(by); at !== -1; at = bytes.indexOf(by, from)) {
    parts.push(bytes.subarray(from, at));
    from = at + by.length;
  }
  parts.push(bytes.subarray(from));
  return parts;
}
