/** Texts of screen records; and whole calls, for files in which the screen's records are all there is. */
import type { Block, Origin } from "@asp-convert/core";
import { type Fields, fields, list, name, string } from "@asp-convert/core/values";
import { failedByDetail } from "./failed.js";
import type { Sink } from "./sink.js";

function text(content: unknown): string | undefined {
  const texts = list(content).flatMap((part) => string(fields(part)?.text) ?? []);
  return texts.length > 0 || list(content).length > 0 ? texts.join("\n") : undefined;
}

function thoughts(item: Fields): string[] {
  const summary = list(item.summary_text).filter((each) => typeof each === "string");
  return [...summary, ...list(item.raw_content).filter((each) => typeof each === "string")];
}

/** A call and its result, as far as the screen's record tells. False: it is of no known kind. */
function call(sink: Sink, id: string, item: Fields, origin: Origin, time: string | undefined): boolean {
  const made = callIn(item);
  if (!made) return false;
  const { tool, args, namespace, output } = made;
  sink.emit(
    "message.completed",
    {
      messageId: `call-${id}`,
      role: "assistant",
      blocks: [
        {
          type: "tool-call",
          toolCallId: id,
          name: tool,
          arguments: args,
          ...(namespace !== undefined && { namespace }),
        },
      ],
    },
    [origin],
    time,
  );
  const result: Block[] = [{ type: "text", text: output }];
  sink.emit(
    "tool.completed",
    { toolCallId: id, result, isError: failedByDetail(item) ?? false, detail: item },
    [origin],
    time,
  );
  return true;
}

function callIn(
  item: Fields,
): { tool: string; args: unknown; namespace?: string; output: string } | undefined {
  switch (item.type) {
    case "CommandExecution":
    case "exec_command_end": {
      const output = string(item.aggregated_output) ?? string(item.stdout) ?? "";
      return { tool: "shell", args: { command: item.command }, output };
    }
    case "McpToolCall":
    case "mcp_tool_call_end": {
      const invocation = fields(item.invocation) ?? item;
      const server = name(invocation.server);
      const result = fields(item.result);
      const inner = fields(result?.Ok) ?? result;
      const output = text(inner?.content) ?? string(result?.Err) ?? "";
      const tool = name(invocation.tool) ?? "tool";
      const args = invocation.arguments ?? {};
      return { tool, args, output, ...(server !== undefined && { namespace: `mcp__${server}` }) };
    }
    case "DynamicToolCall":
      return {
        tool: name(item.tool) ?? "tool",
        args: item.arguments ?? {},
        output: text(item.content_items) ?? "",
      };
    case "FileChange":
    case "patch_apply_end":
      return {
        tool: "apply_patch",
        args: { changes: item.changes },
        output: string(item.stdout) ?? "",
      };
    default:
      return undefined;
  }
}

export const showOnly: {
  text: typeof text;
  thoughts: typeof thoughts;
  call: typeof call;
} = { text, thoughts, call };
