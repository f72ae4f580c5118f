/**
 * The screen's records of a session: each finds what it shows. What only the screen had is for the person; in a file
 * that holds nothing else it is the talk itself.
 */
import type { Origin } from "@asp-convert/core";
import { type Fields, fields, name, string } from "@asp-convert/core/values";
import type { Answered } from "./answered.js";
import { type Heard, sendShown } from "./heard.js";
import type { Pairing } from "./pairing.js";
import type { Said } from "./said.js";
import { type Shown, ShownQueue } from "./shown.js";
import { showOnly } from "./showonly.js";
import type { Sink } from "./sink.js";

/** What a screen record may do to the talk around it. */
export interface Around {
  /** The assistant's message that is still being put together. */
  said(): Said | undefined;
  finish(): void;
  boundary(): void;
  /** The person spoke. */
  heard(): void;
  unread(
    payload: Fields,
    type: string,
    origin: Origin,
    time: string | undefined,
    value?: unknown,
    reason?: string,
  ): void;
}

export class Screen {
  readonly texts = new ShownQueue();
  readonly thoughts = new ShownQueue();
  readonly #sink: Sink;
  readonly #pairing: Pairing;
  readonly #heard: Heard;
  readonly #answered: Answered;
  readonly #around: Around;

  constructor(sink: Sink, pairing: Pairing, heard: Heard, answered: Answered, around: Around) {
    this.#sink = sink;
    this.#pairing = pairing;
    this.#heard = heard;
    this.#answered = answered;
    this.#around = around;
  }

  /** False: it is no record of this kind. */
  take(payload: Fields, sub: string, origin: Origin, time: string | undefined): boolean {
    switch (sub) {
      case "user_message":
      case "agent_message":
      case "agent_reasoning":
      case "agent_reasoning_raw_content":
        this.#show(sub, payload, string(payload.message) ?? string(payload.text), origin, time);
        return true;
      case "item_completed":
        this.#item(fields(payload.item) ?? {}, origin, time);
        return true;
      case "error":
      case "stream_error":
        this.#error(payload, origin, time);
        return true;
      default: {
        const id = name(payload.call_id) ?? name(payload.callId);
        if (id === undefined || !/_(?:end|response)$|^view_image_tool_call$/.test(sub)) return false;
        this.#detail(id, payload, origin, time);
        return true;
      }
    }
  }

  /** A turn is over: what no item claimed was for the person only. */
  settle(): void {
    for (const shown of this.thoughts.settle())
      sendShown(this.#sink, "assistant", shown, ["user"], "thinking");
    for (const shown of this.texts.settle()) sendShown(this.#sink, "assistant", shown, ["user"]);
  }

  #item(item: Fields, origin: Origin, time: string | undefined): void {
    const id = name(item.id);
    switch (item.type) {
      case "UserMessage":
        this.#show("user_message", item, showOnly.text(item.content), origin, time, id);
        return;
      case "AgentMessage":
        this.#show("agent_message", item, showOnly.text(item.content), origin, time, id);
        return;
      case "Reasoning": {
        const texts = showOnly.thoughts(item);
        if (texts.length !== 1 && this.#pairing.items) {
          for (const text of texts) this.thoughts.show({ text, origin, ...(id !== undefined && { id }) });
          this.#around.unread(item, "Reasoning", origin, time, item, "duplicate");
          return;
        }
        this.#show("agent_reasoning", item, texts.join("\n\n"), origin, time, id);
        return;
      }
      default:
        if (id === undefined) this.#around.unread(item, nameOf(item), origin, time, item);
        else this.#detail(id, item, origin, time);
    }
  }

  /** A text on the screen: of an item that is or will be there, or of none. */
  #show(
    sub: string,
    payload: Fields,
    text: string | undefined,
    origin: Origin,
    time: string | undefined,
    id?: string,
  ): void {
    if (text === undefined) {
      this.#around.unread(payload, sub, origin, time, payload);
      return;
    }
    const shown: Shown = {
      text,
      origin,
      ...(id !== undefined && { id }),
      ...(time !== undefined && { time }),
    };
    const role = sub === "user_message" ? "user" : "assistant";
    if (!this.#pairing.items) {
      if (role === "user") this.#around.heard();
      sendShown(this.#sink, role, shown, undefined, sub.startsWith("agent_reasoning") ? "thinking" : "text");
      return;
    }
    if (role === "user") {
      this.#around.finish();
      this.#heard.show(shown);
      return;
    }
    this.#heard.settle();
    if (sub !== "agent_message" && !this.#pairing.reasoning) {
      // No item will ever claim it: it stands where it was shown.
      sendShown(this.#sink, role, shown, ["user"], "thinking");
      return;
    }
    const queue = sub === "agent_message" ? this.texts : this.thoughts;
    if (!queue.show(shown)) return;
    const said = this.#around.said();
    if (said) said.origin.push(origin);
    else this.#around.unread(payload, sub, origin, time, undefined, "duplicate");
  }

  #detail(id: string, value: Fields, origin: Origin, time: string | undefined): void {
    if (!this.#pairing.items && showOnly.call(this.#sink, id, value, origin, time)) return;
    if (this.#answered.isOpen(id)) this.#answered.hold(id, value, origin);
    else this.#around.unread(value, nameOf(value), origin, time, value);
  }

  #error(payload: Fields, origin: Origin, time: string | undefined): void {
    this.#around.boundary();
    const message = string(payload.message) ?? JSON.stringify(payload);
    const code = payload.codex_error_info;
    this.#sink.emit(
      "message.completed",
      {
        messageId: `error-${origin.offset}`,
        role: "assistant",
        blocks: [{ type: "error", message, ...(typeof code === "string" && { code }) }],
        audience: ["user"],
      },
      [origin],
      time,
    );
  }
}

function nameOf(item: Fields): string {
  return name(item.type) ?? "item";
}
