/** A message's parts: `{type, data}` each. */
import type { Block, Origin, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, list, name, parsed, string } from "@asp-convert/core/values";
import type { Said, Say } from "../say.js";

export interface Part {
  type: string;
  data: Fields;
}

/** In a row they are text, which stands as what it holds where it can. */
export function partsOf(value: unknown): Part[] {
  return list(typeof value === "string" ? parsed(value) : value).flatMap((part) => {
    const { type, data } = fields(part) ?? {};
    return typeof type === "string" ? [{ type, data: fields(data) ?? {} }] : [];
  });
}

export function wordsOf(parts: unknown): string {
  return partsOf(parts)
    .flatMap(({ type, data }) => (type === "text" ? (string(data.text) ?? []) : []))
    .join("\n")
    .trim();
}

interface Message extends Pick<Said, "id" | "time" | "model" | "kind"> {
  role: "user" | "assistant" | "system" | "tool";
  parts: unknown;
}

export function* tell(
  { role, parts, ...about }: Message,
  origin: readonly Origin[],
  say: Say,
): Generator<SessionEvent> {
  const blocks: Block[] = [];
  let isTold = false;
  let stopReason: string | undefined;
  for (const { type, data } of partsOf(parts)) {
    const call = name(data.tool_call_id);
    if (type === "tool_result" && call !== undefined) {
      yield say.answered(
        { call, blocks: resultOf(data), isError: data.is_error === true, time: about.time },
        origin,
      );
      isTold = true;
    } else if (type === "finish") stopReason = name(data.reason);
    else {
      const made = blockOf(type, data);
      if (made) blocks.push(...made);
      else {
        yield say.unread(`crush.${type}`, "side-records", "no-counterpart", origin);
        isTold = true;
      }
    }
  }
  const by = role === "tool" ? "user" : role;
  const injected = role === "system" ? { injected: "harness" as const } : {};
  const stop = stopReason === undefined ? {} : { stopReason };
  if (blocks.length > 0) yield say.said({ ...about, ...injected, ...stop, role: by, blocks }, origin);
  else if (!isTold) yield say.unread("crush.message", "messages", "empty", origin);
}

function blockOf(type: string, data: Fields): Block[] | undefined {
  switch (type) {
    case "text": {
      const text = string(data.text) ?? "";
      return text === "" ? [] : [{ type: "text", text }];
    }
    case "reasoning": {
      const signature = name(data.signature);
      const text = string(data.thinking) ?? "";
      if (text === "" && signature === undefined) return [];
      return [{ type: "thinking", text, ...(signature !== undefined && { signature }) }];
    }
    case "tool_call": {
      const [toolCallId, tool] = [name(data.id), name(data.name)];
      if (toolCallId === undefined || tool === undefined) return undefined;
      const given = string(data.input) ?? "";
      const value = given === "" ? {} : parsed(given);
      return value === undefined
        ? [{ type: "tool-call", toolCallId, name: tool, arguments: given, freeform: true }]
        : [{ type: "tool-call", toolCallId, name: tool, arguments: value }];
    }
    case "image_url": {
      const uri = name(data.url);
      return uri === undefined ? [] : [{ type: "image", uri }];
    }
    case "binary": {
      const [bytes, mimeType, path] = [name(data.Data), name(data.MIMEType), name(data.Path)];
      if (bytes === undefined) return [];
      if (mimeType?.startsWith("image/")) return [{ type: "image", data: bytes, mimeType }];
      const kind = mimeType === undefined ? {} : { mediaType: mimeType };
      return [{ type: "reference", uri: path ?? "file", data: bytes, ...kind }];
    }
    case "shell_command":
      return [{ type: "text", text: `$ ${string(data.command) ?? ""}\n${string(data.output) ?? ""}`.trim() }];
    default:
      return undefined;
  }
}

function resultOf(data: Fields): Block[] {
  const [text, bytes, mimeType] = [string(data.content) ?? "", name(data.data), name(data.mime_type)];
  return [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...(bytes !== undefined && mimeType?.startsWith("image/")
      ? [{ type: "image" as const, data: bytes, mimeType }]
      : []),
  ];
}
