/** Makes events whose times and ids may be absent. */
import type { EventOf, EventType, Origin, Payloads, SessionEvent } from "@asp-convert/core";

export interface Rest {
  origin: readonly Origin[];
  nativeId?: string;
  time?: string;
}

export function eventOf<T extends EventType>(
  type: T,
  payload: Payloads[T],
  rest: Rest,
): EventOf<T> & SessionEvent {
  return { type, payload, ...rest } as EventOf<T> & SessionEvent;
}
