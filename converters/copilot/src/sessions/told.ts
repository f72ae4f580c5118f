/** Makes events whose ids and times may be absent in the source. */
import type { EventOf, EventType, Origin, Payloads, SessionEvent } from "@asp-convert/core";

export interface Beside {
  origin: readonly Origin[];
  nativeId?: string;
  time?: string;
  timeInferred?: boolean;
}

export function told<T extends EventType>(
  type: T,
  payload: Payloads[T],
  beside: Beside,
): EventOf<T> & SessionEvent {
  return { type, payload, ...beside } as EventOf<T> & SessionEvent;
}

/** Is it something that the model is sent? */
export function isSent(event: SessionEvent): boolean {
  if (event.type === "tool.completed") return true;
  if (event.type !== "message.completed" || event.payload.injected === "harness") return false;
  return event.payload.audience?.includes("assistant") ?? true;
}
