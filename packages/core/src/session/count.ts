/** What a list and a report count of a session. */
import type { Block } from "./blocks.js";
import type { SessionEvent } from "./event.js";

const NOTHING = { messages: 0, toolCalls: 0 } as const;

/**
 * Messages on the active branch in which the person or the agent says something: words, a picture, a document, to each
 * other. Not counted: thoughts and calls alone, results, what the program put there, what it shows to the person alone.
 * And the calls in them.
 */
export function countOf(event: SessionEvent): { readonly messages: number; readonly toolCalls: number } {
  if (event.type !== "message.completed" || event.branch !== undefined) return NOTHING;
  const { role, injected, blocks, audience } = event.payload;
  let toolCalls = 0;
  for (const block of blocks) if (block.type === "tool-call") toolCalls++;
  const isTalk =
    injected === undefined && audience === undefined && (role === "user" || role === "assistant");
  return { messages: isTalk && blocks.some(says) ? 1 : 0, toolCalls };
}

/** Does a person see something said in it? */
export function says(block: Block): boolean {
  switch (block.type) {
    case "text":
      return block.text.trim() !== "";
    case "image":
    case "reference":
      return true;
    default:
      return false;
  }
}
