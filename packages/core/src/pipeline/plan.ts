/** What would be done to a disk: a writer's whole output. Nothing happens until `apply`. */
import type { SqlValue } from "../io/sql.js";

/** Text, bytes, or a stream of either. A stream is pulled once, when the plan is applied or measured. */
export type Content = string | Uint8Array | (() => AsyncIterable<string | Uint8Array>);

export type Action = CreateAction | AppendAction | EditAction | LinkAction | RowsAction;

/** A new file. It never replaces one: the same bytes there already is "nothing to do", others a conflict. */
export interface CreateAction {
  do: "create";
  /** Absolute. */
  path: string;
  content: Content;
  /** Permission bits, default 0o600. */
  mode?: number;
  /** ms since 1970; asked after the content was pulled, for harnesses that take a file's time for a session's. */
  mtimeMs?: () => number | undefined;
}

/** Lines added to the end of an index that the harness itself only appends to. A line already there is left out. */
export interface AppendAction {
  do: "append";
  path: string;
  /** Asked after all `create` contents were pulled. Whole lines, each ending with `\n`. */
  lines: () => string;
  mode?: number;
}

/** A change inside a file people own: only the owned bytes differ. */
export interface EditAction {
  do: "edit";
  path: string;
  /** From the file's text (undefined: there is none) to its new text. The same text: nothing to do. */
  edit: (before: string | undefined) => string;
  /** For the plan that a person is shown: `[mcp_servers.demo] in config.toml`. */
  what: string;
  mode?: number;
}

/** A symbolic link to a place inside the same root. */
export interface LinkAction {
  do: "link";
  path: string;
  to: string;
}

/**
 * New rows in an SQLite database, which a running program may have open: all in one transaction, and only added.
 * Rows of the same keys there already are "nothing to do" where all are the same, and a conflict otherwise.
 */
export interface RowsAction {
  do: "rows";
  /** Of the database. */
  path: string;
  /** Statements that make it where there is none. */
  create: readonly string[];
  /** Pulled once. In any order: what refers to what is looked at when all are in. */
  rows: () => AsyncIterable<RowChange>;
  /**
   * By table, columns that the program changes by itself: another value there is no reason not to take the rows
   * back.
   */
  drifts?: Readonly<Record<string, readonly string[]>>;
}

/** A row; or, on second thought, other values for rows that this action gave before, or none of them. */
export type RowChange =
  /** `shared`: other sessions may need it too, so one that is there is left as it is. */
  | { table: string; row: Readonly<Record<string, SqlValue>>; shared?: boolean }
  | { table: string; where: Readonly<Record<string, SqlValue>>; set: Readonly<Record<string, SqlValue>> }
  | { table: string; drop: Readonly<Record<string, SqlValue>> };

/** Drops every content unread but counts its bytes: a dry run. */
export async function measure(content: Content): Promise<number> {
  if (typeof content === "string") return Buffer.byteLength(content);
  if (content instanceof Uint8Array) return content.byteLength;
  let bytes = 0;
  for await (const part of content())
    bytes += typeof part === "string" ? Buffer.byteLength(part) : part.byteLength;
  return bytes;
}
