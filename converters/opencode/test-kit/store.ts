/** Stores of OpenCode written by hand, and what becomes of them. */
import {
  accounted,
  convert,
  type Files,
  openStore,
  readAll,
  sample,
  sessionsIn,
  sourceOf,
  TARGET_ROOT,
} from "@asp-convert/conformance/toolbox";
import {
  type Converter,
  databaseWith,
  type RowChange,
  type SessionEvent,
  type SessionPlan,
  type SessionRef,
  type SqlRow,
} from "@asp-convert/core";
import { expect } from "vitest";
import opencode from "../src/index.js";

export const ROOT = "/store";
export const DATABASE = `${ROOT}/opencode.db`;
export const START = Date.parse("2026-11-30T10:00:00.000Z");
export const SESSION = "ses_000000000000AAAAAAAAAAAAAA";

/** The tables that matter, by the columns that the program has in them. */
const TABLES = [
  "CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL, vcs text, time_created integer NOT NULL, time_updated integer NOT NULL, sandboxes text NOT NULL)",
  "CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL, path text, title text NOT NULL, version text NOT NULL, metadata text, cost real DEFAULT 0 NOT NULL, revert text, permission text, agent text, model text, time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer)",
  "CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)",
  "CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)",
  "CREATE TABLE todo (session_id text NOT NULL, content text NOT NULL, status text NOT NULL, priority text NOT NULL, position integer NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, PRIMARY KEY(session_id, position))",
];

type Json = Readonly<Record<string, unknown>>;

/** A message with its parts; `at`: seconds after the start. */
export interface Said {
  id: string;
  data: Json;
  parts: readonly Json[];
  at?: number;
}

export interface Session {
  /** Columns of its row. */
  row?: Json;
  said?: readonly Said[];
  todos?: readonly Json[];
  /** More rows, by table. */
  rows?: readonly { table: string; row: SqlRow }[];
}

export const text = (words: string, more: Json = {}): Json => ({ type: "text", text: words, ...more });
export const user = (id: string, parts: string | readonly Json[], more: Json = {}): Said => ({
  id,
  data: {
    role: "user",
    agent: "build",
    model: { providerID: "mock", modelID: "mock-1" },
    ...more,
  },
  parts: typeof parts === "string" ? [text(parts)] : parts,
});
export const answer = (id: string, parts: string | readonly Json[], more: Json = {}): Said => ({
  id,
  data: {
    role: "assistant",
    parentID: "msg_1",
    providerID: "mock",
    modelID: "mock-1",
    mode: "build",
    agent: "build",
    finish: "stop",
    ...more,
  },
  parts: typeof parts === "string" ? [text(parts)] : parts,
});
export const tool = (callID: string, state: Json, more: Json = {}): Json => ({
  type: "tool",
  callID,
  tool: "bash",
  state: {
    input: { command: "ls" },
    title: "ls",
    metadata: {},
    time: { start: START, end: START },
    ...state,
  },
  ...more,
});
export const done = (callID: string, output: string, more: Json = {}): Json =>
  tool(callID, { status: "completed", output, ...more });

function* changesOf({ row = {}, said = [], todos = [], rows = [] }: Session): Generator<RowChange> {
  const times = (at = 0) => ({ time_created: START + at * 1000, time_updated: START + at * 1000 });
  const id = String(row.id ?? SESSION);
  const session = {
    id,
    project_id: "global",
    slug: "s",
    directory: "/home/dev/demo",
    title: "A title",
    version: "1.18.33",
    ...times(),
    time_updated: START + said.length * 1000,
    ...row,
  };
  yield { table: "session", row: session as SqlRow };
  for (const [n, message] of said.entries()) {
    const at = times(message.at ?? n + 1);
    const data = JSON.stringify({ ...message.data, time: { created: at.time_created } });
    yield { table: "message", row: { id: message.id, session_id: id, ...at, data } };
    for (const [i, part] of message.parts.entries()) {
      const { id: own = `prt_${message.id.slice(4)}_${i}`, ...rest } = part;
      yield {
        table: "part",
        row: {
          id: String(own),
          message_id: message.id,
          session_id: id,
          ...at,
          data: JSON.stringify(rest),
        },
      };
    }
  }
  for (const [position, todo] of todos.entries())
    yield {
      table: "todo",
      row: { session_id: id, status: "pending", priority: "medium", position, ...times(), ...todo } as SqlRow,
    };
  for (const { table, row: each } of rows) yield { table, row: each };
}

