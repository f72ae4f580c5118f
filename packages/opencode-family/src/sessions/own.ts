/** Unknown blocks: what this family alone reads goes back to where it was; what nobody else reads stays behind. */
import type { Block } from "@asp-convert/core";
import { type Fields, fields } from "../json.js";
import { NATIVE } from "../native.js";
import type { DraftPart } from "./draft.js";
import { type Encoding, note } from "./encoding.js";
import { isReasoning } from "./reasoning.js";

export function takeUnknown(
  block: Block & { type: "unknown" },
  parts: DraftPart[],
  encoding: Encoding,
): void {
  const value = fields(block.value);
  if (encoding.native && value && block.nativeType === NATIVE.part) {
    // These two stand for the text before them: the program makes it anew.
    if (value.type === "compaction" || value.type === "subtask") parts.pop();
    parts.push({ data: { ...value } });
    return;
  }
  if (encoding.native && value && block.nativeType === NATIVE.metadata) {
    takeMetadata(value, parts);
    return;
  }
  note(
    encoding,
    "opaque-reasoning",
    "evidence-only",
    isReasoning(block.nativeType) || /encrypt/.test(block.nativeType) ? "encrypted" : "no-counterpart",
  );
}

function takeMetadata(value: Fields, parts: DraftPart[]): void {
  if ("text" in value) {
    const { text, ...metadata } = value;
    parts.push({ data: { type: "reasoning", text, metadata, time: { start: 0 } } });
    return;
  }
  const last = parts.at(-1)?.data;
  if (last) last.metadata = { ...fields(last.metadata), ...value };
}
