/**
 * Turns that `thread_rolled_back` took off the end of a talk: found before it is read, since the record that takes
 * them back stands after them. Only files that hold such a record are looked through.
 */
import type { OpenFile } from "@asp-convert/core";
import { fields, number, parsed } from "@asp-convert/core/values";
import { recordsOn } from "./glance.js";
import { speakersOf } from "./injected.js";
import { linesOf, type Stretch } from "./places.js";

interface Start {
  /** Index of the stretch, and the byte in its file, that a turn begins at. */
  stretch: number;
  offset: number;
}

/** One stretch or more for each time turns were taken back, in order. */
export function rewoundStretches(
  files: readonly OpenFile[],
  stretches: readonly Stretch[],
  signal?: AbortSignal | undefined,
): Stretch[] {
  const turns: Start[] = [];
  let task: Start | undefined; // where the turn began whose first message is still to come
  let awaited = false; // the screen's copy of the last message is still to come
  const gaps: Stretch[] = [];

  for (const [index, stretch] of stretches.entries()) {
    for (const batch of linesOf(files, stretch, { signal })) {
      for (const { seen, bytes, offset } of batch.flatMap(recordsOn)) {
        if (seen.type === "event_msg" && seen.sub === "task_started") task = { stretch: index, offset };
        else if (seen.type === "event_msg" && seen.sub === "user_message") {
          if (!awaited) task ??= { stretch: index, offset };
          awaited = false;
        } else if (seen.type === "response_item" && seen.sub === "message") {
          const payload = fields(fields(parsed(bytes.toString("utf8")))?.payload);
          if (payload?.role === "user" && speakersOf(payload).some(isTurn)) {
            turns.push(task ?? { stretch: index, offset });
            task = undefined;
            awaited = true;
          } else if (payload?.role === "assistant") task = undefined;
        } else if (seen.type === "response_item") task = undefined;
        else if (seen.type === "event_msg" && seen.sub === "thread_rolled_back") {
          const count = number(fields(fields(parsed(bytes.toString("utf8")))?.payload)?.num_turns) ?? 0;
          const from = count > 0 ? turns.splice(-count)[0] : undefined;
          if (from) gaps.push(...between(stretches, from, { stretch: index, offset }));
          task = undefined;
          awaited = false;
        }
      }
    }
  }
  return gaps;
}

/** Codex counts a turn for each message of the person, not for texts that it put there itself. */
function isTurn(speaker: string): boolean {
  return speaker === "person" || speaker === "summary";
}

function between(stretches: readonly Stretch[], from: Start, to: Start): Stretch[] {
  const found: Stretch[] = [];
  for (let i = from.stretch; i <= to.stretch; i++) {
    const { file, from: start, to: end } = stretches[i] as Stretch;
    found.push({
      file,
      from: i === from.stretch ? from.offset : start,
      to: i === to.stretch ? to.offset : end,
    });
  }
  return found;
}
