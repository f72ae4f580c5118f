/** Gathered rows into a database that other programs may have open, and out of it again: one transaction each. */
import type { DatabaseSync } from "node:sqlite";
import { sqlite } from "./database.js";
import { quoted, type RowSet, sumOf, tableOf } from "./rows.js";
import type { SqlValue } from "./sql.js";
import { WriteError } from "./write-error.js";

/** How long to wait for another program's transaction. SQLite's own default is not at all. */
const BUSY_MS = 10_000;

/** `ours`: all rows are as we put them. `before`: none is there. `changed`: anything else. */
export type RowsState = "ours" | "before" | "changed";

/** Puts the rows gathered in `temp` into the database at `path`. */
export function insertRows(path: string, temp: string, sets: readonly RowSet[]): void {
  withDatabase(path, (database) => {
    database.prepare("ATTACH ? AS asp").run(temp);
    transaction(database, () => {
      for (const { table, key, keys, shared } of sets) {
        const theirs = tableOf(database, table)?.columns ?? [];
        const mine = database
          .prepare("SELECT name FROM pragma_table_info(?, 'asp')")
          .all(table)
          .map(({ name }) => String(name));
        const columns = mine
          .filter((column) => theirs.includes(column))
          .map(quoted)
          .join(", ");
        const copy = (or: string) =>
          database.prepare(
            `INSERT ${or} INTO main.${quoted(table)} (${columns}) SELECT ${columns} FROM asp.${quoted(table)} WHERE ${matching(key)}`,
          );
        const insert = copy("");
        for (const values of keys) insert.run(...values);
        // Made by another program meanwhile: then its row stands.
        const share = copy("OR IGNORE");
        for (const values of shared) share.run(...values);
      }
    });
  });
}

export function stateOfRows(path: string, sets: readonly RowSet[], sha256: string): RowsState {
  return withDatabase(path, (database) => stateIn(database, sets, sha256));
}

/** Takes rows out again. @throws WriteError if they are not as we put them, or something was added to them. */
export function removeRows(path: string, sets: readonly RowSet[], sha256: string): void {
  withDatabase(path, (database) => {
    // What refers to our rows is looked for below; a cascade would take it along unasked.
    database.exec("PRAGMA foreign_keys = OFF");
    transaction(database, () => {
      const state = stateIn(database, sets, sha256);
      if (state === "before") return;
      if (state === "changed") throw new WriteError(path, "changed", "holds other rows by now");
      for (const { table, key, keys, shared } of sets.toReversed()) {
        const remove = database.prepare(`DELETE FROM ${quoted(table)} WHERE ${matching(key)}`);
        for (const values of keys) remove.run(...values);
        for (const values of shared)
          if (!isReferredTo(database, table, key, values, [])) remove.run(...values);
      }
    });
  });
}

function stateIn(database: DatabaseSync, sets: readonly RowSet[], sha256: string): RowsState {
  const all = sets.reduce((sum, { keys }) => sum + keys.length, 0);
  const now = sumOf(database, sets);
  if (now.missing === all) return "before";
  if (now.missing > 0 || now.sha256 !== sha256) return "changed";
  const added = sets.some(({ table, key, keys }) =>
    keys.some((values) => isReferredTo(database, table, key, values, sets)),
  );
  return added ? "changed" : "ours";
}

/** Whether a row that is not in `sets` names this one as what it belongs to. */
function isReferredTo(
  database: DatabaseSync,
  table: string,
  key: readonly string[],
  values: readonly SqlValue[],
  sets: readonly RowSet[],
): boolean {
  for (const { child, column, parentColumn } of referrers(database, table)) {
    const value = values[key.indexOf(parentColumn)];
    if (value === undefined) continue;
    const childKey = tableOf(database, child)?.key ?? [];
    const ours = ourKeys(sets, child);
    const rows = database
      .prepare(
        `SELECT ${childKey.map(quoted).join(", ") || "rowid"} FROM ${quoted(child)} WHERE ${quoted(column)} = ?`,
      )
      .iterate(value);
    for (const row of rows) if (!ours.has(JSON.stringify(childKey.map((name) => row[name])))) return true;
  }
  return false;
}

interface Referrer {
  child: string;
  column: string;
  parentColumn: string;
}

const known = new WeakMap<DatabaseSync, Map<string, Referrer[]>>();

function referrers(database: DatabaseSync, table: string): Referrer[] {
  let all = known.get(database);
  if (!all) {
    all = new Map();
    known.set(database, all);
    const links = database.prepare(
      `SELECT s.name AS child, f."from" AS "column", f."table" AS parent, coalesce(f."to", 'id') AS parentColumn
       FROM sqlite_schema AS s, pragma_foreign_key_list(s.name) AS f WHERE s.type = 'table'`,
    );
    for (const link of links.all()) {
      const parent = String(link.parent);
      const list = all.get(parent) ?? [];
      all.set(parent, list);
      list.push({
        child: String(link.child),
        column: String(link.column),
        parentColumn: String(link.parentColumn),
      });
    }
  }
  return all.get(table) ?? [];
}

const keySets = new WeakMap<readonly RowSet[], Map<string, Set<string>>>();

function ourKeys(sets: readonly RowSet[], table: string): Set<string> {
  let all = keySets.get(sets);
  if (!all) {
    all = new Map(sets.map((set) => [set.table, new Set(set.keys.map((values) => JSON.stringify(values)))]));
    keySets.set(sets, all);
  }
  return all.get(table) ?? new Set();
}

function matching(key: readonly string[]): string {
  return key.map((column) => `${quoted(column)} = ?`).join(" AND ");
}

function withDatabase<T>(path: string, work: (database: DatabaseSync) => T): T {
  const database = new (sqlite().DatabaseSync)(path, { timeout: BUSY_MS, allowExtension: false });
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL");
    return work(database);
  } catch (error) {
    throw explained(path, error);
  } finally {
    database.close();
  }
}

function transaction(database: DatabaseSync, work: () => void): void {
  // IMMEDIATE: who writes at the same time is waited for now, not met half-way.
  database.exec("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** SQLite's result codes in words. */
function explained(path: string, error: unknown): unknown {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
  if (code === undefined) return error;
  const message = error instanceof Error ? error.message : String(error);
  const fail = (why: WriteError["why"], detail: string) =>
    new WriteError(path, why, detail, { cause: error });
  switch (code & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return fail("changed", "is being written by another program all the time. Close it, and run it again");
    case 8: // SQLITE_READONLY
      return fail("read-only", "may not be written. Make it writable for you, or write to another folder");
    case 13: // SQLITE_FULL
      return fail("no-space", "no space is left on this disk. Free some, or write to another one");
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return fail("failed", "is damaged, or no SQLite database; nothing is written to it");
    case 19: // SQLITE_CONSTRAINT
      return fail(
        "changed",
        `got rows of the same ids meanwhile, or lacks what they belong to (${message}). Run it again`,
      );
    default:
      return fail("failed", `could not be written (${message})`);
  }
}
