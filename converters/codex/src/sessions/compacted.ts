/** What the model's context is after a compaction, as events. */
import type { Origin, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, list, name, string } from "../json.js";
import { speakersOf } from "./injected.js";
import { Sink } from "./sink.js";

/** Codex keeps this much of the person's own words when a compaction names no history; about 4 bytes a token. */
const KEPT_BYTES = 20_000 * 4;

/** The person's messages so far, the newest ones, as far as Codex would keep them. */
export class KeptTexts {
  #texts: { text: string; origin: Origin }[] = [];
  #bytes = 0;

  keep(payload: Fields, origin: Origin): void {
    const speakers = speakersOf(payload);
    const parts = list(payload["content"]);
    const texts = parts.flatMap((part, index) =>
      speakers[index] === "person" ? (string(fields(part)?.["text"]) ?? []) : [],
    );
    if (texts.length === 0) return;
    const text = texts.join("\n");
    this.#texts.push({ text, origin });
    this.#bytes += text.length;
    while (this.#texts.length > 1 && this.#bytes - (this.#texts[0]?.text.length ?? 0) > KEPT_BYTES) {
      this.#bytes -= this.#texts.shift()?.text.length ?? 0;
    }
  }

  reset(): void {
    this.#texts = [];
    this.#bytes = 0;
  }

  get items(): Fields[] {
    return this.#texts.map(({ text }) => message(text));
  }
}

/**
 * @param tell turns response items into events of a sink.
 * @returns the events of the new context, in order.
 */
export function compactedContext(
  payload: Fields,
  kept: KeptTexts,
  origin: Origin,
  time: string | undefined,
  tell: (sink: Sink, items: readonly unknown[]) => void,
): SessionEvent[] {
  const history = payload["replacement_history"];
  const sink = new Sink();
  if (Array.isArray(history)) {
    kept.reset();
    for (const item of history) {
      const message = fields(item);
      if (message?.["type"] === "message" && message["role"] === "user") kept.keep(message, origin);
    }
    tell(sink, history);
  } else {
    tell(sink, kept.items);
    const text = name(payload["message"]) ?? "(no summary available)";
    sink.emit(
      "message.completed",
      { messageId: `summary-${origin.offset}`, role: "user", blocks: [{ type: "text", text }], kind: "summary" },
      [origin],
      time,
    );
  }
  // They all stand in one record: their place in it tells them apart.
  const events = sink.drain();
  for (const [index, event] of events.entries()) event.nativeId = `${origin.offset}:${index}`;
  return events;
}

function message(text: string): Fields {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}
