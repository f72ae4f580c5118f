/**
 * Attachments: context that is not in a user record. What the program sends of one is kept beside it
 * (`rendered`) since 2.1.3xx; older ones are worded as the program words them (`wording.ts`).
 */
import type { Block, MessagePayload } from "@asp-convert/core";
import { blocksOf } from "./blocks.js";
import { type Json, list, object, text } from "./value.js";
import { notificationWords, queuedWords, wordingOf } from "./wording.js";

export interface Attached {
  type: string;
  /** What is sent, one per block of text; empty: nothing is. */
  texts: readonly string[];
  /** Pictures in a queued message. */
  blocks: readonly Block[];
  /** A message typed while a turn ran, in the person's words. */
  queued?: string;
  /** `person`: sent as a message of its own; else the role of a reminder. */
  as: "person" | "user" | "system";
  injected: Injected;
}

type Injected = NonNullable<MessagePayload["injected"]>;

/** What each kind is. Those of the program's own preamble come anew with every resume, in any harness. */
const INJECTED: ReadonlyMap<string, Injected> = new Map(
  (
    [
      [
        "harness",
        "environment model date date_change session_context instructions nested_memory skill_listing agent_listing_delta " +
          "deferred_tools_delta deferred_tools_record mcp_instructions_delta prompt_snapshot remote_session_change " +
          "auto_mode auto_mode_exit plan_mode plan_mode_exit plan_mode_reentry command_permissions thinking_stripped " +
          "silent_turn_reminder total_tokens_reminder todo_reminder task_reminder companion_intro budget_usd output_style " +
          "batching_reminder_sent read_truncation_notice ultra_effort_enter ultra_effort_exit critical_system_reminder " +
          "token_usage current_session_memory relevant_memories skill_discovery",
      ],
      [
        "command",
        "hook_success hook_additional_context hook_blocking_error hook_stopped_continuation async_hook_response",
      ],
      [
        "tool",
        "file directory edited_text_file edited_image_file compact_file_reference pdf_reference selected_lines_in_ide " +
          "opened_file_in_ide mcp_resource diagnostics plan_file_reference",
      ],
      ["skill", "invoked_skills dynamic_skill"],
    ] as const
  ).flatMap(([injected, names]) => names.split(" ").map((name): [string, Injected] => [name, injected])),
);

export function attachedOf(record: Json): Attached {
  const attachment = object(record.attachment) ?? {};
  const type = text(attachment.type) ?? "unknown";
  const rendered = renderedOf(record);
  const role = record.renderedRole === "system" ? "system" : "user";
  if (type === "queued_command") return queuedOf(attachment, rendered, role);
  const injected = INJECTED.get(type) ?? "notice";
  if (rendered) return { type, texts: rendered, blocks: [], as: role, injected };
  return { type, texts: wordingOf(type, attachment).map(reminder), blocks: [], as: "system", injected };
}

function renderedOf(record: Json): string[] | undefined {
  return list(record.rendered)?.flatMap((item) => text(object(item)?.content) ?? []);
}

function queuedOf(attachment: Json, rendered: string[] | undefined, role: "user" | "system"): Attached {
  const prompt = attachment.prompt;
  const parts = blocksOf(prompt);
  const words = parts.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const pictures = parts.filter((block) => block.type !== "text");
  const typed = attachment.commandMode !== "task-notification" && attachment.isMeta !== true;
  const frame = typed ? queuedWords(words) : notTyped(attachment, words);
  const texts = rendered ?? [reminder(frame)];
  const host = attachment.hostsOwnTurn === true;
  return {
    type: "queued_command",
    texts: host ? texts.map(withoutReminder) : texts,
    blocks: pictures,
    ...(typed && { queued: words }),
    as: host ? "person" : rendered ? role : "system",
    injected: "notice",
  };
}

function notTyped(attachment: Json, words: string): string {
  return attachment.commandMode === "task-notification"
    ? notificationWords(words)
    : `[MESSAGE FROM NON-USER SOURCE - NOT USER INPUT]\n${words}`;
}

export function reminder(words: string): string {
  return `<system-reminder>\n${words}\n</system-reminder>`;
}

function withoutReminder(words: string): string {
  return /^<system-reminder>\n?([\s\S]*?)\n?<\/system-reminder>\s*$/.exec(words)?.[1] ?? words;
}
