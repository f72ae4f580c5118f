/** Compactions: of a program of this family as they were; another program's in its own words. */
import type { EventOf, MessagePayload, SessionEvent } from "@asp-convert/core";
import { COMPACTION_PROMPT } from "../native.js";
import { userParts } from "./blocks.js";
import type { Sheet } from "./sheet.js";
import { userInfo } from "./speech.js";

type Status = EventOf<"status.changed">;
type Take = (event: SessionEvent) => void;

/** Question and summary as the program has them, and what it keeps by name. False: this is no compaction of its own. */
export function ownCompaction(
  sheet: Sheet,
  event: Status,
  context: readonly SessionEvent[],
  take: Take,
): boolean {
  const [asked, ...rest] = context;
  if (asked?.type !== "message.completed" || !asksForSummary(asked.payload)) return false;
  const summary = rest.filter(({ type }, at) => type !== "message.completed" || isSummary(rest[at]));
  const tail = rest.slice(summary.length);
  const first = tail.find(({ type }) => type === "message.completed");
  const start = first?.type === "message.completed" ? sheet.ids.get(first.payload.messageId) : undefined;
  if (tail.length > 0 && start === undefined) return false;
  const part = {
    type: "compaction",
    auto: event.payload.trigger === "auto",
    ...(start !== undefined && { tail_start_id: start }),
  };
  const draft = sheet.begin(asked, "user", userInfo(sheet));
  draft.parts.push({ data: part }, ...userParts(asked.payload.blocks.slice(1), {}, sheet.encoding));
  sheet.ids.set(asked.payload.messageId, draft.id);
  for (const each of summary) take(each);
  sheet.flush();
  return true;
}

function asksForSummary({ role, injected, blocks }: MessagePayload): boolean {
  const [first] = blocks;
  return (
    role === "user" && injected === "notice" && first?.type === "text" && first.text === COMPACTION_PROMPT
  );
}

function isSummary(event: SessionEvent | undefined): boolean {
  return event?.type === "message.completed" && event.payload.kind === "summary";
}

/**
 * Another program's compactions kept what they kept in their own words. Those are now the session; what was said before
 * goes to a session below it, where a person finds it and no model does.
 */
export class Archive {
  /** Of the session that holds what was said before. */
  readonly id: string;
  readonly #sheet: Sheet;
  /** Of the session itself. */
  readonly #session: string;
  /** Ids of messages that the last compaction put at the head. */
  #head: string[] = [];
  #used = false;

  constructor(sheet: Sheet, session: string, id: string) {
    this.#sheet = sheet;
    this.#session = session;
    this.id = id;
  }

  /** There is something in it. */
  get used(): boolean {
    return this.#used;
  }

  compact({ time }: Status, context: readonly SessionEvent[], take: Take): void {
    const sheet = this.#sheet;
    // What an earlier one kept stands in the archive already, where it was said.
    for (const id of this.#head)
      sheet.change({ table: "part", drop: { message_id: id } }, { table: "message", drop: { id } });
    for (const table of ["part", "message"] as const)
      sheet.change({ table, where: { session_id: this.#session }, set: { session_id: this.id } });
    this.#used ||= sheet.count > 0;
    sheet.note("compaction", "re-encoded");
    const before = sheet.lastTime;
    // What was kept is older than what follows: it keeps its own times.
    if (time !== undefined) sheet.lastTime = 0;
    sheet.lastUser = undefined;
    this.#head = sheet.messagesOf(() => {
      for (const each of context)
        take(each.time === undefined && time !== undefined ? ({ ...each, time } as SessionEvent) : each);
      sheet.flush();
    });
    sheet.lastTime = Math.max(before, sheet.lastTime);
  }
}
