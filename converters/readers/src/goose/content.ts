/** A message's content: a list of parts, each with its `type`. */
import type { Block, Origin, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, list, name, parsed, string } from "@asp-convert/core/values";
import type { Said, Say } from "../say.js";

/** In a row it is text, which stands as what it holds where it can. */
export function contentOf(value: unknown): unknown {
  return typeof value === "string" ? parsed(value) : value;
}

export function wordsOf(content: unknown): string {
  return list(content)
    .flatMap((part) => (fields(part)?.type === "text" ? (string(fields(part)?.text) ?? []) : []))
    .join("\n")
    .trim();
}

/** What a person is shown. */
export function isSeen(metadata: unknown): boolean {
  return fields(contentOf(metadata))?.userVisible !== false;
}

interface Message extends Pick<Said, "id" | "time" | "audience"> {
  role: "user" | "assistant";
  content: unknown;
  model?: string | undefined;
}

export function* tell(
  { role, content, model, ...about }: Message,
  origin: readonly Origin[],
  say: Say,
): Generator<SessionEvent> {
  const blocks: Block[] = [];
  let isTold = false;
  for (const part of list(content)) {
    const value = fields(part) ?? {};
    if (value.type === "toolResponse") {
      const call = name(value.id);
      if (call === undefined) yield say.unread("goose.toolResponse", "tool-results", "orphan-result", origin);
      else yield say.answered({ call, ...resultOf(fields(value.toolResult)), time: about.time }, origin);
      isTold = true;
      continue;
    }
    const made = blockOf(value);
    if (made) blocks.push(...made);
    else {
      yield say.unread(`goose.${String(value.type)}`, "side-records", "no-counterpart", origin);
      isTold = true;
    }
  }
  const by = role === "assistant" && model !== undefined ? { model } : {};
  if (blocks.length > 0) yield say.said({ ...about, ...by, role, blocks }, origin);
  else if (!isTold) yield say.unread("goose.message", "messages", "empty", origin);
}

/** undefined: nothing that was said. */
function blockOf(value: Fields): Block[] | undefined {
  switch (value.type) {
    case "text": {
      const text = string(value.text) ?? "";
      return text === "" ? [] : [{ type: "text", text }];
    }
    case "image": {
      const [data, mimeType] = [name(value.data), name(value.mimeType)];
      return data === undefined ? [] : [{ type: "image", data, ...(mimeType !== undefined && { mimeType }) }];
    }
    case "toolRequest":
    case "frontendToolRequest": {
      const call = fields(value.toolCall);
      const wanted = fields(call?.value);
      const [toolCallId, tool] = [name(value.id), name(wanted?.name)];
      if (toolCallId === undefined || tool === undefined) return undefined;
      return [{ type: "tool-call", toolCallId, name: tool, arguments: wanted?.arguments ?? {} }];
    }
    case "thinking": {
      const signature = name(value.signature);
      return [
        {
          type: "thinking",
          text: string(value.thinking) ?? "",
          ...(signature !== undefined && { signature }),
        },
      ];
    }
    case "redactedThinking":
      return [{ type: "unknown", nativeType: "goose.redactedThinking", value }];
    default:
      return undefined;
  }
}

function resultOf(result: Fields | undefined): { blocks: Block[]; isError: boolean } {
  const value = fields(result?.value);
  const parts = Array.isArray(result?.value) ? result.value : list(value?.content);
  const error = string(result?.error);
  const blocks = parts.flatMap((part) => resultBlock(fields(part) ?? {}));
  if (error !== undefined) blocks.push({ type: "text", text: error });
  return { blocks, isError: result?.status === "error" || value?.isError === true };
}

function resultBlock(value: Fields): Block[] {
  const made = blockOf(value);
  if (made) return made;
  const text = string(fields(value.resource)?.text);
  return [{ type: "text", text: text ?? JSON.stringify(value) }];
}
