/**
 * The index that is searched: one SQLite file of this person's alone, beside the receipts and outside every store. It
 * holds what was said (`piece`) and which three characters stand where (`gram`). It can be thrown away at any time.
 */
import { chmodSync, closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Environment, type SessionRef, stateFolder } from "@asp-convert/core";
import { gramsOf, snippetOf } from "./pattern.js";
import type { Stamps } from "./stamps.js";

/** Raised with every change of the tables: an index of another version is made anew. */
const VERSION = 1;

const TABLES = `
  CREATE TABLE store (id INTEGER PRIMARY KEY, key TEXT UNIQUE, root TEXT, stamps TEXT);
  CREATE TABLE session (id INTEGER PRIMARY KEY, store INTEGER, native TEXT, stamp TEXT, ref TEXT, problem TEXT,
    UNIQUE (store, native));
  CREATE TABLE piece (id INTEGER PRIMARY KEY, session INTEGER, body TEXT);
  CREATE INDEX piece_session ON piece (session);
  CREATE VIRTUAL TABLE gram USING fts5(body, content='', contentless_delete=1, detail=none, tokenize='trigram');
  PRAGMA user_version = ${VERSION};
`;

export interface Indexed {
  /** Of the row. */
  row: number;
  ref: SessionRef;
  stamp: string;
  /** Why its text could not be read, or not all of it. */
  problem?: string;
}

export function indexPath(environment: Environment): string {
  return join(stateFolder(environment), "search", "index.db");
}

export class SearchIndex {
  readonly #db: DatabaseSync;

  /** @throws where it can neither be opened nor made */
  static open(path: string): SearchIndex {
    try {
      return new SearchIndex(path);
    } catch (error) {
      if (!isDamage(error)) throw error;
      SearchIndex.remove(path);
      return new SearchIndex(path);
    }
  }

  /** As it is: nothing is mended. @throws where it is damaged */
  static look(path: string): SearchIndex {
    return new SearchIndex(path);
  }

  static remove(path: string): void {
    for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  }

