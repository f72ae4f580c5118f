/** What Codex's screen shows of a tool call: the item that stands beside its output. */
import type { Block, ToolResultPayload } from "@asp-convert/core";
import { type Fields, fields, list, name, number, string } from "@asp-convert/core/values";
import { fileUri } from "../layout.js";

export interface ShownCall {
  id: string;
  name: string;
  namespace?: string;
  arguments: unknown;
}

/** Item types that are shown as they are when they come from Codex. */
const ITEMS = new Set([
  "CommandExecution",
  "FileChange",
  "McpToolCall",
  "DynamicToolCall",
  "ImageView",
  "WebSearch",
  "CollabAgentToolCall",
  "SubAgentActivity",
  "Plan",
  "EnteredReviewMode",
  "ExitedReviewMode",
]);

export function isScreenItem(value: unknown): value is Fields {
  const type = fields(value)?.type;
  return typeof type === "string" && ITEMS.has(type) && name(fields(value)?.id) !== undefined;
}

/** Tools that run a command line, by their names in the harnesses we know. */
const SHELLS =
  /^(?:bash|shell|local_shell|shell_command|exec_command|run_shell_command|run_terminal_cmd|execute_command|execute|terminal|run_command)$/i;

export function commandOf({ name: tool, namespace, arguments: args }: ShownCall): string[] | undefined {
  if (namespace !== undefined || !SHELLS.test(tool)) return undefined;
  const values = fields(args) ?? {};
  const line = values.command ?? values.cmd ?? values.script;
  if (typeof line === "string") return ["/bin/bash", "-lc", line];
  const words = list(line).filter((word) => typeof word === "string");
  return words.length > 0 ? words : undefined;
}

/**
 * The item for a call that has ended, as JSON. `whole`: it holds all that the source's screen knew of it.
 * @param native it comes from Codex, and so does `detail`.
 */
export function screenItem(
  call: ShownCall,
  done: ToolResultPayload | undefined,
  cwd: string | undefined,
  native: boolean,
): { item: string; whole: boolean } {
  if (native && done) {
    if (isScreenItem(done.detail))
      return { item: JSON.stringify({ ...done.detail, id: call.id }), whole: true };
    const older = olderItem(call, fields(done.detail));
    if (older) return { item: older, whole: false };
  }
  return { item: madeItem(call, done, cwd), whole: false };
}

function madeItem(call: ShownCall, done: ToolResultPayload | undefined, cwd: string | undefined): string {
  const status = done && !done.isError ? "completed" : "failed";
  const command = commandOf(call);
  if (command && cwd !== undefined) {
    const exit = exitCode(done);
    return JSON.stringify({
      type: "CommandExecution",
      id: call.id,
      command,
      cwd: fileUri(cwd),
      parsed_cmd: [{ type: "unknown", cmd: command.at(-1) }],
      source: "agent",
      status,
      aggregated_output: textIn(done?.result ?? []),
      ...(exit !== undefined && { exit_code: exit }),
    });
  }
  if (call.namespace?.startsWith("mcp__")) {
    return JSON.stringify({
      type: "McpToolCall",
      id: call.id,
      server: call.namespace.slice("mcp__".length),
      tool: call.name,
      arguments: call.arguments ?? {},
      status,
      ...(done && { result: { content: done.result.flatMap(mcpContent), isError: done.isError } }),
    });
  }
  return JSON.stringify({
    type: "DynamicToolCall",
    id: call.id,
    tool: call.name,
    arguments: typeof call.arguments === "string" ? { input: call.arguments } : (call.arguments ?? {}),
    status,
    content_items: (done?.result ?? []).flatMap(toolContent),
    success: done !== undefined && !done.isError,
  });
}

/** The older kinds of events that showed a call's end. */
function olderItem(call: ShownCall, detail: Fields | undefined): string | undefined {
  if (!detail) return undefined;
  const { id } = call;
  switch (detail.type) {
    case "exec_command_end": {
      const { command, cwd, parsed_cmd, source, status, aggregated_output, exit_code, duration } = detail;
      const folder = string(cwd);
      if (folder === undefined || !Array.isArray(command)) return undefined;
      const failed = number(exit_code) !== undefined && exit_code !== 0;
      return JSON.stringify({
        type: "CommandExecution",
        id,
        command,
        cwd: fileUri(folder),
        parsed_cmd: Array.isArray(parsed_cmd) ? parsed_cmd : [],
        source: source ?? "agent",
        status: status ?? (failed ? "failed" : "completed"),
        aggregated_output: aggregated_output ?? detail.stdout ?? "",
        ...(exit_code !== undefined && { exit_code }),
        ...(duration !== undefined && { duration }),
      });
    }
    case "patch_apply_end": {
      const { changes, success, stdout, stderr } = detail;
      if (!fields(changes)) return undefined;
      return JSON.stringify({
        type: "FileChange",
        id,
        changes,
        status: success === false ? "failed" : "completed",
        stdout,
        stderr,
      });
    }
    case "mcp_tool_call_end": {
      const invocation = fields(detail.invocation);
      const result = fields(detail.result);
      const server = name(invocation?.server);
      const tool = name(invocation?.tool);
      if (server === undefined || tool === undefined) return undefined;
      const ok = fields(result?.Ok);
      return JSON.stringify({
        type: "McpToolCall",
        id,
        server,
        tool,
        arguments: invocation?.arguments ?? {},
        status: ok && ok.isError !== true ? "completed" : "failed",
        ...(ok && { result: ok }),
        ...(detail.duration !== undefined && { duration: detail.duration }),
      });
    }
    default:
      return undefined;
  }
}

function exitCode(done: ToolResultPayload | undefined): number | undefined {
  if (!done) return undefined;
  const known = number(fields(done.detail)?.exit_code) ?? number(fields(done.detail)?.exitCode);
  return known ?? (done.isError ? undefined : 0);
}

function textIn(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text.toWellFormed()] : [])).join("\n");
}

function mcpContent(block: Block): unknown[] {
  if (block.type === "text") return [{ type: "text", text: block.text.toWellFormed() }];
  if (block.type === "image" && block.data !== undefined)
    return [{ type: "image", data: block.data, mimeType: block.mimeType ?? "image/png" }];
  return [];
}

function toolContent(block: Block): unknown[] {
  if (block.type === "text") return [{ type: "inputText", text: block.text.toWellFormed() }];
  if (block.type === "image" && block.data !== undefined)
    return [{ type: "inputImage", imageUrl: `data:${block.mimeType ?? "image/png"};base64,${block.data}` }];
  return [];
}
