/** Shows each session of a database as the file that its evidence is: `<database>/<session>.jsonl`. */
import { rowsView, type Source, type Store } from "@asp-convert/core";
import { sessionInRowsPath } from "./layout.js";
import { sessionLines } from "./rows/database.js";

export function viewOf({ root }: Store, source: Source): Source {
  return rowsView(source, { root, session: sessionInRowsPath, lines: sessionLines });
}
