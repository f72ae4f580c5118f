/** Reasoning → reasoning parts. */
import type { Block } from "@asp-convert/core";
import { list } from "../json.js";
import type { DraftPart } from "./draft.js";
import { type Encoding, note } from "./encoding.js";

export function isReasoning(nativeType: string): boolean {
  return /reason|think/i.test(nativeType);
}

/** Of a program of this family. */
export function ownReasoning(
  { text, signature }: Block & { type: "thinking" },
  time: number,
  encoding: Encoding,
): Record<string, unknown> {
  encoding.ledger.keep("thinking");
  return {
    type: "reasoning",
    text,
    time: { start: time, end: time },
    ...(signature !== undefined && { metadata: { anthropic: { signature } } }),
  };
}

/**
 * Reasoning of another harness. As a text the program would send it to any model but its own as part of the answer;
 * so the part is empty, which is sent to nobody, and the words are in our own metadata, for the way back.
 */
export function carry(
  parts: DraftPart[],
  block: Block & { type: "thinking" | "unknown" },
  before: Record<string, unknown> | undefined,
  time: number,
  encoding: Encoding,
): Record<string, unknown> {
  // One part for a text and the opaque blocks that come with it; the next text begins another one.
  let thought = before;
  if (!thought || (block.type === "thinking" && ("text" in thought || "opaque" in thought))) {
    thought = {};
    parts.push({
      data: {
        type: "reasoning",
        text: "",
        time: { start: time, end: time },
        metadata: { asp: { thinking: thought } },
      },
    });
  }
  if (block.type === "thinking") {
    note(encoding, "thinking", "evidence-only", "not-supported");
    if (block.signature !== undefined)
      note(encoding, "opaque-reasoning", "evidence-only", "foreign-signature");
    thought.text = block.text;
    if (block.signature !== undefined) thought.signature = block.signature;
  } else thought.opaque = [...list(thought.opaque), block];
  return thought;
}
