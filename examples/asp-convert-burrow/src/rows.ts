/**
 * A session's rows as its evidence: one JSON object a line, `table` first, then the columns. `data` holds JSON and stands
 * as an object, so that what is in it can be found again.
 */
import {
  type Database,
  rowsView,
  type Source,
  type SqlRow,
  type SqlValue,
  type Store,
} from "@asp-convert/core";
import { idOf } from "./layout.js";

/** As Burrow's first start makes them. */
export const TABLES = [
  "CREATE TABLE session (id TEXT PRIMARY KEY, cwd TEXT NOT NULL, title TEXT, created TEXT NOT NULL, version TEXT NOT NULL)",
  `CREATE TABLE entry (session_id TEXT NOT NULL REFERENCES session (id), seq INTEGER NOT NULL, at TEXT NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (session_id, seq))`,
] as const;

export function viewOf({ root }: Store, source: Source): Source {
  return rowsView(source, { root, session: idOf, lines: linesOf });
}

/** The lines of one session; none if there is no such session. */
export function* linesOf(database: Database, id: string): Generator<string> {
  for (const row of database.iterate("SELECT * FROM session WHERE id = ?", id)) yield lineOf("session", row);
  for (const row of database.iterate("SELECT * FROM entry WHERE session_id = ? ORDER BY seq", id))
    yield lineOf("entry", row);
}

export function lineOf(table: string, row: SqlRow): string {
  const { data, ...columns } = row;
  const more = data === undefined ? {} : { data: typeof data === "string" ? embedded(data) : data };
  return `${JSON.stringify({ table, ...columns, ...more })}\n`;
}

/** An object only where it is spelled as we would: so that its text can be put back to the byte. */
function embedded(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

/** What a row looks like, to be found also in a damaged line. */
export const isRow = (value: object): boolean => "table" in value;

/** A line's row, to be put into a database again; undefined: it is none. */
export function rowOf(value: unknown): { table: string; row: Record<string, SqlValue> } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { table, ...columns } = value as Record<string, unknown>;
  if (table !== "session" && table !== "entry") return undefined;
  const row: Record<string, SqlValue> = {};
  for (const [name, column] of Object.entries(columns)) {
    if (column === null || typeof column === "string" || typeof column === "number") row[name] = column;
    else row[name] = JSON.stringify(column);
  }
  return { table, row };
}
