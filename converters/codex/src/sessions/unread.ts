/** What axis a record counts under that the talk is not made of. */
import type { SessionAxis } from "@asp-convert/core";
import type { Fields } from "@asp-convert/core/values";

const AXES: Readonly<Record<string, SessionAxis>> = {
  session_meta: "lineage",
  asp_evidence: "lineage",
  world_state: "injected-context",
  additional_tools: "injected-context",
  turn_context: "settings",
  thread_settings_applied: "settings",
  token_count: "usage",
  token_usage_record: "usage",
  ghost_snapshot: "file-snapshots",
  undo_completed: "file-snapshots",
  guardian_assessment: "approvals",
  exec_approval_request: "approvals",
  apply_patch_approval_request: "approvals",
  Plan: "plans",
  plan_update: "plans",
  user_message: "messages",
  agent_message: "messages",
  message: "messages",
  agent_reasoning: "thinking",
  agent_reasoning_raw_content: "thinking",
  Reasoning: "thinking",
  reasoning: "thinking",
  function_call: "tool-calls",
  custom_tool_call: "tool-calls",
  local_shell_call: "tool-calls",
  function_call_output: "tool-results",
  custom_tool_call_output: "tool-results",
};

/** Items that a tool's work is shown with. */
const DETAILS =
  /^(?:CommandExecution|FileChange|McpToolCall|DynamicToolCall|ImageView|WebSearch|CollabAgentToolCall|.*_(?:end|begin|request|response))$/;

export function axisOf(type: string, payload?: Fields): SessionAxis {
  if (payload?.type === "message" && payload.role === "system") return "injected-context";
  return AXES[type] ?? (DETAILS.test(type) ? "tool-details" : "side-records");
}
