/** Crush's sessions. Those of subagents are listed by themselves: their ids are made of the call's, not their parent's. */
import type { Database, ListContext, SessionRef, Source, Store } from "@asp-convert/core";
import { type Fields, isoOf, name, number, string } from "@asp-convert/core/values";
import { type About, titleOf } from "../refs.js";
import { listRows, type Rows, viewOf } from "../rows.js";
import { DATABASE, FOLDER } from "./layout.js";
import { wordsOf } from "./parts.js";

const rows: Rows = {
  harness: "crush",
  database: `${FOLDER}/${DATABASE}`,
  json: ["parts", "todos"],
  ids,
  *rows(database, id) {
    for (const row of database.iterate("SELECT * FROM sessions WHERE id = ?", id)) yield ["sessions", row];
    const order = "ORDER BY created_at, rowid";
    for (const row of database.iterate(`SELECT * FROM messages WHERE session_id = ? ${order}`, id))
      yield ["messages", row];
  },
  about,
};

export function listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  return listRows(rows, store, context);
}

export function view(store: Store, source: Source): Source {
  return viewOf(store, source, rows);
}

function* ids(database: Database): Generator<string> {
  if (database.columns("sessions").length === 0) return;
  for (const { id } of database.iterate("SELECT id FROM sessions ORDER BY id")) yield String(id);
}

function about(all: readonly Fields[], root: string): About | undefined {
  const session = all.find(({ table }) => table === "sessions");
  if (!session) return undefined;
  const said = all.filter(
    (row) =>
      row.table === "messages" &&
      (row.role === "user" || row.role === "assistant") &&
      wordsOf(row.parts) !== "",
  );
  const [created, updated] = [seconds(session.created_at), seconds(session.updated_at)];
  const model = said.flatMap((row) => name(row.model) ?? []).at(-1);
  return {
    id: string(session.id),
    ...titleOf(name(session.title), wordsOf(said.find(({ role }) => role === "user")?.parts)),
    ...(created !== undefined && { createdAt: created }),
    ...(updated !== undefined && { updatedAt: updated }),
    ...(model !== undefined && { model }),
    cwd: root,
    messages: said.length,
  };
}

/** Unix seconds; a comment in the source says milliseconds. */
export function seconds(value: unknown): string | undefined {
  const at = number(value);
  if (at === undefined) return undefined;
  return isoOf(at > 100_000_000_000 ? at : at * 1000);
}
