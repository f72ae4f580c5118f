/** What a person typed, one message after the other with nothing between that the model is sent: it is sent as one. */
import type { Block, EventOf, SessionEvent } from "@asp-convert/core";

export type MessageEvent = SessionEvent & EventOf<"message.completed">;

/** At least one. Their words in one text, then whatever else there was. */
export function joined(events: readonly [MessageEvent, ...MessageEvent[]]): MessageEvent {
  const [first] = events;
  if (events.length === 1) return first;
  const all = events.flatMap(({ payload }) => payload.blocks);
  const words = events.map(({ payload }) => textOf(payload.blocks)).filter((text) => text !== "");
  const text: Block[] = words.length > 0 ? [{ type: "text", text: words.join("\n\n") }] : [];
  // Another message than the first of them, which may have been told before.
  const messageId = `${first.payload.messageId}+${events.length - 1}`;
  return {
    ...first,
    nativeId: messageId,
    origin: events.flatMap(({ origin }) => origin),
    payload: { ...first.payload, messageId, blocks: [...text, ...all.filter(({ type }) => type !== "text")] },
  };
}

function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}
