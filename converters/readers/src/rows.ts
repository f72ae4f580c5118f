/** Sessions that lie in a database: each as a file of its rows, `<database>/<session>.jsonl`. In a bundle, that is what they are. */
import {
  type Database,
  type ListContext,
  lineBatches,
  type OpenFile,
  type Origin,
  pathOf,
  piecesOf,
  type ReadContext,
  rowLine,
  rowsView,
  type SessionEvent,
  type SessionRef,
  type Source,
  type SqlRow,
  type Store,
  unlessUnreadable,
} from "@asp-convert/core";
import { type Fields, fields } from "@asp-convert/core/values";
import { type About, refOf } from "./refs.js";
import { Say } from "./say.js";

/** How the sessions of one program's database are read. */
export interface Rows {
  harness: string;
  /** Below the store's root. */
  database: string;
  /** Columns that hold JSON. */
  json: readonly string[];
  /** Ids of all that a list shows. */
  ids(database: Database): Iterable<string>;
  /** The rows of one, its own first. */
  rows(database: Database, id: string): Iterable<readonly [table: string, row: SqlRow]>;
  /** Of its rows as they are read; undefined: it is none. */
  about(rows: readonly Fields[], root: string): About | undefined;
}

export function viewOf(store: Store, source: Source, { json, rows }: Rows): Source {
  const { basename } = pathOf({ platform: store.root.startsWith("/") ? "linux" : "win32" });
  return rowsView(source, {
    root: store.root,
    session: (path) => decodeURIComponent(basename(path, ".jsonl")),
    *lines(database, id) {
      for (const [table, row] of rows(database, id)) yield rowLine(table, row, json);
    },
  });
}

export async function* listRows(of: Rows, store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const { source, signal } = context;
  const view = viewOf(store, source, of);
  for (const path of (await unlessUnreadable(context, () => pathsIn(of, store, context))) ?? []) {
    signal?.throwIfAborted();
    if (store.focus !== undefined && store.focus !== path && !path.startsWith(store.focus)) continue;
    const ref = await unlessUnreadable(context, async () => {
      const file = await view.open(path);
      try {
        const rows: Fields[] = [];
        for (const { row } of rowsOf(file)) if (row) rows.push(row);
        const about = of.about(rows, store.root);
        const id = about?.id;
        return (
          about && id !== undefined && refOf(of, { ...about, id, path, size: file.size }, store, context)
        );
      } finally {
        file.close();
      }
    });
    if (ref) yield ref;
  }
}

async function pathsIn(of: Rows, { root }: Store, { source, environment }: ListContext): Promise<string[]> {
  const { join } = pathOf(environment);
  const at = join(root, of.database);
  const kind = (await source.stat(at))?.kind;
  if (kind === "directory") return (await source.readDir(at)).map(({ name }) => join(at, name));
  if (kind === undefined) return [];
  const database = await source.openDatabase(at);
  try {
    return [...of.ids(database)].map((id) => join(at, `${encodeURIComponent(id)}.jsonl`));
  } finally {
    database.close();
  }
}

export interface ReadRow {
  /** undefined: no row. */
  row: Fields | undefined;
  why: string;
  invalidText: boolean;
  place: { offset: number; length: number };
}

export function* rowsOf(file: OpenFile): Generator<ReadRow> {
  for (const batch of lineBatches(file))
    for (const line of batch)
      for (const piece of piecesOf(line, (value) => "table" in value)) {
        const row = piece.ok ? fields(piece.value) : undefined;
        yield {
          row: typeof row?.table === "string" ? row : undefined,
          why: piece.ok ? "not-supported" : piece.why,
          invalidText: piece.ok && piece.invalidText === true,
          place: { offset: piece.offset, length: piece.length },
        };
      }
}

/** @param tell the events of a row that is not the session's own. */
export async function* readRows(
  ref: SessionRef,
  own: string,
  { source, ledger, signal }: ReadContext,
  tell: (row: Fields, origin: readonly Origin[], say: Say) => Iterable<SessionEvent>,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  try {
    const say = new Say(ledger);
    let isStarted = false;
    for (const { row, why, invalidText, place } of rowsOf(file)) {
      signal?.throwIfAborted();
      const origin = [say.record(place)];
      if (invalidText)
        ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, origin[0]?.record);
      const isHead = row?.table === own && !isStarted;
      if (!isStarted) yield say.start(ref, isHead ? origin : []);
      isStarted = true;
      if (isHead) continue;
      if (!row) yield say.unread("raw", "raw", why, origin);
      else yield* tell(row, origin, say);
    }
    if (!isStarted) yield say.start(ref, []);
  } finally {
    file.close();
  }
}
