/**
 * Ids as the program makes them: `<prefix>_`, 12 hex digits (the low 48 bits of ms × 4096 + a counter; inverted for
 * sessions, so that the newest sorts first), 14 characters of base 62. Made from seeds here: the same conversion
 * gives the same ids.
 */
import { hash } from "node:crypto";

export type IdPrefix = "ses" | "msg" | "prt";

const BITS = 2 ** 48;
const COUNTS = 4096;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The counter may go so far past a time; nobody looks at it. */
const ROOM = 2 ** 28;

/**
 * @param ms since 1970; @param count orders ids of the same time.
 */
export function madeId(prefix: IdPrefix, ms: number, count: number, seed: string): string {
  // Close below the 48 bits' end (every 2.2 years) later ids would begin at 0 and sort first.
  const start = Math.min((Math.max(0, Math.floor(ms)) * COUNTS) % BITS, BITS - ROOM);
  const at = Math.min(start + count, BITS - 1);
  const hex = (prefix === "ses" ? BITS - 1 - at : at).toString(16).padStart(12, "0");
  return `${prefix}_${hex}${base62(seed)}`;
}

export function base62(seed: string): string {
  let text = "";
  const bytes = Buffer.from(hash("sha256", seed, "buffer"));
  for (let i = 0; i < 14; i++) text += DIGITS.charAt((bytes[i] as number) % 62);
  return text;
}
