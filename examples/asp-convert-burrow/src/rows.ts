/**
 * A session's rows as its evidence: one JSON object a line, `table` first, then the columns. `data` holds JSON and stands
 * as an object, so that what is in it can be found again.
 */
import {
  type Database,
  rowLine,
  rowOfLine,
  rowsView,
  type Source,
  type SqlRow,
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
  return rowLine(table, row, ["data"]);
}

/** What a row looks like, to be found also in a damaged line. */
export const isRow = (value: object): boolean => "table" in value;

/** A line's row, to be put into a database again; undefined: it is none of ours. */
export function rowOf(value: unknown): ReturnType<typeof rowOfLine> {
  const found = rowOfLine(value);
  return found?.table === "session" || found?.table === "entry" ? found : undefined;
}
