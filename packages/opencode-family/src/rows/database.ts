/** A session's rows in a database, and what a list needs to know of all sessions, without their texts. */
import type { Database, SqlRow } from "@asp-convert/core";
import { lineOf } from "./line.js";

/**
 * Tables of a session besides its messages, in the order they stand in its evidence. Those of the second message
 * store (V2) are there for completeness. Not there: `session_share` (it holds a secret), `event` (the same again,
 * as a log).
 */
const SIDE_TABLES = [
  { table: "todo", order: "position" },
  { table: "session_message", order: "seq, id" },
  { table: "session_input", order: "admitted_seq, id" },
  { table: "session_context_epoch", order: "session_id" },
] as const;

/** Whether this is a database of the family at all: older programs of the same name had other tables. */
export function isFamilyDatabase(database: Database): boolean {
  return ["session", "message", "part"].every((table) => database.columns(table).length > 0);
}

/** A database that keeps a log, and in which nothing was ever made: its log was left behind when it was copied. */
export function lacksLog(database: Database): boolean {
  const [mode] = database.all("PRAGMA journal_mode");
  return mode?.journal_mode === "wal" && database.all("SELECT 1 FROM sqlite_schema LIMIT 1").length === 0;
}

/** The lines of one session; none if there is no such session. */
export function* sessionLines(database: Database, id: string): Generator<string> {
  const [session] = database.all("SELECT * FROM session WHERE id = ?", id);
  if (!session) return;
  yield lineOf("session", session);
  for (const { table, order } of SIDE_TABLES) {
    if (database.columns(table).length === 0) continue;
    for (const row of database.iterate(`SELECT * FROM ${table} WHERE session_id = ? ORDER BY ${order}`, id)) {
      yield lineOf(table, row);
    }
  }
  // Asked message by message: to sort all parts at once SQLite would hold all of them.
  const messages = "SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id";
  for (const message of database.iterate(messages, id)) {
    yield lineOf("message", message);
    const parts = database.iterate("SELECT * FROM part WHERE message_id = ? ORDER BY id", message.id ?? null);
    for (const part of parts) yield lineOf("part", part);
  }
  const orphans = `SELECT * FROM part WHERE session_id = ?1
    AND message_id NOT IN (SELECT id FROM message WHERE session_id = ?1) ORDER BY id`;
  for (const part of database.iterate(orphans, id)) yield lineOf("part", part);
}

export interface Stats {
  messages: number;
  /** Bytes of its lines. */
  size: number;
}

/** Of all sessions. The size comes from the lengths that SQLite keeps of each value: texts are not read. */
export function statsOf(database: Database): Map<string, Stats> {
  const stats = new Map<string, Stats>();
  const of = (id: unknown): Stats => {
    const known = stats.get(String(id)) ?? { messages: 0, size: 0 };
    stats.set(String(id), known);
    return known;
  };
  const add = (table: string) => {
    const columns = database.columns(table);
    if (columns.length === 0) return;
    const lengths = columns.map((column) => lengthOf(column)).join(" + ");
    const fixed = `{"table":"${table}"}\n`.length;
    const sql = `SELECT session_id AS id, sum(${fixed} + ${lengths}) AS size FROM ${table} GROUP BY session_id`;
    for (const { id, size } of database.iterate(sql)) of(id).size += Number(size);
  };
  for (const table of ["message", "part", ...SIDE_TABLES.map((side) => side.table)]) add(table);
  if (database.columns("part").length > 0)
    for (const { id, n } of database.iterate(
      `SELECT session_id AS id, count(DISTINCT message_id) AS n FROM part WHERE ${SAYS} GROUP BY session_id`,
    ))
      of(id).messages = Number(n);
  return stats;
}

/** Of a part: words or a file that somebody gave, not the program, and no summary. What cannot be either is not parsed. */
const SAYS = `(instr(part.data, '"text"') > 0 OR instr(part.data, '"file"') > 0) AND json_valid(part.data)
  AND (json_extract(part.data, '$.type') = 'file'
    OR (json_extract(part.data, '$.type') = 'text' AND trim(json_extract(part.data, '$.text'), char(9, 10, 13, 32)) <> ''))
  AND json_extract(part.data, '$.synthetic') IS NOT 1 AND json_extract(part.data, '$.ignored') IS NOT 1
  AND NOT EXISTS (SELECT 1 FROM message AS own WHERE own.id = part.message_id AND json_valid(own.data)
    AND json_extract(own.data, '$.summary') = 1)`;

/** Bytes of `,"column":value` in a line. Texts other than `data` are taken to need no escapes, as ids do. */
function lengthOf(column: string): string {
  const name = `"${column}"`;
  const key = `,${JSON.stringify(column)}:`.length;
  const text = column === "data" ? `octet_length(${name})` : `octet_length(json_quote(${name}))`;
  return `CASE typeof(${name}) WHEN 'null' THEN 0 WHEN 'text' THEN ${key} + ${text} ELSE ${key} + length(${name}) END`;
}

/** Sessions without their messages, oldest first. */
export function sessionRows(database: Database): IterableIterator<SqlRow> {
  return database.iterate("SELECT * FROM session ORDER BY time_created, id");
}

/** Messages that say something before the one that an undo went back to. */
export function messagesBefore(database: Database, session: string, message: string): number | undefined {
  const sql = `SELECT count(*) AS n FROM message AS m, message AS r WHERE r.id = ?2 AND r.session_id = ?1 AND m.session_id = ?1
    AND (m.time_created < r.time_created OR (m.time_created = r.time_created AND m.id < r.id))
    AND EXISTS (SELECT 1 FROM part WHERE part.message_id = m.id AND ${SAYS})`;
  const [there] = database.all("SELECT 1 FROM message WHERE id = ? AND session_id = ?", message, session);
  return there && Number(database.all(sql, session, message)[0]?.n ?? 0);
}

/** The first text that somebody typed: for a session whose title says nothing. */
export function firstPrompt(database: Database, session: string): string | undefined {
  const sql = `SELECT json_extract(p.data, '$.text') AS text FROM message AS m JOIN part AS p ON p.message_id = m.id
    WHERE m.session_id = ? AND json_valid(m.data) AND json_valid(p.data) AND json_extract(m.data, '$.role') = 'user'
    AND json_extract(p.data, '$.type') = 'text' AND json_extract(p.data, '$.synthetic') IS NOT 1
    AND json_extract(p.data, '$.ignored') IS NOT 1 ORDER BY m.time_created, m.id, p.id LIMIT 1`;
  const text = database.all(sql, session)[0]?.text;
  return typeof text === "string" ? text : undefined;
}

/** Which tool call made a child session: the parent's tool parts name it. */
export function callsOfChildren(database: Database, parent: string): Map<string, string> {
  const calls = new Map<string, string>();
  const sql = `SELECT json_extract(data, '$.callID') AS call, json_extract(data, '$.state.metadata.sessionId') AS child
    FROM part WHERE session_id = ? AND json_valid(data) AND json_extract(data, '$.state.metadata.sessionId') IS NOT NULL`;
  for (const { call, child } of database.iterate(sql, parent)) {
    if (typeof call === "string" && typeof child === "string") calls.set(child, call);
  }
  return calls;
}
