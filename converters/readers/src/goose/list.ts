/** Goose's sessions: of its database, and the files of older versions beside it. */
import {
  type Database,
  type ListContext,
  pathOf,
  type SessionRef,
  type Source,
  type Store,
} from "@asp-convert/core";
import { type Fields, fields, isoOf, isoTime, name, number, parsed, string } from "@asp-convert/core/values";
import { type About, listFiles, titleOf } from "../refs.js";
import { listRows, type Rows, viewOf } from "../rows.js";
import { contentOf, isSeen, wordsOf } from "./content.js";
import { DATABASE, SESSIONS } from "./layout.js";

export const rows: Rows = {
  harness: "goose",
  database: `${SESSIONS}/${DATABASE}`,
  json: [
    "content_json",
    "metadata_json",
    "extension_data",
    "recipe_json",
    "user_recipe_values_json",
    "model_config_json",
  ],
  ids,
  *rows(database, id) {
    for (const row of database.iterate("SELECT * FROM sessions WHERE id = ?", id)) yield ["sessions", row];
    // As Goose reads them itself.
    const order = database.columns("messages").includes("timestamp") ? "timestamp, id" : "id";
    for (const row of database.iterate(`SELECT * FROM messages WHERE session_id = ? ORDER BY ${order}`, id))
      yield ["messages", row];
  },
  about: aboutRows,
};

export async function* listSessions(store: Store, context: ListContext): AsyncGenerator<SessionRef> {
  const { environment, source } = context;
  const { basename } = pathOf(environment);
  const { focus } = store;
  const isOne =
    focus !== undefined && basename(focus) !== DATABASE && (await source.stat(focus))?.kind === "file";
  if (!isOne) yield* listRows(rows, { ...store, root: store.root }, context);
  if (focus === undefined || isOne) yield* listFiles("goose", files, aboutFile, store, context);
}

export function view(store: Store, source: Source): Source {
  return viewOf(store, source, rows);
}

/** Lists of Goose's own show no subagents, and nothing that it hides. */
function* ids(database: Database): Generator<string> {
  const columns = database.columns("sessions");
  if (columns.length === 0) return;
  for (const { id } of database.iterate("SELECT id FROM sessions ORDER BY id")) yield String(id);
}

function aboutRows(all: readonly Fields[], _root: string): About | undefined {
  const session = all.find(({ table }) => table === "sessions");
  if (!session) return undefined;
  const talk = all.filter(
    (row) => row.table === "messages" && (row.role === "user" || row.role === "assistant"),
  );
  const said = talk.filter((row) => isSeen(row.metadata_json) && wordsOf(contentOf(row.content_json)) !== "");
  const named = name(session.name) ?? name(session.description);
  const created = isoTime(string(session.created_at)?.replace(" ", "T"));
  const updated = isoTime(string(session.updated_at)?.replace(" ", "T"));
  const model = name(
    fields(fields(session.model_config_json) ?? parsed(session.model_config_json))?.model_name,
  );
  const cwd = name(session.working_dir);
  return {
    id: name(session.id),
    ...titleOf(named, wordsOf(contentOf(said.find(({ role }) => role === "user")?.content_json))),
    ...(session.user_set_name === 1 && named !== undefined && { titleFrom: "user" as const }),
    ...(created !== undefined && { createdAt: created }),
    ...(updated !== undefined && { updatedAt: updated }),
    ...(model !== undefined && { model }),
    ...(cwd !== undefined && { cwd }),
    ...(name(session.archived_at) !== undefined && { archived: true }),
    messages: said.length,
  };
}

async function files({ root }: Store, { source, environment }: ListContext): Promise<string[]> {
  const { join } = pathOf(environment);
  const folder = join(root, SESSIONS);
  return (await source.readDir(folder)).flatMap(({ name }) =>
    name.endsWith(".jsonl") ? [join(folder, name)] : [],
  );
}

/** The first line is the session, each other one a message. */
function aboutFile(text: string): About | undefined {
  const lines = text.split("\n").map((line) => fields(parsed(line)));
  const head = lines.find((line) => line !== undefined);
  if (!head || head.role !== undefined || head.table !== undefined) return undefined;
  const said = lines.flatMap((line) =>
    line?.role === undefined || wordsOf(line.content) === "" ? [] : [line],
  );
  const times = lines.flatMap((line) => isoOf((number(line?.created) ?? Number.NaN) * 1000) ?? []);
  const cwd = name(head.working_dir);
  const [first] = times;
  const last = times.at(-1);
  return {
    ...titleOf(name(head.description), wordsOf(said.find(({ role }) => role === "user")?.content)),
    ...(first !== undefined && { createdAt: first }),
    ...(last !== undefined && { updatedAt: last }),
    ...(cwd !== undefined && { cwd }),
    messages: said.length,
  };
}
