/** A message while it is being written: its parts may still change until the next one begins. */
import type { SqlValue } from "@asp-convert/core";
import { madeId } from "../ids.js";
import { fields, wellFormedJson } from "../json.js";

export interface DraftPart {
  data: Record<string, unknown>;
  /** Given when the message is written. */
  id?: string;
}

export interface Draft {
  id: string;
  role: "user" | "assistant";
  /** ms since 1970. */
  time: number;
  data: Record<string, unknown>;
  parts: DraftPart[];
}

export interface MadeRow {
  table: "message" | "part";
  row: Record<string, SqlValue>;
}

/** Rows of a message and its parts. Part ids ascend: the program orders parts by them alone. */
export function rowsOf(draft: Draft, session: string, seed: string): { rows: MadeRow[]; mended: boolean } {
  const { id, time, data, parts } = draft;
  const rows: MadeRow[] = [];
  let mended = false;
  const text = (value: unknown): string => {
    const made = wellFormedJson(value);
    mended ||= made.changed;
    return made.text;
  };
  const times = { time_created: time, time_updated: time };
  rows.push({ table: "message", row: { id, session_id: session, ...times, data: text(data) } });
  for (const [index, part] of parts.entries()) {
    part.id = madeId("prt", time, index, `${seed} ${id} ${index}`);
    const own = { sessionID: session, messageID: id };
    const data = withAttachments(part.data, (nth) => ({
      id: madeId("prt", time, parts.length + nth, `${seed} ${id} ${index} ${nth}`),
      ...own,
    }));
    rows.push({
      table: "part",
      row: { id: part.id, message_id: id, session_id: session, ...times, data: text(data) },
    });
  }
  return { rows, mended };
}

/** Files of a result are parts of their own, inside it. */
function withAttachments(
  data: Record<string, unknown>,
  ids: (nth: number) => Record<string, string>,
): Record<string, unknown> {
  const state = fields(data.state);
  if (!Array.isArray(state?.attachments)) return data;
  const attachments = state.attachments.map((file, nth) => ({ ...ids(nth), ...fields(file) }));
  return { ...data, state: { ...state, attachments } };
}
