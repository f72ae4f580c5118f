/** The message that a stream of chunks grows into, and what is told of after it. */
import type { EventType, Origin, Payloads, SessionEvent } from "@asp-convert/core";
import type { Fields } from "@asp-convert/core/values";
import { checkedEvent } from "./check.js";
import { unknown } from "./observed.js";

export interface OpenMessage {
  role: "user" | "assistant";
  /** As the agent said it; a chunk without one goes on with what is there. */
  nativeId: string | undefined;
  audience: string;
  payload: Payloads["message.completed"];
  /** The last block takes the text of the next chunk of the same kind. */
  growing: string | undefined;
  time: string | undefined;
  origin: Origin[];
  /** Comes right after the message. */
  after: SessionEvent[];
}

/** The name of a message that stands for the talk so far. */
export const SUMMARY = "summary";

export class ForeignTalk {
  readonly #ids = new Set<string>();
  #message: OpenMessage | undefined;
  #out: SessionEvent[] = [];

  /** What is complete; it is given once. */
  told(): SessionEvent[] {
    const events = this.#out;
    this.#out = [];
    return events;
  }

  /** Its message has not been told yet: it may still be changed. */
  isOpen(message: OpenMessage): boolean {
    return this.#message === message;
  }

  /** The message that a chunk of this kind goes into: the one there is, or a new one. */
  open(
    role: "user" | "assistant",
    nativeId: string | undefined,
    audience: ("user" | "assistant")[] | undefined,
    origin: Origin[],
  ): OpenMessage {
    const mark = (audience ?? []).join();
    const message = this.#message;
    const goesOn =
      message !== undefined &&
      message.role === role &&
      message.audience === mark &&
      (nativeId === undefined || message.nativeId === undefined || message.nativeId === nativeId);
    if (message && goesOn) {
      message.nativeId ??= nativeId;
      message.origin.push(...origin);
      return message;
    }
    this.flush();
    const made: OpenMessage = {
      role,
      nativeId,
      audience: mark,
      payload: { messageId: "", role, blocks: [], ...(audience && { audience }) },
      growing: undefined,
      time: undefined,
      origin: [...origin],
      after: [],
    };
    this.#message = made;
    return made;
  }

  /** Told of after the message there is. */
  after(event: SessionEvent): void {
    (this.#message ? this.#message.after : this.#out).push(event);
  }

  /** False where the payload is not what such an event holds: then the update is told of as it is. */
  tell(type: EventType, payload: unknown, origin: Origin[]): boolean {
    const checked = checkedEvent(type, { origin }, payload);
    if (checked.ok) this.after(checked.value);
    return checked.ok;
  }

  /** What an event has no place for. */
  leave(kind: string, rest: Fields, meta: unknown, origin: Origin[]): void {
    const value = { ...rest, ...(meta != null && { _meta: meta }) };
    if (Object.keys(value).length > 0) this.after(unknown(`acp.${kind}`, value, origin));
  }

  /** Ends the message there is. */
  flush(): void {
    if (!this.#message) return;
    const { payload, nativeId, time, origin, after } = this.#message;
    this.#message = undefined;
    payload.messageId = this.#freeId(nativeId);
    this.#out.push({
      type: "message.completed",
      payload,
      ...(nativeId !== undefined && nativeId !== SUMMARY && { nativeId }),
      ...(time !== undefined && { time }),
      origin,
    });
    this.#out.push(...after);
  }

  /** An agent's id comes again where its answer goes on after a call. */
  #freeId(nativeId: string | undefined): string {
    const base = nativeId ?? "message";
    let id = nativeId ?? "message-0";
    for (let n = 1; this.#ids.has(id); n++) id = `${base}-${n}`;
    this.#ids.add(id);
    return id;
  }
}
