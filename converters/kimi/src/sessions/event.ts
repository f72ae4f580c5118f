/** Makes events whose times and ids may be absent. */
import type { EventOf, EventType, Origin, Payloads, SessionEvent } from "@asp-convert/core";

export interface Rest {
  origin: readonly Origin[];
  nativeId?: string;
  time?: string;
  timeInferred?: boolean;
  turnId?: string;
}

export function eventOf<T extends EventType>(
  type: T,
  payload: Payloads[T],
  rest: Rest,
): EventOf<T> & SessionEvent {
  return { type, payload, ...rest } as EventOf<T> & SessionEvent;
}

/** Is it something that the model is sent? */
export function isSent(event: SessionEvent): boolean {
  if (event.type === "tool.completed") return true;
  if (event.type !== "message.completed" || event.payload.injected === "harness") return false;
  return event.payload.audience?.includes("assistant") ?? true;
}
