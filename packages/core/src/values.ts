/** Looking into values that came from outside: whatever is not of the shape asked for is undefined. */

export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function string(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A string with something in it. */
export function name(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** On one line, as a list shows a title: what controls a terminal is a blank. */
export function oneLine(text = ""): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim();
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value of JSON text; undefined if it is none, or no text. */
export function parsed(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const CANONICAL =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/** A time in ISO 8601 with zone, from text; undefined if it is no time. A time without zone is taken as UTC. */
export function isoTime(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length < 10) return undefined;
  if (CANONICAL.test(value)) return value; // nearly always: no need to take it apart
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`;
  return isoOf(Date.parse(zoned));
}

/** The years that ISO 8601 writes with four digits, in ms since 1970. */
const FIRST = Date.parse("0000-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/** ms since 1970 as ISO 8601; undefined for what is no number, or lies in a year that has not four digits. */
export function isoOf(ms: unknown): string | undefined {
  return isMoment(ms) ? new Date(ms).toISOString() : undefined;
}

/** Is it ms since 1970, in a year of four digits? */
export function isMoment(ms: unknown): ms is number {
  return typeof ms === "number" && ms >= FIRST && ms <= LAST;
}
