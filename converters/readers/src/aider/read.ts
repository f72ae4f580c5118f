/** One chat. Of when a thing was said the history tells nothing but when the chat began. */
import type { ReadContext, SessionEvent, SessionRef } from "@asp-convert/core";
import { Say } from "../say.js";
import { promptOf, stretchesOf } from "./lines.js";

export async function* readSession(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  try {
    const say = new Say(ledger);
    let isStarted = false;
    // One chat is as long as what a model takes in at once, a few times over.
    for (const { sort, text, ...place } of stretchesOf(Buffer.from(file.read(0, file.size)))) {
      signal?.throwIfAborted();
      const origin = [say.record(place)];
      say.text(file, place, origin);
      const isHead = sort === "head" && !isStarted;
      if (!isStarted) yield say.start(ref, isHead ? origin : []);
      isStarted = true;
      if (isHead) continue;
      const words = sort === "person" ? promptOf(text) : text;
      if (sort === "person" && words !== undefined && words !== "")
        yield say.said({ role: "user", blocks: [{ type: "text", text: words }] }, origin);
      else if (sort === "agent" && text !== "")
        yield say.said({ role: "assistant", blocks: [{ type: "text", text }], ...model(ref) }, origin);
      else
        yield say.unread(`aider.${sort}`, "side-records", text === "" ? "empty" : "no-counterpart", origin);
    }
    if (!isStarted) yield say.start(ref, []);
  } finally {
    file.close();
  }
}

function model({ model }: SessionRef): { model?: string } {
  return model === undefined ? {} : { model };
}
