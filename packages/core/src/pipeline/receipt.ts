/** What an apply did to a disk, and so how to take it back. */

/**
 * `staging`: temp files are being written. `committing`: they are being moved into place. `done`. `undoing`: being
 * taken back. `undone`. A run that did not get to `done` is rolled back, by itself or by the next run.
 */
export type ReceiptState = "staging" | "committing" | "done" | "undoing" | "undone";

export interface ReceiptEntry {
  do: "create" | "append" | "edit" | "link" | "rows";
  /** Absolute. */
  path: string;
  /** Of what we put there: the file, the appended text, the edited file, the rows. */
  sha256: string;
  bytes: number;
}

export interface Receipt {
  /** `2026-11-30T12-00-00Z-7f3a` */
  id: string;
  state: ReceiptState;
  /** ISO 8601. */
  createdAt: string;
  /** The folders everything lies in. */
  roots: readonly string[];
  /** For people: `2 sessions, claude → codex`. */
  what: string;
  entries: readonly ReceiptEntry[];
  /** Paths that held the very same already; nothing was done to them. */
  unchanged: readonly string[];
  /** Folders that were made, outermost first. */
  folders: readonly string[];
}
