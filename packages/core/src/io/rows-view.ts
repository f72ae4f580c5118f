/**
 * A harness that keeps its sessions in a database: each is shown as the file that its evidence is,
 * `<database>/<session>.jsonl`, a row a line. The file is on no disk; its bytes are made when it is opened.
 */
import { openMade } from "./made.js";
import { pathOf } from "./paths.js";
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
  const path = pathOf({ platform: root.startsWith("/") ? "linux" : "win32" });

  /** The database that a path would be a session's rows of, if there is one. */
  async function databaseOf(file: string): Promise<string | undefined> {
    if (!file.endsWith(".jsonl") || !file.startsWith(root)) return undefined;
    const database = path.dirname(file);
    return (await source.stat(database))?.kind === "file" ? database : undefined;
  }

  return {
    ...source,
    async stat(file) {
      if ((await databaseOf(file)) === undefined) return source.stat(file);
      const open = await this.open(file);
      open.close();
      return { kind: "file", size: open.size, mtimeMs: open.mtimeMs, mode: 0o600, link: false };
    },
    async realPath(file) {
      return (await databaseOf(file)) === undefined ? source.realPath(file) : file;
    },
    async readFile(file, maxBytes) {
      if ((await databaseOf(file)) === undefined) return source.readFile(file, maxBytes);
      const open = await this.open(file);
      try {
        if (maxBytes !== undefined && open.size > maxBytes)
          throw new SourceError(
            file,
            "too-large",
            `${open.size} bytes; at most ${maxBytes} are read at once`,
          );
        return open.read(0, open.size);
      } finally {
        open.close();
      }
    },
    async open(file) {
      const database = await databaseOf(file);
      const session = sessionOf(file);
      if (database === undefined || session === undefined) return source.open(file);
      const rows = await source.openDatabase(database);
      try {
        const made = await openMade(
          // What it is made from is a copy of one moment: it does not change any more.
          { path: file, mtimeMs: 0, check: () => "same", close: () => {} },
          pieces(lines(rows, session)),
        );
        if (made.size === 0)
          throw new SourceError(file, "missing", `the database holds no session ${session}`);
        return made;
      } finally {
        rows.close();
      }
    },
  };
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
