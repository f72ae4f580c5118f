/**
 * A row of a database as one line of JSON, and back: `table` first, then the columns in the table's own order, empty
 * ones left out. What JSON has no word for stands as `{"base64":"…"}` (bytes) or `{"integer":"…"}` (a whole number
 * beyond 2^53). A column that holds JSON stands as what it holds, so that what is in it can be found again, where that
 * has one spelling only: then its text can be put back to the byte.
 */
import type { SqlRow, SqlValue } from "./sql.js";

/**
 * @param json columns that hold JSON.
 * @returns a whole line with its `\n`.
 */
export function rowLine(table: string, row: SqlRow, json: readonly string[] = []): string {
  let line = `{"table":${JSON.stringify(table)}`;
  for (const [column, value] of Object.entries(row)) {
    if (value === null) continue;
    const text = typeof value === "string" && json.includes(column) ? embedded(value) : sqlLiteral(value);
    line += `,${JSON.stringify(column)}:${text}`;
  }
  return `${line}}\n`;
}

/** A line's row, to be put into a database again; undefined: it is none. */
export function rowOfLine(value: unknown): { table: string; row: Record<string, SqlValue> } | undefined {
  if (!isObject(value) || typeof value.table !== "string") return undefined;
  const { table, ...columns } = value;
  return {
    table: table as string,
    row: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, sqlValueOf(column)])),
  };
}

/** A value that is not null, as JSON. */
export function sqlLiteral(value: Exclude<SqlValue, null>): string {
  if (typeof value === "bigint") return JSON.stringify({ integer: String(value) });
  if (value instanceof Uint8Array) return JSON.stringify({ base64: Buffer.from(value).toString("base64") });
  return JSON.stringify(value) ?? "null";
}

/** The value that `sqlLiteral` spelled; JSON that stood for its own text is that text again. */
export function sqlValueOf(value: unknown): SqlValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (isObject(value) && Object.keys(value).length === 1) {
    const { base64, integer } = value;
    if (typeof base64 === "string") return Buffer.from(base64, "base64");
    if (typeof integer === "string" && /^-?\d+$/.test(integer)) return BigInt(integer);
  }
  return JSON.stringify(value);
}

/** Objects and lists only: a text that is a number or a word would not come back as a text. */
function embedded(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const isOwn = typeof value === "object" && value !== null && JSON.stringify(value) === text;
    return isOwn && sqlValueOf(value) === text ? text : JSON.stringify(text);
  } catch {
    return JSON.stringify(text);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
