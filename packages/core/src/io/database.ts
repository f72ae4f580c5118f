/**
 * Reads SQLite databases without touching them: the file, its write-ahead log and a journal left by a crash are
 * copied to a private temp folder, and the copy is read. What lies only in the log is so never missed, and a
 * program that goes on writing is neither disturbed nor seen half-way.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { blocksOf } from "./blocks.js";
import { type Source, SourceError } from "./source.js";
import type { Database, SqlRow } from "./sql.js";

type Readable = Pick<Source, "stat" | "open">;

/** How often a copy is begun anew because a program wrote the database while it was copied. */
const MOST_TRIES = 20;

interface Shared {
  key: string;
  copy: Promise<Copy>;
  users: number;
}

/**
 * Makes a source's `openDatabase`. One copy serves all who ask while the files stay as they are: a store of
 * many sessions is copied once, not once a session.
 */
export function databasesOf(source: Readable): (path: string) => Promise<Database> {
  const open = new Map<string, Shared>();

  function leave(path: string, shared: Shared): void {
    shared.users--;
    // The newest copy stays for the next one who asks; it goes with the process.
    if (shared.users === 0 && open.get(path) !== shared)
      void shared.copy.then(
        (copy) => copy.remove(),
        () => {},
      );
  }

  return async (path) => {
    const key = await keyOf(source, path);
    let shared = open.get(path);
    if (shared?.key !== key) {
      const old = shared;
      shared = { key, copy: copyOf(source, path), users: 0 };
      open.set(path, shared);
      if (old?.users === 0)
        void old.copy.then(
          (copy) => copy.remove(),
          () => {},
        );
    }
    const mine = shared;
    mine.users++;
    try {
      const { database } = await mine.copy;
      let closed = false;
      return reading(path, database, () => {
        if (!closed) leave(path, mine);
        closed = true;
      });
    } catch (error) {
      open.delete(path);
      throw error;
    }
  };
}

async function keyOf(source: Readable, path: string): Promise<string> {
  const parts = await Promise.all(
    ["", "-wal", "-journal"].map(async (end) => {
      const info = await source.stat(path + end);
      return info?.kind === "file" ? `${info.size} ${info.mtimeMs}` : "-";
    }),
  );
  return parts.join("|");
}

const atExit = new Set<() => void>();

/** A process that ends without closing leaves no copy of somebody's talk behind. */
function removeAtExit(remove: () => void): void {
  if (atExit.size === 0 && !process.listeners("exit").includes(removeAll)) process.on("exit", removeAll);
  atExit.add(remove);
}

function removeAll(): void {
  for (const remove of atExit) remove();
}

interface Copy {
  database: DatabaseSync;
  remove(): void;
}

async function copyOf(source: Readable, path: string): Promise<Copy> {
  const folder = mkdtempSync(join(tmpdir(), "asp-database-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  removeAtExit(remove);
  try {
    const to = join(folder, "copy");
    await copyWhole(source, path, to);
    const database = new (sqlite().DatabaseSync)(to, {
      allowExtension: false,
      enableForeignKeyConstraints: false,
    });
    // The file is somebody else's: its views and triggers may not call anything, and damage is an error, not a crash.
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON");
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return {
      database,
      remove() {
        atExit.delete(remove);
        database.close();
        remove();
      },
    };
  } catch (error) {
    atExit.delete(remove);
    remove();
    throw databaseError(path, error);
  }
}

/** Copies the file and what belongs to it, all of one moment. */
export async function copyWhole(source: Readable, path: string, to: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const files = [await source.open(path)];
    try {
      for (const end of ["-wal", "-journal"]) {
        if ((await source.stat(path + end))?.kind === "file") files.push(await source.open(path + end));
      }
      for (const end of ["", "-wal", "-journal"]) rmSync(to + end, { force: true });
      for (const file of files) copyFile(file, to + file.path.slice(path.length));
      // Lines added to the log do no harm: what is cut off is no whole transaction. A log begun anew does, or a
      // main file that was written: then the two are not of one moment.
      const [main, ...others] = files.map((file) => file.check());
      if (main === "same" && !others.includes("changed")) return;
    } finally {
      for (const file of files) file.close();
    }
    if (tries === MOST_TRIES) {
      throw new SourceError(
        path,
        "changed",
        "is written all the time; no moment was found to copy it. Run it again",
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50 * tries));
  }
}

function copyFile(file: Awaited<ReturnType<Source["open"]>>, to: string): void {
  const fd = openSync(to, "wx", 0o600);
  try {
    for (const bytes of blocksOf(file))
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  } finally {
    closeSync(fd);
  }
}

/** An open database as the rest reads it. @param path for messages */
export function reading(path: string, database: DatabaseSync, close: () => void): Database {
  const statement = (sql: string): StatementSync => {
    const prepared = database.prepare(sql);
    prepared.setReadBigInts(true);
    return prepared;
  };
  return {
    all(sql, ...values) {
      try {
        return statement(sql)
          .all(...values)
          .map(exact);
      } catch (error) {
        throw databaseError(path, error);
      }
    },
    *iterate(sql, ...values) {
      try {
        for (const row of statement(sql).iterate(...values)) yield exact(row);
      } catch (error) {
        throw databaseError(path, error);
      }
    },
    columns(table) {
      return this.all("SELECT name FROM pragma_table_info(?)", table).map(({ name }) => String(name));
    },
    close,
  };
}

function exact(row: Record<string, unknown>): SqlRow {
  for (const name in row) {
    const value = row[name];
    if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) row[name] = Number(value);
  }
  return row as SqlRow;
}

/** SQLite's own errors in words; any other as it is. */
export function databaseError(path: string, error: unknown): unknown {
  if (error instanceof SourceError) return error;
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
  if (code === undefined) return error;
  const message = error instanceof Error ? error.message : String(error);
  const detail =
    code === 26 ? "is no SQLite database" : code === 11 ? "is damaged" : `cannot be read (${message})`;
  return new SourceError(path, "unreadable", detail);
}

type Sqlite = typeof import("node:sqlite");
let loaded: Sqlite | undefined;

/** `node:sqlite`, when it is first needed, and without the note that it is experimental in some versions of Node. */
export function sqlite(): Sqlite {
  if (loaded) return loaded;
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    loaded = process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
  return loaded;
}
