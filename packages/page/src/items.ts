/** Events → what a page shows: a message with the results of its calls is one item. */
import type { Block, SessionEvent } from "@asp-convert/core";
import type { Item, Outcome, Part } from "./shapes.js";
import type { Cuts } from "./text.js";

/** Types that a browser shows without running anything. */
const PICTURES = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;
/** UTF-16 units of base64. */
const LARGEST_PICTURE = 4_000_000;

/** undefined: nothing that a person would look for; it is shown where something of it was lost. */
export function itemOf(event: SessionEvent, cuts: Cuts): Item | undefined {
  const time = event.time !== undefined && { time: event.time };
  switch (event.type) {
    case "message.completed": {
      const { role, blocks, model, injected, kind } = event.payload;
      const who = kind === "summary" ? "summary" : injected === undefined ? role : `${injected} context`;
      const parts = blocks.flatMap((block) => partsOf(block, cuts));
      return { as: "message", who, ...time, ...(model !== undefined && { model }), parts };
    }
    case "status.changed": {
      const { status, trigger, reason, context } = event.payload;
      if (status !== "compacted") return undefined;
      const how = trigger === undefined ? "" : ` (${trigger})`;
      const kept = context === undefined ? "" : `; ${context.length} items stayed in the model's context`;
      const text = `The context was compacted here${how}${kept}.${reason === undefined ? "" : ` ${reason}`}`;
      return { as: "compaction", who: "compaction", ...time, parts: [{ part: "text", text }] };
    }
    case "task.updated": {
      const boxes = { pending: "[ ]", in_progress: "[~]", completed: "[x]" } as const;
      const text = event.payload.plan.map(({ content, status }) => `${boxes[status]} ${content}`).join("\n");
      return { as: "plan", who: "plan", ...time, parts: [{ part: "opaque", text }] };
    }
    case "tool.completed":
      return { as: "note", who: "result", ...time, parts: outcomeOf(event, cuts).parts };
    default:
      return undefined;
  }
}

/** Has it an item of its own, or at least a name that tells something? */
export function isSeen({ type, payload }: SessionEvent): boolean {
  if (type === "status.changed") return payload.status === "compacted";
  return /^(message\.completed|tool\.completed|task\.updated|unknown\.observed)$/.test(type);
}

/** An event that shows nothing by itself, where something of it was lost. */
export function sideOf(event: SessionEvent): Item {
  const who = event.type === "unknown.observed" ? event.payload.nativeType : event.type;
  return { as: "note", who, ...(event.time !== undefined && { time: event.time }), parts: [] };
}

export function outcomeOf(event: Extract<SessionEvent, { type: "tool.completed" }>, cuts: Cuts): Outcome {
  const { result, isError, synthetic, detail } = event.payload;
  const parts = result.flatMap((block) => partsOf(block, cuts));
  const patch = patchIn(detail);
  if (patch !== undefined) parts.push({ part: "opaque", text: patch });
  return { parts, failed: isError, made: synthetic === true };
}

/** A patch that the program shows beside a result, as a unified diff. */
function patchIn(detail: unknown): string | undefined {
  if (typeof detail !== "object" || detail === null || !("structuredPatch" in detail)) return undefined;
  const hunks: unknown = detail.structuredPatch;
  if (!Array.isArray(hunks)) return undefined;
  const lines = hunks.flatMap((hunk: unknown): string[] => {
    if (typeof hunk !== "object" || hunk === null || !("lines" in hunk) || !Array.isArray(hunk.lines))
      return [];
    const { oldStart = "?", newStart = "?" } = hunk as { oldStart?: unknown; newStart?: unknown };
    return [`@@ -${String(oldStart)} +${String(newStart)} @@`, ...hunk.lines.map(String)];
  });
  return lines.length === 0 ? undefined : lines.join("\n");
}

function partsOf(block: Block, cuts: Cuts): Part[] {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? [] : [{ part: "text", text: block.text }];
    case "thinking":
      return [{ part: "thinking", text: block.text }];
    case "tool-call":
      return [{ part: "call", id: block.toolCallId, name: block.name, input: block.arguments }];
    case "tool-result":
      return block.content.flatMap((inner) => partsOf(inner, cuts));
    case "image": {
      const { data, uri, mimeType = "", alt = "picture" } = block;
      const fits = data !== undefined && PICTURES.test(mimeType) && /^[A-Za-z0-9+/=\s]+$/.test(data);
      if (fits && data.length <= LARGEST_PICTURE)
        return [{ part: "image", src: `data:${mimeType};base64,${data}`, alt }];
      cuts.pictures++;
      return [{ part: "reference", uri: uri ?? "", title: `picture, not shown (${mimeType || "no type"})` }];
    }
    case "reference": {
      const { uri, title = "", text } = block;
      return [{ part: "reference", uri, title, ...(text !== undefined && { text }) }];
    }
    case "error":
      return [{ part: "error", text: block.message }];
    case "unknown":
      return [{ part: "opaque", text: `${block.nativeType}: it cannot be read here` }];
  }
}