/** A store with one database. */
export async function store(...sessions: readonly Session[]): Promise<Files> {
  const action = {
    do: "rows" as const,
    path: DATABASE,
    create: TABLES,
    async *rows(): AsyncGenerator<RowChange> {
      for (const session of sessions) yield* changesOf(session);
    },
  };
  return new Map([[DATABASE, await databaseWith(sourceOf(new Map()), DATABASE, [action])]]);
}

export function listed(files: Files, root = ROOT, converter: Converter = opencode): Promise<SessionRef[]> {
  return sessionsIn(converter, root, sourceOf(files));
}

export async function onlyOne(files: Files, root = ROOT): Promise<SessionRef> {
  const [ref, more] = await listed(files, root);
  if (!ref || more) throw new Error(`${ref ? "more than one" : "no"} session is listed`);
  return ref;
}

export interface Read {
  events: SessionEvent[];
  losses: string[];
  ref: SessionRef;
}

/** The events of the only session, every record and byte accounted for; and what was said to be lost. */
export async function read(files: Files, root = ROOT): Promise<Read> {
  const { refs, source } = await openStore(opencode, root, sourceOf(files));
  const [ref, more] = refs;
  if (!ref || more) throw new Error(`${ref ? "more than one" : "no"} session is listed`);
  const reading = await readAll(opencode, ref, source);
  const evidence: Files = new Map();
  for (const { path } of ref.files) {
    const file = await source.open(path);
    evidence.set(path, file.read(0, file.size));
    file.close();
  }
  // Of an export, what is between its records is brackets.
  const isExport = ref.files.length === 1 && ref.path.endsWith(".json");
  if (!isExport) expect(accounted(reading, ref.files, evidence)).toEqual([]);
  return { events: reading.events, ref, losses: lossesOf(reading.ledger.losses) };
}

export function lossesOf(
  losses: readonly { axis: string; level: string; reason: string; count: number }[],
): string[] {
  return losses.map(({ axis, level, reason, count }) => `${axis} ${level} ${reason} ${count}`);
}

export interface Written {
  sessions: SqlRow[];
  messages: { id: string; session: string; at: number; data: Record<string, unknown>; parts: Part[] }[];
  todos: SqlRow[];
  losses: string[];
  plan: SessionPlan;
  files: Files;
}
export type Part = Record<string, unknown> & { id: string };

/** A session of another harness, from events: its rows in a new database, as the program reads them. */
export async function written(
  events: readonly SessionEvent[],
  about: Partial<SessionRef> = {},
  target: { cwd?: string; present?: Files } = {},
): Promise<Written> {
  const ref: SessionRef = {
    harness: "sample",
    id: "foreign",
    path: "/foreign",
    files: [],
    cwd: "/home/dev/demo",
    createdAt: "2026-11-30T10:00:00.000Z",
    size: 0,
    children: [],
    ...about,
  };
  const from: Converter = {
    ...sample,
    id: ref.harness,
    sessions: {
      ...sample.sessions,
      async *read(_, { ledger }) {
        for (const event of events) {
          const origin = event.origin.map((place) => ({ ...place, record: ledger.record() }));
          yield { ...event, origin };
        }
      },
    },
  };
  const conversion = await convert({ from, ref, source: sourceOf(new Map()), to: opencode, ...target });
  return rowsOf(conversion.files, conversion.plan, lossesOf(conversion.losses));
}

/** What stands in the target's database, in the order in which the program takes it. */
export async function rowsOf(files: Files, plan: SessionPlan, losses: string[] = []): Promise<Written> {
  const path = `${TARGET_ROOT}/opencode.db`;
  const database = await sourceOf(files).openDatabase(path);
  try {
    const parts = Map.groupBy(database.all("SELECT * FROM part ORDER BY id"), (row) =>
      String(row.message_id),
    );
    return {
      sessions: database.all("SELECT * FROM session ORDER BY id"),
      todos: database.all("SELECT * FROM todo ORDER BY position"),
      messages: database.all("SELECT * FROM message ORDER BY time_created, id").map((row) => ({
        id: String(row.id),
        session: String(row.session_id),
        at: Number(row.time_created),
        data: JSON.parse(String(row.data)) as Record<string, unknown>,
        parts: (parts.get(String(row.id)) ?? []).map((part) => ({
          ...(JSON.parse(String(part.data)) as Record<string, unknown>),
          id: String(part.id),
        })),
      })),
      losses,
      plan,
      files,
    };
  } finally {
    database.close();
  }
}

export { TARGET_ROOT };
