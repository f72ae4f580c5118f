/** One thread. */
import { documentParts, type ReadContext, type SessionEvent, type SessionRef } from "@asp-convert/core";
import { fields, isoOf, name, number, parsed } from "@asp-convert/core/values";
import { tell } from "../anthropic.js";
import { Say } from "../say.js";
import { usageOf } from "./thread.js";

export async function* readSession(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  try {
    const { objects, cut } = documentParts(file, ["messages"]);
    const say = new Say(ledger);
    yield say.start(ref, [say.record({ offset: 0, length: file.size })]);
    for (const [index, place] of objects.entries()) {
      signal?.throwIfAborted();
      const origin = [say.record(place)];
      const message = fields(parsed(say.text(file, place, origin)));
      if (!message) {
        yield say.unread("raw", "raw", "unparsable", origin);
        continue;
      }
      const { role, content, meta, usage, state, messageId } = message;
      const model = name(fields(usage)?.model);
      const stopReason = name(fields(state)?.stopReason);
      yield* tell(
        {
          ...{ role, content, id: `m${number(messageId) ?? index}` },
          time: isoOf(number(fields(meta)?.sentAt)),
          ...(model !== undefined && { model }),
          ...usageOf(usage),
          ...(stopReason !== undefined && { stopReason }),
        },
        origin,
        say,
      );
    }
    yield* say.rest(file, cut);
  } finally {
    file.close();
  }
}
