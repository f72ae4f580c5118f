/** What the model's context is after a compaction, as events. */
import type { Origin, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, list, name, string } from "@asp-convert/core/values";
import { speakersOf } from "./injected.js";
import { Sink } from "./sink.js";

/** Codex keeps this much of the person's own words when a compaction names no history. A token is 4 bytes. */
const KEPT_TOKENS = 20_000;

interface Kept {
  parts: Fields[];
  tokens: number;
}

/** The person's messages so far, the newest ones, as far as Codex would keep them. */
export class KeptTexts {
  #messages: Kept[] = [];
  #tokens = 0;

  keep(payload: Fields): void {
    const speakers = speakersOf(payload);
    const parts: Fields[] = [];
    for (const [index, part] of list(payload.content).entries()) {
      const one = fields(part);
      const speaker = speakers[index];
      if (one && (speaker === "person" || speaker === "summary" || speaker === "wrapper")) parts.push(one);
    }
    if (parts.length > 0) this.#push(parts);
  }

  keepSummary(text: string): void {
    this.#push([{ type: "input_text", text }]);
  }

  #push(parts: Fields[]): void {
    const tokens = parts.reduce((sum, { text }) => sum + (typeof text === "string" ? tokensIn(text) : 0), 0);
    this.#messages.push({ parts, tokens });
    this.#tokens += tokens;
    while (this.#messages.length > 1 && this.#tokens - (this.#messages[0]?.tokens ?? 0) >= KEPT_TOKENS) {
      this.#tokens -= this.#messages.shift()?.tokens ?? 0;
    }
  }

  reset(): void {
    this.#messages = [];
    this.#tokens = 0;
  }

  /** What is kept, the oldest one cut in its middle where it does not fit whole. */
  get items(): Fields[] {
    const kept: Fields[] = [];
    let left = KEPT_TOKENS;
    for (const { parts, tokens } of this.#messages.toReversed()) {
      if (left <= 0) break;
      kept.unshift({ type: "message", role: "user", content: tokens <= left ? parts : cut(parts, left) });
      left -= tokens;
    }
    return kept;
  }
}

function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Head, note and tail, each half of what may be kept, at borders of characters. */
function cut(parts: readonly Fields[], tokens: number): Fields[] {
  const bytes = Buffer.from(parts.flatMap(({ text }) => string(text) ?? []).join("\n"));
  const half = tokens * 2;
  let end = half;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  let start = bytes.length - half;
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  const gone = Math.ceil((bytes.length - 2 * half) / 4);
  return [bytes.toString("utf8", 0, end), `…${gone} tokens truncated…`, bytes.toString("utf8", start)].map(
    (text) => ({
      type: "input_text",
      text,
    }),
  );
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
  const history = payload.replacement_history;
  const sink = new Sink();
  if (Array.isArray(history)) {
    kept.reset();
    for (const item of history) {
      const message = fields(item);
      if (message?.type === "message" && message.role === "user") kept.keep(message);
    }
    tell(sink, history);
  } else {
    tell(sink, kept.items);
    const text = name(payload.message) ?? "(no summary available)";
    kept.keepSummary(text);
    sink.emit(
      "message.completed",
      {
        messageId: `summary-${origin.offset}`,
        role: "user",
        blocks: [{ type: "text", text }],
        kind: "summary",
      },
      [origin],
      time,
    );
  }
  // They all stand in one record: their place in it tells them apart.
  const events = sink.drain();
  for (const [index, event] of events.entries()) event.nativeId = `${origin.offset}:${index}`;
  return events;
}