  private constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Made by us first: SQLite would let everybody read it. What it puts beside it gets the same mode.
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
    this.#db = new DatabaseSync(path);
    try {
      // Another search may be writing.
      this.#db.exec("PRAGMA busy_timeout = 5000");
      const version = this.#db.prepare("PRAGMA user_version").get()?.user_version;
      if (version !== 0 && version !== VERSION) throw new OtherVersion();
      this.#db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
      if (version === 0) {
        this.#db.exec("BEGIN IMMEDIATE");
        const again = this.#db.prepare("PRAGMA user_version").get()?.user_version;
        this.#db.exec(again === 0 ? `${TABLES} COMMIT` : "COMMIT");
      }
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  close(): void {
    this.#db.close();
  }

  /** Another number once another process has written. */
  get version(): number {
    return Number(this.#db.prepare("PRAGMA data_version").get()?.data_version);
  }

  /** Each store's key, root, and what its files were when it was last looked at. */
  stores(): Map<string, { id: number; root: string; stamps: Stamps }> {
    const rows = this.#db.prepare("SELECT id, key, root, stamps FROM store").all();
    return new Map(
      rows.map(({ id, key, root, stamps }) => [
        String(key),
        { id: Number(id), root: String(root), stamps: JSON.parse(String(stamps)) as Stamps },
      ]),
    );
  }

  /** The row of a store; made where there is none. */
  store(key: string, root: string): number {
    this.#db
      .prepare("INSERT INTO store (key, root, stamps) VALUES (?, ?, '{}') ON CONFLICT DO NOTHING")
      .run(key, root);
    return Number(this.#db.prepare("SELECT id FROM store WHERE key = ?").get(key)?.id);
  }

  /** To be called when all of it is indexed: it is taken as whole from then on. */
  setStamps(store: number, stamps: Stamps): void {
    this.#db.prepare("UPDATE store SET stamps = ? WHERE id = ?").run(JSON.stringify(stamps), store);
  }

  forget(store: number): void {
    for (const { row } of this.sessions(store)) this.remove(row);
    this.#db.prepare("DELETE FROM store WHERE id = ?").run(store);
  }

  sessions(store: number): Indexed[] {
    return this.#db
      .prepare("SELECT id, stamp, ref, problem FROM session WHERE store = ?")
      .all(store)
      .map(({ id, stamp, ref, problem }) => ({
        row: Number(id),
        stamp: String(stamp),
        ref: JSON.parse(String(ref)) as SessionRef,
        ...(problem !== null && { problem: String(problem) }),
      }));
  }

  setRef(row: number, ref: SessionRef): void {
    this.#db.prepare("UPDATE session SET ref = ? WHERE id = ?").run(JSON.stringify(ref), row);
  }

  /**
   * Puts a session in, in place of what was there of it. All of it or nothing: a reader that fails is a problem of it.
   * Where another search has put it in meanwhile, its text is not read again.
   */
  async put(store: number, ref: SessionRef, stamp: string, texts: AsyncIterable<string>): Promise<void> {
    const db = this.#db;
    db.exec("BEGIN IMMEDIATE");
    try {
      const old = db
        .prepare("SELECT id FROM session WHERE store = ? AND native = ?")
        .get(store, nativeOf(ref));
      if (old) this.#remove(Number(old.id));
      const made = db
        .prepare("INSERT INTO session (store, native, stamp, ref) VALUES (?, ?, ?, ?)")
        .run(store, nativeOf(ref), stamp, JSON.stringify(ref));
      const row = Number(made.lastInsertRowid);
      const problem = await this.#pieces(row, texts);
      if (problem !== undefined) db.prepare("UPDATE session SET problem = ? WHERE id = ?").run(problem, row);
      db.exec("COMMIT");
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  }

  async #pieces(row: number, texts: AsyncIterable<string>): Promise<string | undefined> {
    const piece = this.#db.prepare("INSERT INTO piece (session, body) VALUES (?, ?)");
    const gram = this.#db.prepare("INSERT INTO gram (rowid, body) VALUES (?, ?)");
    const reading = texts[Symbol.asyncIterator]();
    for (;;) {
      let next: IteratorResult<string>;
      try {
        next = await reading.next();
      } catch (error) {
        if (error instanceof Error && error.name === "AbortError") throw error;
        return error instanceof Error ? error.message : String(error);
      }
      if (next.done) return undefined;
      gram.run(piece.run(row, next.value).lastInsertRowid, next.value);
    }
  }

  remove(row: number): void {
    this.#db.exec("BEGIN IMMEDIATE");
    this.#remove(row);
    this.#db.exec("COMMIT");
  }

  #remove(row: number): void {
    this.#db.prepare("DELETE FROM gram WHERE rowid IN (SELECT id FROM piece WHERE session = ?)").run(row);
    this.#db.prepare("DELETE FROM piece WHERE session = ?").run(row);
    this.#db.prepare("DELETE FROM session WHERE id = ?").run(row);
  }

  /** What stands around the first match in each session that has one; `rows`: those that are meant. */
  find(pattern: RegExp, rows: ReadonlySet<number>): Map<number, string> {
    const found = new Map<number, string>();
    const body = this.#db.prepare("SELECT body FROM piece WHERE id = ?");
    for (const [piece, session] of this.#candidates(gramsOf(pattern))) {
      if (found.has(session) || !rows.has(session)) continue;
      const snippet = snippetOf(String(body.get(piece)?.body), pattern);
      if (snippet !== undefined) found.set(session, snippet);
    }
    return found;
  }

  *#candidates(grams: readonly string[]): Generator<[number, number]> {
    if (grams.length === 0) {
      for (const { id, session } of this.#db.prepare("SELECT id, session FROM piece").iterate())
        yield [Number(id), Number(session)];
      return;
    }
    const sessions = this.#db
      .prepare("SELECT session, min(id) AS first FROM piece GROUP BY session ORDER BY first")
      .all();
    const match = grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(" AND ");
    // A session's pieces follow each other, so the rows need not be joined.
    let at = 0;
    for (const { rowid } of this.#db
      .prepare("SELECT rowid FROM gram WHERE gram MATCH ? ORDER BY rowid")
      .iterate(match)) {
      while (at + 1 < sessions.length && Number(sessions[at + 1]?.first) <= Number(rowid)) at++;
      yield [Number(rowid), Number(sessions[at]?.session)];
    }
  }

  /** For `doctor`. @throws where it is damaged */
  check(): { sessions: number; unread: number } {
    this.#db.exec("INSERT INTO gram(gram) VALUES ('integrity-check')");
    const { quick_check: found } = this.#db.prepare("PRAGMA quick_check(1)").get() ?? {};
    if (found !== "ok") throw new Error(String(found));
    const row = this.#db.prepare("SELECT count(*) AS n, count(problem) AS unread FROM session").get();
    return { sessions: Number(row?.n), unread: Number(row?.unread) };
  }
}

/** Two sessions of one store may have one id (a copied file): told apart by where they lie. */
function nativeOf({ id, path }: SessionRef): string {
  return `${id}\0${path}`;
}

class OtherVersion extends Error {}

/** Neither a busy nor a full disk: what is there is no index of ours. */
function isDamage(error: unknown): boolean {
  return (
    error instanceof OtherVersion ||
    (error instanceof Error &&
      /malformed|not a database|corrupt|no such (table|column|module)/i.test(error.message))
  );
}
