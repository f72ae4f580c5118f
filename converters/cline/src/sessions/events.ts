/** Makes events whose ids and times may be absent in the source. */
import type { EventOf, EventType, Origin, Payloads, SessionEvent } from "@asp-convert/core";

export interface Beside {
  origin: readonly Origin[];
  nativeId?: string;
  time?: string;
}

export function told<T extends EventType>(type: T, payload: Payloads[T], beside: Beside): SessionEvent {
  return { type, payload, ...beside } as EventOf<T> & SessionEvent;
}
