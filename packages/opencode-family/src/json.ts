/** Looking into values that came from outside, beyond what core has for it. */

import { isoOf as iso } from "@asp-convert/core/values";

export type { Fields } from "@asp-convert/core/values";
export { fields, list, name, number, parsed, string } from "@asp-convert/core/values";

/** ms since 1970 as ISO 8601; undefined for what is no time. */
export function isoOf(ms: unknown): string | undefined {
  return typeof ms === "number" && ms > 0 ? iso(ms) : undefined;
}

/** ISO 8601 as ms since 1970; undefined for what is no time. */
export function msOf(iso: string | undefined): number | undefined {
  const ms = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? undefined : ms;
}

/** An object without the keys whose value is undefined. */
export function defined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

const HALF_SURROGATE = /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/i;

/** JSON text in which no half of a surrogate pair stands alone: no vendor takes one. */
export function wellFormedJson(value: unknown): { text: string; changed: boolean } {
  const text = JSON.stringify(value);
  // JSON.stringify writes a lone half as an escape, and nothing else so.
  if (!HALF_SURROGATE.test(text)) return { text, changed: false };
  const mended = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "string" ? inner.toWellFormed() : inner,
  );
  return { text: mended, changed: true };
}
