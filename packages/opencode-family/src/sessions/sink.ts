/** Where the reader puts its events: gives each its time, turn and branch, and keeps those that a compaction kept. */
import type { EventOf, EventType, Origin, Payloads, SessionEvent } from "@asp-convert/core";
import { isoOf } from "../json.js";

export interface At {
  /** The program's own id of it. */
  id: string;
  origin: readonly Origin[];
  /** ms since 1970. */
  time?: number | undefined;
}

export class Sink {
  #events: SessionEvent[] = [];
  #branch: { id: string; from?: string } | undefined;
  #first = true;
  /** By the message that a compaction kept its tail from: what was said since. */
  readonly #tails = new Map<string, SessionEvent[]>();
  /** Ids of what is not understood: a damaged database may give one twice. */
  readonly #odd = new Set<string>();
  turnId: string | undefined;
  /** Native id of the last thing that was said. */
  #last: string | undefined;

  emit<T extends EventType>(type: T, payload: Payloads[T], at: At): void {
    this.add(this.make(type, payload, at) as SessionEvent);
  }

  add(event: SessionEvent): void {
    if (this.#branch) {
      event.branch = this.#branch.id;
      if (this.#first && this.#branch.from !== undefined) event.branchFrom = this.#branch.from;
      this.#first = false;
    }
    if (event.type === "unknown.observed" && event.nativeId !== undefined) {
      if (this.#odd.has(event.nativeId)) event.nativeId += `/${event.origin[0]?.record}`;
      this.#odd.add(event.nativeId);
    }
    this.#events.push(event);
    if (event.type !== "message.completed" && event.type !== "tool.completed") return;
    this.keep(event);
    if (event.type === "message.completed") this.#last = event.nativeId;
  }

  /** An event, not yet put anywhere. */
  make<T extends EventType>(type: T, payload: Payloads[T], { id, origin, time }: At): EventOf<T> {
    const iso = isoOf(time);
    return {
      type,
      payload,
      nativeId: id,
      ...(iso !== undefined && { time: iso }),
      ...(this.turnId !== undefined && { turnId: this.turnId }),
      origin,
    };
  }

  keep(event: SessionEvent): void {
    for (const tail of this.#tails.values()) tail.push(event);
  }

  beginTail(message: string): void {
    this.#tails.set(message, []);
  }

  endTail(message: string): SessionEvent[] {
    const tail = this.#tails.get(message) ?? [];
    this.#tails.delete(message);
    return tail;
  }

  /** From here on all is of a branch that was left. */
  beginBranch(id: string): void {
    if (this.#branch) return;
    this.#branch = { id, ...(this.#last !== undefined && { from: this.#last }) };
  }

  drain(): SessionEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
