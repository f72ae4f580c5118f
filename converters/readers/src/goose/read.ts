/** One session: rows, or the lines of an older version's file. */
import {
  lineBatches,
  piecesOf,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
} from "@asp-convert/core";
import { fields, isoOf, isoTime, name, number, string } from "@asp-convert/core/values";
import { readRows } from "../rows.js";
import { Say } from "../say.js";
import { contentOf, tell } from "./content.js";

export async function* readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const isRows = /[/\\]sessions\.db[/\\]/.test(ref.path);
  if (isRows) yield* readRows(ref, "sessions", context, (row, origin, say) => told(row, origin, say, ref));
  else yield* readLines(ref, context);
}

const told: (
  ...given: [...Parameters<Parameters<typeof readRows>[3]>, SessionRef]
) => Iterable<SessionEvent> = function* (row, origin, say, ref) {
  const { role } = row;
  if (row.table !== "messages" || (role !== "user" && role !== "assistant")) {
    // Goose passes over them too.
    yield say.unread(`goose.${String(row.table)}`, "side-records", "no-counterpart", origin);
    return;
  }
  const seconds = number(row.created_timestamp);
  const time =
    seconds === undefined ? isoTime(string(row.timestamp)?.replace(" ", "T")) : isoOf(seconds * 1000);
  const metadata = fields(contentOf(row.metadata_json));
  const id = name(row.message_id) ?? `row ${String(row.id)}`;
  yield* tell(
    { role, content: contentOf(row.content_json), id, time, model: ref.model, ...audienceOf(metadata) },
    origin,
    say,
  );
};

/** What a compaction took out of the model's sight stays in the person's. */
function audienceOf(metadata: Readonly<Record<string, unknown>> | undefined) {
  if (metadata?.agentVisible === false) return { audience: ["user" as const] };
  return metadata?.userVisible === false ? { audience: ["assistant" as const] } : {};
}

async function* readLines(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  try {
    const say = new Say(ledger);
    let isStarted = false;
    for (const batch of lineBatches(file, { signal }))
      for (const line of batch)
        for (const piece of piecesOf(line, (value) => "role" in value)) {
          const origin = [say.record(piece)];
          const record = piece.ok ? fields(piece.value) : undefined;
          if (piece.ok && piece.invalidText)
            ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, origin[0]?.record);
          const isHead = record !== undefined && record.role === undefined && !isStarted;
          if (!isStarted) yield say.start(ref, isHead ? origin : []);
          isStarted = true;
          if (isHead) continue;
          const role = record?.role;
          if (!piece.ok) yield say.unread("raw", "raw", piece.why, origin);
          else if (role !== "user" && role !== "assistant")
            yield say.unread("goose.record", "side-records", "not-supported", origin);
          else {
            const seconds = number(record?.created);
            const time = seconds === undefined ? undefined : isoOf(seconds * 1000);
            yield* tell({ role, content: record?.content, id: name(record?.id), time }, origin, say);
          }
        }
    if (!isStarted) yield say.start(ref, []);
  } finally {
    file.close();
  }
}
