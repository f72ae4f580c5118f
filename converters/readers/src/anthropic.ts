/** Messages in the form of Anthropic's API, which several programs keep as they are: a result stands in the person's next message. */
import type { Block, Origin, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, list, name, string } from "@asp-convert/core/values";
import type { Said, Say } from "./say.js";

export interface Message extends Pick<Said, "id" | "time" | "model" | "usage" | "stopReason"> {
  role: unknown;
  content: unknown;
}

/** @param isContext whether a text was put there by the program. */
export function* tell(
  { role, content, ...about }: Message,
  origin: readonly Origin[],
  say: Say,
  isContext: (text: string) => boolean = () => false,
): Generator<SessionEvent> {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : list(content);
  const blocks: Block[] = [];
  const context: Block[] = [];
  let isTold = false;
  for (const part of parts) {
    const value = fields(part) ?? {};
    const call = name(value.tool_use_id) ?? name(value.toolUseID);
    if (value.type === "tool_result" && call !== undefined) {
      yield say.answered({ call, ...resultOf(value), time: about.time }, origin);
      isTold = true;
      continue;
    }
    const block = blockOf(value);
    if (!block) {
      yield say.unread(`anthropic.${String(value.type)}`, "messages", "not-supported", origin);
      isTold = true;
    } else if (block.type === "text" && role === "user" && isContext(block.text)) context.push(block);
    else if (block.type !== "text" || block.text !== "") blocks.push(block);
  }
  if (context.length > 0) {
    const id = about.id === undefined || blocks.length === 0 ? about.id : `${about.id} context`;
    yield say.said({ ...about, id, role: "user", blocks: context, injected: "harness" }, origin);
    isTold = true;
  }
  if (blocks.length > 0) {
    const by = role === "user" || role === "assistant" ? role : "unknown";
    yield say.said({ ...about, role: by, blocks }, origin);
  } else if (!isTold) yield say.unread("anthropic.message", "messages", "empty", origin);
}

function blockOf(value: Fields): Block | undefined {
  switch (value.type) {
    case "text":
      return { type: "text", text: string(value.text) ?? "" };
    case "thinking": {
      const signature = name(value.signature);
      const text = string(value.thinking) ?? "";
      return { type: "thinking", text, ...(signature !== undefined && { signature }) };
    }
    case "redacted_thinking":
      return { type: "unknown", nativeType: "anthropic.redacted_thinking", value };
    case "tool_use": {
      const [toolCallId, tool] = [name(value.id), name(value.name)];
      if (toolCallId === undefined || tool === undefined) return undefined;
      return { type: "tool-call", toolCallId, name: tool, arguments: value.input ?? {} };
    }
    case "image":
      return imageOf(value);
    default:
      return undefined;
  }
}

function imageOf(value: Fields): Block | undefined {
  const source = fields(value.source);
  const mimeType = name(source?.media_type) ?? name(source?.mediaType);
  const type = mimeType === undefined ? {} : { mimeType };
  const data = name(source?.data);
  if (data !== undefined) return { type: "image", data, ...type };
  const uri = name(source?.url);
  return uri === undefined ? undefined : { type: "image", uri, ...type };
}

/** Anthropic's own form, and that of a run with its status. */
function resultOf(value: Fields): { blocks: Block[]; isError: boolean } {
  const run = fields(value.run);
  const given = run ? (run.result ?? run.error ?? run.reason) : value.content;
  const isError = value.is_error === true || run?.status === "error" || run?.status === "rejected-by-user";
  if (typeof given === "string")
    return { blocks: given === "" ? [] : [{ type: "text", text: given }], isError };
  if (Array.isArray(given)) {
    const blocks = given.map((part) => blockOf(fields(part) ?? {}) ?? textOf(part));
    return { blocks, isError };
  }
  return { blocks: given === undefined || given === null ? [] : [textOf(given)], isError };
}

function textOf(value: unknown): Block {
  const words = string(fields(value)?.output) ?? string(fields(value)?.content);
  return { type: "text", text: typeof value === "string" ? value : (words ?? JSON.stringify(value)) };
}

/** The words of a message, for a list. */
export function wordsOf(content: unknown, isContext: (text: string) => boolean = () => false): string {
  if (typeof content === "string") return isContext(content) ? "" : content.trim();
  return list(content)
    .flatMap((part) => (fields(part)?.type === "text" ? (string(fields(part)?.text) ?? []) : []))
    .filter((text) => !isContext(text))
    .join("\n")
    .trim();
}
