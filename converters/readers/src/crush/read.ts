/** One session. What its summary stands for was taken out of the model's sight: from there on that is what it is sent. */
import type { Origin, ReadContext, SessionEvent, SessionRef } from "@asp-convert/core";
import { type Fields, name } from "@asp-convert/core/values";
import { readRows } from "../rows.js";
import type { Say } from "../say.js";
import { seconds } from "./list.js";
import { tell } from "./parts.js";

const ROLES = new Set<unknown>(["user", "assistant", "system", "tool"]);

export function readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  return readRows(ref, "sessions", context, told);
}

function* told(row: Fields, origin: readonly Origin[], say: Say): Generator<SessionEvent> {
  if (row.table !== "messages" || !ROLES.has(row.role)) {
    yield say.unread(`crush.${String(row.table)}`, "side-records", "not-supported", origin);
    return;
  }
  const [id, model, time] = [name(row.id), name(row.model), seconds(row.created_at)];
  const isSummary = row.is_summary_message === 1;
  if (isSummary) yield say.compacted(time, origin);
  yield* tell(
    {
      role: row.role as "user" | "assistant" | "system" | "tool",
      parts: row.parts,
      id,
      time,
      ...(model !== undefined && { model }),
      ...(isSummary && { kind: "summary" as const }),
    },
    origin,
    say,
  );
}
