/**
 * Response items, one by one: what of each is said, called, answered. What Codex itself would not take for an
 * item (it drops the whole record on resume) is undefined here, unless `lenient`: files older than that rule.
 */
import type {
  Block,
  ImageBlock,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  UnknownBlock,
} from "@asp-convert/core";
import { type Fields, fields, list, name, parsed, string } from "@asp-convert/core/values";

/** Native keys that ride along on portable blocks, so that a way back into Codex loses nothing. */
export type CodexText = TextBlock & { phase?: string };
export type CodexImage = ImageBlock & { detail?: string };
export type CodexThinking = ThinkingBlock & { raw?: true };
/** What an action leaves out, Codex sends as null, in this order. */
const WHOLE_ACTION = {
  type: "exec",
  command: [],
  timeout_ms: null,
  working_directory: null,
  env: null,
  user: null,
} as const;

export type CodexCall = ToolCallBlock & { item?: "local_shell_call" | "function_call"; text?: string };

/** Kinds of calls and outputs that belong together; an output of another kind is none for Codex. */
export type CallClass = "function" | "custom";

export const CALLS: Readonly<Record<string, CallClass>> = {
  function_call: "function",
  local_shell_call: "function",
  custom_tool_call: "custom",
};
export const OUTPUTS: Readonly<Record<string, CallClass>> = {
  function_call_output: "function",
  custom_tool_call_output: "custom",
};

/** Items that a model said, besides messages and calls, and that nobody else can read: kept as they are. */
const OPAQUE = new Set([
  "web_search_call",
  "image_generation_call",
  "compaction",
  "compaction_summary",
  "context_compaction",
  "tool_search_call",
  "tool_search_output",
]);

const PHASES = new Set(["commentary", "partial_answer", "final_answer"]);

/** Parts of a message as blocks, one for each part. */
export function partsOf(payload: Fields, lenient: boolean): Block[] | undefined {
  const { content, phase } = payload;
  if (phase !== undefined && phase !== null && !PHASES.has(String(phase)) && !lenient) return undefined;
  if (typeof content === "string") return lenient ? [{ type: "text", text: content }] : undefined;
  if (!Array.isArray(content)) return undefined;
  const blocks: Block[] = [];
  for (const part of content) {
    const block = partOf(fields(part), lenient);
    if (!block) return undefined;
    if (block.type === "text" && typeof phase === "string" && payload.role === "assistant")
      (block as CodexText).phase = phase;
    blocks.push(block);
  }
  return blocks;
}

function partOf(part: Fields | undefined, lenient: boolean): Block | undefined {
  if (!part) return undefined;
  const { type } = part;
  if (type === "input_text" || type === "output_text" || (lenient && type === "text")) {
    return typeof part.text === "string" ? { type: "text", text: part.text } : undefined;
  }
  if (type === "input_image") return imageOf(part);
  if (type === "encrypted_content") return opaque("encrypted_content", part);
  if (type === "input_audio") return opaque("input_audio", part);
  return undefined;
}

/** `{image_url, detail?}`: a data URL as its bytes, any other as an address. */
export function imageOf(part: Fields): ImageBlock | undefined {
  const url = string(part.image_url);
  if (url === undefined) return undefined;
  const image: CodexImage = imageFromUrl(url);
  if (typeof part.detail === "string") image.detail = part.detail;
  return image;
}

function imageFromUrl(url: string): ImageBlock {
  const match = /^data:([^;,]*);base64,/.exec(url.slice(0, 128));
  if (!match) return { type: "image", uri: url };
  return { type: "image", ...(match[1] && { mimeType: match[1] }), data: url.slice(match[0].length) };
}

function opaque(type: string, value: unknown): UnknownBlock {
  return { type: "unknown", nativeType: `codex.${type}`, value };
}

/** Blocks of an item that is part of what the assistant said. `undefined`: this is no such item. */
export function spokenBlocks(payload: Fields, lenient: boolean): Block[] | undefined {
  switch (payload.type) {
    case "message":
      return payload.role === "assistant" ? partsOf(payload, lenient) : undefined;
    case "reasoning":
      return reasoningBlocks(payload);
    case "function_call":
      return functionCall(payload, lenient);
    case "custom_tool_call": {
      const { input, name: tool, call_id } = payload;
      if (typeof input !== "string" || typeof tool !== "string" || typeof call_id !== "string")
        return undefined;
      return [
        {
          type: "tool-call",
          toolCallId: call_id,
          name: tool,
          arguments: input,
          freeform: true,
          ...spaceOf(payload),
        },
      ];
    }
    case "local_shell_call": {
      const id = name(payload.call_id) ?? name(payload.id);
      if (id === undefined || !fields(payload.action)) return undefined;
      const call: CodexCall = {
        type: "tool-call",
        toolCallId: id,
        name: "local_shell",
        arguments: { ...WHOLE_ACTION, ...fields(payload.action) },
        item: "local_shell_call",
      };
      return [call];
    }
    default:
      return typeof payload.type === "string" && OPAQUE.has(payload.type)
        ? [opaque(payload.type, payload)]
        : undefined;
  }
}

/** The summary as readable thinking, the full text where there is one, and what only the vendor can read. */
function reasoningBlocks(payload: Fields): Block[] | undefined {
  if (!Array.isArray(payload.summary)) return undefined;
  const blocks: Block[] = [];
  for (const part of payload.summary) {
    const text = string(fields(part)?.text);
    if (text !== undefined) blocks.push({ type: "thinking", text });
  }
  for (const part of list(payload.content)) {
    const text = string(fields(part)?.text);
    if (text === undefined) continue;
    const thinking: CodexThinking = { type: "thinking", text, raw: true };
    blocks.push(thinking);
  }
  const encrypted = name(payload.encrypted_content);
  if (encrypted !== undefined) blocks.push(opaque("encrypted_reasoning", encrypted));
  return blocks;
}

function functionCall(payload: Fields, lenient: boolean): Block[] | undefined {
  const { name: tool, call_id } = payload;
  if (typeof tool !== "string" || typeof call_id !== "string") return undefined;
  const call: CodexCall = {
    type: "tool-call",
    toolCallId: call_id,
    name: tool,
    arguments: {},
    ...spaceOf(payload),
  };
  const { arguments: text } = payload;
  if (typeof text !== "string") {
    if (!lenient || text === undefined) return undefined;
    call.arguments = text;
    return [call];
  }
  const value = parsed(text);
  if (fields(value)) {
    call.arguments = value;
    // Numbers that JavaScript cannot hold would come back as others.
    if (/\d{16}/.test(text)) call.text = text;
  } else {
    call.arguments = text;
    call.freeform = true;
    call.item = "function_call";
  }
  return [call];
}

function spaceOf(payload: Fields): { namespace?: string } {
  const namespace = name(payload.namespace);
  return namespace === undefined ? {} : { namespace };
}

/** The output of a call as blocks; undefined: not an output that Codex would send. */
export function resultBlocks(output: unknown, lenient: boolean): Block[] | undefined {
  if (typeof output === "string") return [{ type: "text", text: output }];
  if (Array.isArray(output)) {
    const blocks: Block[] = [];
    for (const part of output) {
      const block = partOf(fields(part), lenient);
      if (!block) return undefined;
      blocks.push(block);
    }
    return blocks;
  }
  const content = fields(output)?.content;
  return lenient && typeof content === "string" ? [{ type: "text", text: content }] : undefined;
}
