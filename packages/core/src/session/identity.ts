/** Identity is content: the same bytes give the same ids, whenever and wherever they are read. */
import { createHash, hash } from "node:crypto";

/** sha256 (hex) over parts, each preceded by its byte length so that no two lists of parts collide. */
export function digest(...parts: readonly string[]): string {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(`${Buffer.byteLength(part)}:`).update(part);
  return sum.digest("hex");
}

/** The canonical id of a session: over harness, native session id and the sha256 of its source bytes. */
export function sessionId(harness: string, nativeSessionId: string, sourceSha256: string): string {
  return digest(harness, nativeSessionId, sourceSha256);
}

/** The id of an event: over session, its native id and its type. */
export function eventId(session: string, nativeId: string, type: string): string {
  return digest(session, nativeId, type);
}

/** A UUID made from a seed: version and variant bits of a v4, the rest is sha256 of the seed. */
export function uuidFrom(seed: string): string {
  return asUuid(hash("sha256", seed), "4");
}

/** A UUID whose first 48 bits are `time` (ms since 1970), as v7 has it, the rest made from the seed. */
export function timedUuidFrom(time: number, seed: string): string {
  const ms = Math.max(0, Math.floor(Number.isFinite(time) ? time : 0))
    .toString(16)
    .padStart(12, "0")
    .slice(-12);
  return asUuid(ms + hash("sha256", seed).slice(12), "7");
}

function asUuid(hex: string, version: "4" | "7"): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Makes a call id legal for a target, the same way for the call and its result. A legal id stays as it is;
 * any other is cleaned, cut, and given a short hash of the original so that no two become one.
 * @param allowed matches a legal id as a whole; `max` is the longest it may be.
 */
export function legalId(id: string, allowed: RegExp = /^[A-Za-z0-9_-]+$/, max = 64): string {
  if (id.length > 0 && id.length <= max && allowed.test(id)) return id;
  const tail = hash("sha256", id).slice(0, 10);
  const clean = id.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, max - tail.length - 1);
  return clean === "" ? `call_${tail}` : `${clean}_${tail}`;
}
