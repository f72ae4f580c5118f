/** A session as a file: what the program's own `export` gives and its `import` takes. */
import { type CreateAction, databaseOf, type RowsAction, type SqlRow } from "@asp-convert/core";
import { parsed } from "../json.js";
import { lineOf, type Row, rowFrom } from "../rows/line.js";
import { exportForm } from "./info.js";

/** The file of a session below the one that goes to `path`. */
export function besides(path: string, id: string): string {
  return path.replace(/(?:\.json)?$/i, `.${id}.json`);
}

/** The rows of one session, as its file. They are gathered first: later ones may change those before. */
export function exportFile(rows: RowsAction, id: string, path: string): CreateAction {
  return { do: "create", path, content: () => exported(rows, id) };
}

async function* exported(rows: RowsAction, id: string): AsyncGenerator<string> {
  const database = await databaseOf(rows);
  try {
    const [session] = database.all("SELECT * FROM session WHERE id = ?", id);
    if (!session) throw new Error(`${id}: its rows hold no session`);
    yield `{"info":${JSON.stringify(exportForm(asRow("session", session)))},"messages":[`;
    let before = "\n";
    const messages = "SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id";
    for (const message of database.iterate(messages, id)) {
      yield `${before}{"info":${withIds(message, { sessionID: id })},"parts":[`;
      before = ",\n";
      let comma = "";
      const of = { sessionID: id, messageID: String(message.id) };
      for (const part of database.iterate(
        "SELECT * FROM part WHERE message_id = ? ORDER BY id",
        of.messageID,
      )) {
        yield comma + withIds(part, of);
        comma = ",";
      }
      yield "]}";
    }
    yield "\n]}\n";
  } finally {
    database.close();
  }
}

function asRow(table: string, row: SqlRow): Row {
  const made = rowFrom(parsed(lineOf(table, row)), () => undefined);
  if (!made) throw new Error(`${table}: a row of no form`);
  return made;
}

/** `data` and the ids that are columns in a database, as one object's text. */
function withIds({ id, data }: SqlRow, above: Readonly<Record<string, string>>): string {
  const ids = JSON.stringify({ id, ...above });
  const rest = String(data).slice(1);
  return rest === "}" ? ids : `${ids.slice(0, -1)},${rest}`;
}
