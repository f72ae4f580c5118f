/** One session, as far as Markdown holds it. */
import type { ReadContext, SessionEvent, SessionRef } from "@asp-convert/core";
import { Say } from "../say.js";
import { blocksOf, partsOf } from "./parts.js";

export async function* readSession(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  try {
    const say = new Say(ledger);
    let isStarted = false;
    for (const { by, model, time, text, ...place } of partsOf(Buffer.from(file.read(0, file.size)))) {
      signal?.throwIfAborted();
      const origin = [say.record(place)];
      say.text(file, place, origin);
      const isHead = by === undefined && !isStarted;
      if (!isStarted) yield say.start(ref, isHead ? origin : []);
      isStarted = true;
      if (isHead) continue;
      const blocks = blocksOf(text);
      if (by === undefined || blocks.length === 0)
        yield say.unread("specstory.part", "side-records", "empty", origin);
      else yield say.said({ role: by, blocks, time, ...(model !== undefined && { model }) }, origin);
    }
    if (!isStarted) yield say.start(ref, []);
  } finally {
    file.close();
  }
}
