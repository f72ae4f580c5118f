/**
 * What Codex's screen shows of a session: events beside the model's items. In the layout we write, a call of any tool
 * can be shown in one way only, as that of an MCP server; a tool of another program is shown under that program's name.
 */
import type { Block, ToolResultPayload } from "@asp-convert/core";
import { type Fields, fields, name, string } from "@asp-convert/core/values";

export interface ShownCall {
  id: string;
  name: string;
  namespace?: string;
  arguments: unknown;
}

/** @param words JSON of the text. @param images JSON texts of data URLs. */
export function userEvent(words: string, images: readonly string[]): string {
  return `{"type":"user_message","message":${words},"images":[${images.join(",")}],"local_images":[],"text_elements":[]}`;
}

/** @param words JSON of the text. @param phase JSON to go after it. */
export function agentEvent(words: string, phase = ""): string {
  return `{"type":"agent_message","message":${words}${phase}}`;
}

/** @param words JSON of the text. */
export function thoughtEvent(words: string): string {
  return `{"type":"agent_reasoning","text":${words}}`;
}

export const COMPACTED_EVENT = '{"type":"context_compacted"}';

/** The one kind of item that this layout shows as it is. */
export function isPlan(item: unknown): boolean {
  return fields(item)?.type === "Plan";
}

export function planEvent(item: unknown, thread: string, turn: string, ms: number): string {
  return JSON.stringify({
    type: "item_completed",
    thread_id: thread,
    turn_id: turn,
    item,
    started_at_ms: ms,
    completed_at_ms: ms,
  });
}

/**
 * The event of a call that has ended, as JSON. `whole`: it holds all that the source's screen knew of it.
 * @param done undefined: nothing came back.
 * @param program whose tool it is, where it is no MCP server's.
 * @param native it comes from Codex, and so does `detail`.
 * @param words JSON of the result where that is one text: long ones are encoded once.
 */
export function toolEvent(
  call: ShownCall,
  done: ToolResultPayload | undefined,
  program: string,
  native: boolean,
  words?: string,
): { event: string; whole: boolean } {
  const kept = native ? nativeEvent(call, fields(done?.detail)) : undefined;
  if (kept) return { event: JSON.stringify(kept), whole: true };
  const server = call.namespace?.startsWith("mcp__") ? call.namespace.slice("mcp__".length) : program;
  const { arguments: args } = call;
  const invocation = JSON.stringify({
    server,
    tool: call.name,
    arguments: typeof args === "string" ? { input: args } : (args ?? {}),
  });
  const result = done === undefined ? '{"Err":"no result"}' : okResult(done, words);
  const event = `{"type":"mcp_tool_call_end","call_id":${JSON.stringify(call.id)},"invocation":${invocation},"duration":{"secs":0,"nanos":0},"result":${result}}`;
  return { event, whole: false };
}

function okResult({ result, isError }: ToolResultPayload, words: string | undefined): string {
  const content =
    words === undefined ? JSON.stringify(result.flatMap(contentOf)) : `[{"type":"text","text":${words}}]`;
  return `{"Ok":{"content":${content},"isError":${isError}}}`;
}

/** Codex's own record of a call, from either layout, in this layout's form. */
function nativeEvent({ id }: ShownCall, detail: Fields | undefined): unknown {
  switch (detail?.type) {
    case "mcp_tool_call_end":
    case "patch_apply_end":
      return { ...detail, call_id: id };
    case "FileChange": {
      const { changes, status, stdout, stderr } = detail;
      if (!fields(changes)) return undefined;
      return {
        type: "patch_apply_end",
        call_id: id,
        stdout: string(stdout) ?? "",
        stderr: string(stderr) ?? "",
        success: status === "completed",
        changes,
        status,
      };
    }
    case "McpToolCall": {
      const { server, tool, arguments: args, duration, result, error } = detail;
      if (name(server) === undefined || name(tool) === undefined) return undefined;
      return {
        type: "mcp_tool_call_end",
        call_id: id,
        invocation: { server, tool, arguments: args },
        duration: duration ?? { secs: 0, nanos: 0 },
        result: fields(result) ? { Ok: result } : { Err: string(fields(error)?.message) ?? "failed" },
      };
    }
    default:
      return undefined;
  }
}

function contentOf(block: Block): unknown[] {
  if (block.type === "text") return [{ type: "text", text: block.text.toWellFormed() }];
  if (block.type === "image" && block.data !== undefined)
    return [{ type: "image", data: block.data, mimeType: block.mimeType ?? "image/png" }];
  return [];
}
