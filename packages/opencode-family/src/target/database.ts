/** What the target's database can take. A version that we have not seen is written to only if its tables fit. */
import { type Database, RefusedError, type SqlValue } from "@asp-convert/core";
import type { Program } from "../program.js";
import { MIGRATIONS, TABLES } from "../schema.js";

const TABLE_NAMES = ["project", "session", "message", "part", "todo"] as const;
export type TableName = (typeof TABLE_NAMES)[number];

/** Columns without which there is no session. */
const NEEDED: Readonly<Record<TableName, readonly string[]>> = {
  project: ["id", "worktree", "time_created", "time_updated", "sandboxes"],
  session: ["id", "project_id", "slug", "directory", "title", "version", "time_created", "time_updated"],
  message: ["id", "session_id", "time_created", "time_updated", "data"],
  part: ["id", "message_id", "session_id", "time_created", "time_updated", "data"],
  todo: [],
};
/** Columns that we know what to put into. */
const KNOWN: Readonly<Record<TableName, readonly string[]>> = {
  project: [...NEEDED.project, "vcs"],
  session: [
    ...NEEDED.session,
    ...[
      "workspace_id",
      "parent_id",
      "path",
      "share_url",
      "summary_additions",
      "summary_deletions",
      "summary_files",
    ],
    ...[
      "summary_diffs",
      "metadata",
      "cost",
      "tokens_input",
      "tokens_output",
      "tokens_reasoning",
      "tokens_cache_read",
    ],
    ...["tokens_cache_write", "revert", "permission", "agent", "model", "time_compacting", "time_archived"],
  ],
  message: NEEDED.message,
  part: NEEDED.part,
  todo: ["session_id", "content", "status", "priority", "position", "time_created", "time_updated"],
};

/** The columns of a table; none where the database has no such table. */
export type Columns = (table: string) => ReadonlySet<string>;

/** Statements that make a new database, as the program's first start would leave it. */
export function creation(): string[] {
  const done = MIGRATIONS.map((id) => `INSERT INTO migration (id, time_completed) VALUES ('${id}', 0)`);
  return [...TABLES, ...done];
}

/** Of a database to be made. */
export function newColumns(): Columns {
  const tables = new Map(TABLES.map(columnsIn).filter((table) => table !== undefined));
  return (table) => tables.get(table) ?? new Set();
}

/** The columns that a `CREATE TABLE` names. */
function columnsIn(sql: string): [string, Set<string>] | undefined {
  const match = /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"? ?\((.*)\)$/.exec(sql);
  if (!match) return undefined;
  const names = (match[2] as string)
    .replace(/\([^()]*\)/g, "")
    .split(",")
    .map((part) => part.trim().split(" ")[0] as string)
    .filter((word) => !/^(CONSTRAINT|PRIMARY|FOREIGN|UNIQUE|CHECK)$/.test(word));
  return [match[1] as string, new Set(names)];
}

/** @throws RefusedError naming what does not fit. */
export function columnsOf(program: Program, path: string, database: Database): Columns {
  for (const table of TABLE_NAMES) {
    const info = database.all(
      `SELECT name, "notnull" AS needed, dflt_value AS standard FROM pragma_table_info(?)`,
      table,
    );
    const names = info.map(({ name }) => String(name));
    const missing = NEEDED[table].filter((column) => !names.includes(column));
    const strange = info
      .filter(
        ({ name, needed, standard }) =>
          needed === 1 && standard === null && !KNOWN[table].includes(String(name)),
      )
      .map(({ name }) => `${table}.${name}`);
    const why =
      names.length === 0 && NEEDED[table].length > 0
        ? `has no table ${table}`
        : missing.length > 0
          ? `has no ${missing.map((column) => `${table}.${column}`).join(", ")}`
          : strange.length > 0
            ? `wants values for ${strange.join(", ")}, which are not known here`
            : undefined;
    if (why !== undefined) throw new RefusedError(unfit(program, path, why));
  }
  const known = new Map<string, ReadonlySet<string>>();
  const names = [...TABLE_NAMES, "session_message", "session_input", "session_context_epoch"];
  for (const table of names) known.set(table, new Set(database.columns(table)));
  return (table) => known.get(table) ?? new Set();
}

function unfit(program: Program, path: string, why: string): string {
  return (
    `${path}: ${why}. It was made by a version of ${program.name} that this converter does not know ` +
    `(measured: ${program.verified.join(", ")}); nothing is written to it. Write to a folder with --out instead`
  );
}

/** Only what the table has; what it lacks an older version does without. */
export function fitting(
  row: Readonly<Record<string, SqlValue>>,
  columns: ReadonlySet<string>,
): Record<string, SqlValue> {
  return Object.fromEntries(Object.entries(row).filter(([column]) => columns.has(column)));
}
