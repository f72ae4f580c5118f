/**
 * Rows on their way into an SQLite database. They are gathered in a temp database of the same tables first, so that
 * nothing is decided before all of a run was read; then all of them go in by one transaction, or none.
 */
import { createHash } from "node:crypto";
import { chmodSync, closeSync, fsyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { RowChange, RowsAction } from "../pipeline/plan.js";
import { ConflictError } from "../pipeline/stage.js";
import { databaseError, sqlite } from "./database.js";
import type { Database, SqlRow, SqlValue } from "./sql.js";

/** What of one table was put into a database, so that it can be found there again. */
export interface RowSet {
  table: string;
  /** Its primary key, in order. */
  key: readonly string[];
  /** Columns that the program itself may change without that being anybody's work. */
  drifts: readonly string[];
  /** Values of the key, a row each. */
  keys: readonly (readonly SqlValue[])[];
  /** Rows that other sessions may use too: they go only when nobody does. */
  shared: readonly (readonly SqlValue[])[];
}

export interface StagedRows {
  sets: RowSet[];
  /** Of all rows but the shared ones, in order, without the columns that drift. */
  sha256: string;
  bytes: number;
}

interface Table {
  columns: readonly string[];
  key: readonly string[];
}

export class RowStage {
  readonly #path: string;
  readonly #temp: string;
  readonly #database: DatabaseSync;
  readonly #target: Database | undefined;
  readonly #tables = new Map<string, Table>();
  readonly #drifts = new Map<string, readonly string[]>();
  #plans = 0;

  /**
   * @param path of the database, for messages; `temp`: where to gather, a name that nobody has.
   * @param target what is there now, closed with this; undefined: nothing, and the temp database will become it.
   * @param create statements that make its tables where there is none.
   */
  constructor(path: string, temp: string, target: Database | undefined, create: readonly string[]) {
    this.#path = path;
    this.#temp = temp;
    this.#target = target;
    this.#database = new (sqlite().DatabaseSync)(temp, { enableForeignKeyConstraints: false });
    chmodSync(temp, 0o600);
    // A crash leaves a temp file that nobody wants: it need not be durable, and nothing must lie beside it.
    this.#database.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
    const statements = target
      ? target
          .all(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
          )
          .map(({ sql }) => String(sql))
      : create;
    this.#database.exec(`BEGIN; ${statements.map((statement) => `${statement};`).join(" ")} COMMIT`);
    // Which rows are whose. In memory: the temp file may become the database itself.
    this.#database.exec(
      "ATTACH ':memory:' AS asp; CREATE TABLE asp.staged (tbl TEXT, key TEXT, plan INTEGER, shared INTEGER, PRIMARY KEY (tbl, key))",
    );
  }

  /** What is added from now on stays or goes together. */
  begin(): void {
    this.#database.exec("SAVEPOINT plan");
  }

  accept(): void {
    this.#database.exec("RELEASE plan");
  }

  reject(): void {
    this.#database.exec("ROLLBACK TO plan; RELEASE plan");
  }

  /**
   * Pulls the rows of one action. `unchanged`: the database holds all of them already, as they are.
   * @throws ConflictError if it holds other rows under their keys.
   */
  async add(action: RowsAction, signal?: AbortSignal): Promise<"created" | "unchanged"> {
    const plan = ++this.#plans;
    for (const [table, columns] of Object.entries(action.drifts ?? {})) this.#drifts.set(table, columns);
    this.#database.exec("SAVEPOINT action");
    try {
      for await (const change of action.rows()) {
        signal?.throwIfAborted();
        this.#take(change, plan);
      }
      const outcome = this.#compare(plan);
      this.#database.exec(outcome === "unchanged" ? "ROLLBACK TO action; RELEASE action" : "RELEASE action");
      return outcome;
    } catch (error) {
      this.#database.exec("ROLLBACK TO action; RELEASE action");
      throw databaseError(this.#path, error);
    }
  }

  /** Ends the gathering: the temp file is whole and closed. */
  finish(): StagedRows {
    const sets = this.#sets();
    const { sha256, bytes } = sumOf(this.#database, sets);
    this.#database.exec("DETACH asp");
    this.close();
    const fd = openSync(this.#temp, "r+");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    return { sets, sha256, bytes };
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
    this.#target?.close();
  }

  #take(change: RowChange, plan: number): void {
    const { columns, key } = this.#table(change.table);
    const name = quoted(change.table);
    if ("drop" in change) {
      const { sql, values } = where(change.drop);
      const gone = this.#database
        .prepare(`DELETE FROM ${name} WHERE ${sql} RETURNING ${key.map(quoted).join(", ")}`)
        .all(...values);
      for (const row of gone)
        this.#run(
          "DELETE FROM asp.staged WHERE tbl = ? AND key = ?",
          change.table,
          keyText(row as SqlRow, key),
        );
      return;
    }
    if ("set" in change) {
      const set = Object.entries(change.set);
      const { sql, values } = where(change.where);
      this.#run(
        `UPDATE ${name} SET ${set.map(([column]) => `${quoted(column)} = ?`).join(", ")} WHERE ${sql}`,
        ...set.map(([, value]) => value),
        ...values,
      );
      return;
    }
    const { row, shared = false } = change;
    const unknown = Object.keys(row).find((column) => !columns.includes(column));
    if (unknown !== undefined)
      throw new Error(`${this.#path}: its table ${change.table} has no column ${unknown}`);
    const text = keyText(row, key);
    const staged = this.#database
      .prepare("SELECT plan, shared FROM asp.staged WHERE tbl = ? AND key = ?")
      .get(change.table, text);
    if (staged) {
      if (staged.shared === 1 && shared) return;
      throw new ConflictError(this.#path);
    }
    const names = Object.keys(row);
    this.#run(
      `INSERT INTO ${name} (${names.map(quoted).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      ...Object.values(row),
    );
    this.#run("INSERT INTO asp.staged VALUES (?, ?, ?, ?)", change.table, text, plan, shared ? 1 : 0);
  }

  /** What the database holds of a plan's rows: nothing (`created`), or all of them. */
  #compare(plan: number): "created" | "unchanged" {
    if (!this.#target) return "created";
    let same = 0;
    let fresh = 0;
    const staged = this.#database.prepare(
      "SELECT tbl, key, shared FROM asp.staged WHERE plan = ? ORDER BY rowid",
    );
    for (const { tbl, key: text, shared } of staged.all(plan)) {
      const table = String(tbl);
      const { columns, key } = this.#table(table);
      const values = keyValues(String(text));
      const find = `SELECT * FROM ${quoted(table)} WHERE ${key.map((column) => `${quoted(column)} = ?`).join(" AND ")}`;
      const there = this.#target.all(find, ...values)[0];
      if (!there) {
        if (shared === 0) fresh++;
        continue;
      }
      if (shared === 1) {
        this.#take(
          { table, drop: Object.fromEntries(key.map((column, i) => [column, values[i] ?? null])) },
          plan,
        );
        continue;
      }
      const mine = this.#database.prepare(find).get(...values) as SqlRow;
      const drifts = this.#drifts.get(table) ?? [];
      if (columns.some((column) => !drifts.includes(column) && !equal(mine[column], there[column])))
        throw new ConflictError(this.#path);
      same++;
    }
    if (same > 0 && fresh > 0) throw new ConflictError(this.#path);
    return same > 0 ? "unchanged" : "created";
  }

  #sets(): RowSet[] {
    const sets = new Map<string, RowSet & { keys: SqlValue[][]; shared: SqlValue[][] }>();
    for (const { tbl, key, shared } of this.#database
      .prepare("SELECT tbl, key, shared FROM asp.staged ORDER BY rowid")
      .all()) {
      const table = String(tbl);
      const set = sets.get(table) ?? {
        table,
        key: this.#table(table).key,
        drifts: this.#drifts.get(table) ?? [],
        keys: [],
        shared: [],
      };
      sets.set(table, set);
      (shared === 1 ? set.shared : set.keys).push(keyValues(String(key)));
    }
    return [...sets.values()];
  }

  #table(name: string): Table {
    const known = this.#tables.get(name);
    if (known) return known;
    const table = tableOf(this.#database, name);
    if (!table) throw new Error(`${this.#path}: it has no table ${name}`);
    this.#tables.set(name, table);
    return table;
  }

  #run(sql: string, ...values: SqlValue[]): void {
    this.#database.prepare(sql).run(...values);
  }
}

/** A table's columns, and its primary key in order. */
export function tableOf(database: DatabaseSync, name: string): Table | undefined {
  const info = database.prepare("SELECT name, pk FROM pragma_table_info(?)").all(name);
  if (info.length === 0) return undefined;
  const key = info.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
  return {
    columns: info.map((column) => String(column.name)),
    key: key.map((column) => String(column.name)),
  };
}

/** The sum over rows in a database as it holds them now; undefined: one of them is not there. */
export function sumOf(
  database: DatabaseSync,
  sets: readonly RowSet[],
): { sha256: string; bytes: number; missing: number } {
  const sum = createHash("sha256");
  let bytes = 0;
  let missing = 0;
  for (const { table, key, drifts, keys } of sets) {
    if (keys.length === 0) continue;
    const columns = (tableOf(database, table)?.columns ?? []).filter((column) => !drifts.includes(column));
    if (columns.length === 0) {
      missing += keys.length;
      continue;
    }
    const find = database.prepare(
      `SELECT ${columns.map(quoted).join(", ")} FROM ${quoted(table)} WHERE ${key.map((column) => `${quoted(column)} = ?`).join(" AND ")}`,
    );
    find.setReadBigInts(true);
    for (const values of keys) {
      const row = find.get(...values);
      if (!row) {
        missing++;
        continue;
      }
      // Columns that a later version of the program added are empty in our rows.
      const text = `${table} ${JSON.stringify(
        Object.entries(row).filter(([, value]) => value !== null),
        plain,
      )}\n`;
      sum.update(text);
      bytes += Buffer.byteLength(text);
    }
  }
  return { sha256: sum.digest("hex"), bytes, missing };
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function where(conditions: Readonly<Record<string, SqlValue>>): { sql: string; values: SqlValue[] } {
  const entries = Object.entries(conditions);
  return {
    sql: entries.map(([column]) => `${quoted(column)} IS ?`).join(" AND "),
    values: entries.map(([, value]) => value),
  };
}

function keyText(row: SqlRow, key: readonly string[]): string {
  return JSON.stringify(
    key.map((column) => row[column] ?? null),
    plain,
  );
}

function keyValues(text: string): SqlValue[] {
  return JSON.parse(text) as SqlValue[];
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}

function equal(a: SqlValue | undefined, b: SqlValue | undefined): boolean {
  return JSON.stringify(a ?? null, plain) === JSON.stringify(b ?? null, plain);
}
