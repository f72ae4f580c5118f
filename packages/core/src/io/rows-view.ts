/**
 * A harness that keeps its sessions in a database: each is shown as the file that its evidence is,
 * `<database>/<session>.jsonl`, a row a line. The file is on no disk; its bytes are made when it is opened.
 */
import { filesInFile } from "./files-in-file.js";
import { openMade } from "./made.js";
import { type Source, SourceError } from "./source.js";
import type { Database } from "./sql.js";

const PIECE = 256 * 1024;

export interface RowsView {
  /** Of the store, absolute: files elsewhere are left as they are. */
  root: string;
  /** The session's id, of the path of its file. */
  session(path: string): string | undefined;
  /** Its rows, each as a whole line with its end; none: there is no such session. */
  lines(database: Database, session: string): Iterable<string>;
}

/** For `sessions.view`: the source in which the sessions of a database are files. */
export function rowsView(source: Source, { root, session: sessionOf, lines }: RowsView): Source {
  return filesInFile(source, root, ".jsonl", async (database, file) => {
    const session = sessionOf(file);
    if (session === undefined) return undefined;
    const rows = await source.openDatabase(database);
    try {
      const made = await openMade(
        // What it is made from is a copy of one moment: it does not change any more.
        { path: file, mtimeMs: 0, check: () => "same", close: () => {} },
        pieces(lines(rows, session)),
      );
      if (made.size === 0) throw new SourceError(file, "missing", `the database holds no session ${session}`);
      return made;
    } finally {
      rows.close();
    }
  });
}

function* pieces(lines: Iterable<string>): Generator<Uint8Array> {
  let held = "";
  for (const line of lines) {
    held += line;
    if (held.length < PIECE) continue;
    yield Buffer.from(held);
    held = "";
  }
  if (held !== "") yield Buffer.from(held);
}
