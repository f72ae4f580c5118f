/**
 * A session's rows as its evidence (L0): one JSON object a line, `table` first, then the columns in the table's own
 * order, empty ones left out. `data`, which holds JSON, stands as it is in the database, byte for byte.
 *
 *     {"table":"message","id":"msg_…","session_id":"ses_…","time_created":1,"time_updated":2,"data":{"role":"user",…}}
 */
import { type SqlRow, type SqlValue, sqlLiteral, sqlValueOf } from "@asp-convert/core";
import { type Fields, fields } from "../json.js";

export interface Row {
  table: string;
  /** All columns but `data`. */
  columns: Fields;
  /** The text of `data` in the database. */
  text?: string;
  /** `data`, if it is a JSON object. */
  data?: Fields;
}

const DATA = ',"data":';

/** @returns a whole line with its `\n`. */
export function lineOf(table: string, row: SqlRow): string {
  let line = `{"table":${JSON.stringify(table)}`;
  for (const [column, value] of Object.entries(row)) {
    if (value === null || column === "data") continue;
    line += `,${JSON.stringify(column)}:${sqlLiteral(value)}`;
  }
  const { data } = row;
  if (data !== null && data !== undefined)
    line += `${DATA}${typeof data === "string" ? embedded(data) : sqlLiteral(data)}`;
  return `${line}}\n`;
}

/** The text itself where it is one line of JSON, else as a JSON string. */
function embedded(text: string): string {
  return isOneObject(text) ? text : JSON.stringify(text);
}

function isOneObject(text: string): boolean {
  if (!text.startsWith("{") || !text.endsWith("}") || text.includes("\n") || text.includes("\r"))
    return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** undefined: no row of ours. */
export function rowOf(line: Buffer): Row | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
  return rowFrom(value, () => dataText(line));
}

/** @param text gives the text of `data`, where it is an object. */
export function rowFrom(value: unknown, text: () => string | undefined): Row | undefined {
  const all = fields(value);
  if (typeof all?.table !== "string") return undefined;
  const { table, data, ...columns } = all;
  if (data === undefined) return { table: table as string, columns };
  const source = typeof data === "string" ? data : text();
  const parsed = typeof data === "string" ? fields(tryParse(data)) : fields(data);
  return {
    table: table as string,
    columns,
    ...(source !== undefined && { text: source }),
    ...(parsed && { data: parsed }),
  };
}

/** What stands between `"data":` and the end. It comes last, and before it are only ids and numbers. */
function dataText(line: Buffer): string | undefined {
  const at = line.indexOf(DATA);
  const end = line.lastIndexOf(0x7d);
  return at === -1 ? undefined : line.toString("utf8", at + DATA.length, end);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Columns as they go into a database again. */
export function sqlRow({ columns, text }: Row): Record<string, SqlValue> {
  const row: Record<string, SqlValue> = {};
  for (const [column, value] of Object.entries(columns)) row[column] = sqlValueOf(value);
  if (text !== undefined) row.data = text;
  return row;
}
