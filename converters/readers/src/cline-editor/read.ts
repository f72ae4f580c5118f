/** One task, as its model was sent it. */
import { documentParts, type ReadContext, type SessionEvent, type SessionRef } from "@asp-convert/core";
import { fields, isoOf, number, parsed } from "@asp-convert/core/values";
import { tell } from "../anthropic.js";
import { Say } from "../say.js";
import { isContext } from "./task.js";

export async function* readSession(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  try {
    const { objects, cut } = documentParts(file, []);
    const say = new Say(ledger);
    yield say.start(ref, [say.record({ offset: 0, length: file.size })]);
    for (const place of objects) {
      signal?.throwIfAborted();
      const origin = [say.record(place)];
      const message = fields(parsed(say.text(file, place, origin)));
      if (!message) {
        yield say.unread("raw", "raw", "unparsable", origin);
        continue;
      }
      const { role, content, ts } = message;
      const model = role === "assistant" && ref.model !== undefined ? { model: ref.model } : {};
      yield* tell({ role, content, time: isoOf(number(ts)), ...model }, origin, say, isContext);
    }
    yield* say.rest(file, cut);
  } finally {
    file.close();
  }
}
