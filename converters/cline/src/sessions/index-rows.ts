/** The rows of sessions in the program's index. Where there is none, it lists sessions by their manifests alone. */
import { type Action, type RowChange, SourceError, type SqlValue, type Target } from "@asp-convert/core";
import { type Fields, fields } from "@asp-convert/core/values";
import { indexPath } from "../layout.js";

export interface IndexRow {
  /** Asked for when all is written. */
  manifest: () => Fields;
  messages: string;
  child?: { parent: string; agent: string };
}

const NEEDED = [
  "session_id",
  "source",
  "pid",
  "started_at",
  "status",
  "provider",
  "model",
  "cwd",
  "updated_at",
];
/** What the program changes by itself. */
const DRIFTS = [
  "status",
  "status_lock",
  "ended_at",
  "exit_code",
  "pid",
  "metadata_json",
  "updated_at",
  "provider",
  "model",
];

export async function indexRows(rows: readonly IndexRow[], target: Target): Promise<Action[]> {
  const path = indexPath(target.root, target.environment);
  const columns = await columnsOf(path, target);
  if (!NEEDED.every((column) => columns.has(column))) return [];
  return [
    {
      do: "rows",
      path,
      create: [],
      drifts: { sessions: DRIFTS },
      async *rows(): AsyncGenerator<RowChange> {
        for (const row of rows) {
          const whole = Object.entries(rowOf(row)).filter(([column]) => columns.has(column));
          yield { table: "sessions", row: Object.fromEntries(whole) };
        }
      },
    },
  ];
}

/** None where there is no index, or one that is not the program's. */
async function columnsOf(path: string, { source }: Target): Promise<ReadonlySet<string>> {
  if ((await source.stat(path))?.kind !== "file") return new Set();
  try {
    const database = await source.openDatabase(path);
    try {
      return new Set(database.columns("sessions"));
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof SourceError) return new Set();
    throw error;
  }
}

function rowOf({ manifest, messages, child }: IndexRow): Record<string, SqlValue> {
  const { version: _, compaction_path: __, messages_path: ___, metadata, ...given } = manifest();
  const columns = Object.entries(given).map(([column, value]): [string, SqlValue] => [
    column,
    typeof value === "boolean" ? Number(value) : ((value ?? null) as SqlValue),
  ]);
  return {
    ...Object.fromEntries(columns),
    status_lock: 0,
    parent_session_id: child?.parent ?? null,
    agent_id: child?.agent ?? null,
    is_subagent: child ? 1 : 0,
    metadata_json: JSON.stringify(fields(metadata) ?? {}),
    transcript_path: "",
    hook_path: "",
    messages_path: messages,
    updated_at: String(given.ended_at ?? given.started_at),
  };
}
