/**
 * Shows each session of a database as the file that its evidence is: `<database>/<session>.jsonl`. The file is on no
 * disk; its bytes are the session's rows, made when it is opened.
 */
import { type Environment, openMade, pathOf, type Source, SourceError, type Store } from "@asp-convert/core";
import { sessionInRowsPath } from "./layout.js";
import { sessionLines } from "./rows/database.js";

const PIECE = 256 * 1024;

/** @param platform of the paths in the store. */
export function rowsView(store: Store, source: Source, platform: Environment["platform"]): Source {
  const path = pathOf({ platform });

  /** The database that a path would be a session's rows of, if there is one. */
  async function databaseOf(file: string): Promise<string | undefined> {
    if (!file.endsWith(".jsonl") || !file.startsWith(store.root)) return undefined;
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
      const session = sessionInRowsPath(file);
      if (database === undefined || session === undefined) return source.open(file);
      const rows = await source.openDatabase(database);
      try {
        const made = await openMade(
          // What it is made from is a copy of one moment: it does not change any more.
          { path: file, mtimeMs: 0, check: () => "same", close: () => {} },
          pieces(sessionLines(rows, session)),
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
