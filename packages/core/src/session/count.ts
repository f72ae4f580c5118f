/** What a list and a report count of a session. */
import type { SessionEvent } from "./event.js";

const NOTHING = { messages: 0, toolCalls: 0 } as const;

/** Messages of person and agent on the active branch, and the calls in them. */
export function countOf(event: SessionEvent): { readonly messages: number; readonly toolCalls: number } {
  if (event.type !== "message.completed" || event.branch !== undefined) return NOTHING;
  const { role, injected, blocks } = event.payload;
  let toolCalls = 0;
  for (const block of blocks) if (block.type === "tool-call") toolCalls++;
  return { messages: injected === undefined && (role === "user" || role === "assistant") ? 1 : 0, toolCalls };
}
