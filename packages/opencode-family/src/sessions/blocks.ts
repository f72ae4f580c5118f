/** Blocks of a message → its parts. */
import { type Block, isBlank } from "@asp-convert/core";
import type { Fields } from "../json.js";
import { type CallNames, callPart } from "./call-part.js";
import type { Call } from "./calls.js";
import type { DraftPart } from "./draft.js";
import { type Encoding, note } from "./encoding.js";
import { isLocal, picture, referenceParts } from "./files.js";
import { takeUnknown } from "./own.js";
import { carry, isReasoning, ownReasoning } from "./reasoning.js";

/** Parts of a person's message. `synthetic`: the program put it there. `ignored`: shown, never sent. */
export function userParts(
  blocks: readonly Block[],
  flags: { synthetic?: true; ignored?: true; metadata?: Fields },
  encoding: Encoding,
): DraftPart[] {
  const parts: DraftPart[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        if (isBlank(block.text) && !encoding.native) note(encoding, "messages", "dropped", "empty");
        else parts.push({ data: { type: "text", text: block.text, ...flags } });
        break;
      case "image":
        if (isLocal(block)) {
          // The program reads a file when it is mentioned, not when the session goes on.
          note(encoding, "images", "evidence-only", "not-supported");
          parts.push(...referenceParts({ type: "reference", uri: block.uri ?? "" }, encoding));
          break;
        }
        parts.push({ data: picture(block, encoding) });
        break;
      case "reference":
        parts.push(...referenceParts(block, encoding));
        break;
      case "unknown":
        takeUnknown(block, parts, encoding);
        break;
      case "error":
        note(encoding, "errors", "evidence-only", "no-counterpart");
        break;
      default:
        note(
          encoding,
          block.type === "thinking" ? "thinking" : "tool-calls",
          "evidence-only",
          "not-supported",
        );
    }
  }
  return parts;
}

/** Parts of an answer. */
export function assistantParts(
  blocks: readonly Block[],
  names: CallNames,
  time: number,
  encoding: Encoding,
): { parts: DraftPart[]; calls: Call[]; error?: Block & { type: "error" } } {
  const parts: DraftPart[] = [];
  const calls: Call[] = [];
  let error: (Block & { type: "error" }) | undefined;
  let thought: Record<string, unknown> | undefined; // foreign reasoning, gathered in one part's metadata
  for (const block of blocks) {
    if (block.type !== "unknown" && block.type !== "thinking") thought = undefined;
    switch (block.type) {
      case "text":
        if (isBlank(block.text) && !encoding.native) note(encoding, "messages", "dropped", "empty");
        else parts.push({ data: { type: "text", text: block.text, time: { start: time, end: time } } });
        break;
      case "thinking":
        if (encoding.native) parts.push({ data: ownReasoning(block, time, encoding) });
        else thought = carry(parts, block, thought, time, encoding);
        break;
      case "tool-call": {
        const part = { data: callPart(block, names, time, encoding) };
        parts.push(part);
        calls.push({ part, id: block.toolCallId });
        break;
      }
      case "error":
        error = block;
        break;
      case "unknown":
        if (!encoding.native && isReasoning(block.nativeType)) {
          thought = carry(parts, block, thought, time, encoding);
          note(encoding, "opaque-reasoning", "evidence-only", "encrypted");
        } else takeUnknown(block, parts, encoding);
        break;
      case "image":
        note(encoding, "images", "evidence-only", "not-supported");
        break;
      case "reference":
        note(encoding, "documents", "evidence-only", "not-supported");
        break;
      default:
        note(encoding, "tool-results", "partial", "orphan-result");
    }
  }
  return { parts, calls, ...(error && { error }) };
}
