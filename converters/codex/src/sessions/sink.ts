/** Where a reader puts its events: gives each its native id, turn, time and branch. */
import type { EventOf, EventType, Origin, Payloads, SessionEvent } from "@asp-convert/core";

export interface Branch {
  id: string;
  from?: string;
}

export class Sink {
  #events: SessionEvent[] = [];
  readonly #branch: Branch | undefined;
  #first = true;
  turnId: string | undefined;
  /** An event that may still get something added: nothing from it on is given out before it is let go. */
  held: SessionEvent | undefined;
  /** The last time that the source gave. */
  #time: string | undefined;
  /** The native id of the last event. */
  last: string | undefined;

  constructor(branch?: Branch) {
    this.#branch = branch;
  }

  /**
   * @param at what the event's native id is made of: the place of its first record, and which of the events of
   * one type that were made of that record it is.
   */
  emit<T extends EventType>(
    type: T,
    payload: Payloads[T],
    origin: readonly Origin[],
    time: string | undefined,
    at: { first?: Origin | undefined; part?: number } = {},
  ): EventOf<T> {
    const event: EventOf<T> = { type, payload, origin };
    const first = at.first ?? origin[0];
    if (first) event.nativeId = nativeId(first, at.part ?? 0);
    if (time !== undefined) {
      event.time = time;
      this.#time = time;
    } else if (this.#time !== undefined) {
      event.time = this.#time;
      event.timeInferred = true;
    }
    if (this.turnId !== undefined) event.turnId = this.turnId;
    if (this.#branch) {
      event.branch = this.#branch.id;
      if (this.#first && this.#branch.from !== undefined) event.branchFrom = this.#branch.from;
      this.#first = false;
    }
    if (event.nativeId !== undefined) this.last = event.nativeId;
    this.#events.push(event as SessionEvent);
    return event;
  }

  /** What may be given out. */
  drain(): SessionEvent[] {
    if (this.held || this.#events.length === 0) return NONE;
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

const NONE: SessionEvent[] = [];

/** A record's place: the same bytes have the same ids, and a file that grows keeps those it has. */
export function nativeId({ file, offset }: Origin, part = 0): string {
  return `${file === 0 ? "" : `${file}:`}${offset}${part === 0 ? "" : `/${part}`}`;
}
