/** Events that say nothing of the talk itself: turns, settings, titles, and the program's own books. */
import type { SessionAxis, SessionEvent, SettingValues } from "@asp-convert/core";
import { type Fields, name, string } from "@asp-convert/core/values";
import { type Beside, told } from "./told.js";

export interface Noted {
  type: string;
  data: Fields;
  beside: Beside & { nativeId: string };
}

/** Of an event that is not told: what it would have been. */
const AXES: Readonly<Record<string, SessionAxis>> = {
  "permission.requested": "approvals",
  "permission.completed": "approvals",
  "session.plan_changed": "plans",
  "session.todos_changed": "plans",
  "session.usage_record": "usage",
  "session.binary_asset": "images",
};

export function unread({ type, data, beside }: Noted, reason = "no-counterpart"): SessionEvent {
  const about = string(data.message);
  return told(
    "unknown.observed",
    {
      nativeType: `copilot.${type}`,
      axis: AXES[type] ?? "side-records",
      reason,
      ...(about !== undefined && { value: about }),
    },
    beside,
  );
}

/** What model it is, how hard it thinks, in which mode: those that an event names. */
export function settingsOf(data: Fields): SettingValues {
  const model = name(data.newModel) ?? name(data.selectedModel);
  const level = name(data.reasoningEffort);
  const mode = name(data.newMode);
  return {
    ...(model !== undefined && { model }),
    ...(level !== undefined && { thought_level: level }),
    ...(mode !== undefined && { mode }),
  };
}

/** @param turn the turn that goes on. */
export function noted(record: Noted, turn: string): SessionEvent {
  const { type, data, beside } = record;
  switch (type) {
    case "assistant.turn_start":
      return told("turn.started", { turnId: turn }, beside);
    case "assistant.turn_end":
      return told("turn.completed", { turnId: turn, status: "completed" }, beside);
    case "abort":
      return told("turn.completed", { turnId: turn, status: "cancelled" }, beside);
    case "session.model_change":
    case "session.mode_changed": {
      const settings = settingsOf(data);
      return Object.keys(settings).length > 0
        ? told("capabilities.changed", { settings }, beside)
        : unread(record);
    }
    case "session.title_changed": {
      const title = name(data.title);
      return title === undefined
        ? unread(record, "empty")
        : told("session.bound", { title, titleBy: "agent" }, beside);
    }
    case "tool.execution_start":
      return told(
        "tool.started",
        {
          toolCallId: string(data.toolCallId) ?? "",
          name: string(data.toolName) ?? "",
          arguments: data.arguments ?? {},
        },
        beside,
      );
    default:
      return unread(record);
  }
}
