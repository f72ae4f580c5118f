/** An SQLite database as a reader sees it: rows, never the file. */

/** A bigint only where a number would not be exact. */
export type SqlValue = string | number | bigint | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A database as it was when it was opened. */
export interface Database {
  /** All rows at once: for small answers. @throws SourceError */
  all(sql: string, ...values: readonly SqlValue[]): SqlRow[];
  /** Row by row. @throws SourceError */
  iterate(sql: string, ...values: readonly SqlValue[]): IterableIterator<SqlRow>;
  /** Column names of a table or view; empty where there is none of that name. */
  columns(table: string): string[];
  /** The copy goes when nobody has it open any more. */
  close(): void;
}
