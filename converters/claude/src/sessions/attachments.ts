/**
 * Attachments: context that is not in a user record. What the program sends of one is kept beside it
 * (`rendered`) since 2.1.3xx; older ones are worded here as 2.1.332 words them (measured).
 */
import type { Block, MessagePayload } from "@asp-convert/core";
import { blocksOf } from "./blocks.js";
import { type Json, list, object, text } from "./value.js";

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
  injected: NonNullable<MessagePayload["injected"]>;
}

/** Kinds that carry something for the model that the target would not add by itself. */
const CARRIED: ReadonlyMap<string, NonNullable<MessagePayload["injected"]>> = new Map([
  ["hook_success", "command"],
  ["hook_additional_context", "command"],
  ["hook_blocking_error", "command"],
  ["hook_stopped_continuation", "command"],
  ["async_hook_response", "command"],
  ["command_permissions", "command"],
  ["file", "tool"],
  ["directory", "tool"],
  ["edited_text_file", "tool"],
  ["edited_image_file", "tool"],
  ["compact_file_reference", "tool"],
  ["pdf_reference", "tool"],
  ["selected_lines_in_ide", "tool"],
  ["opened_file_in_ide", "tool"],
  ["mcp_resource", "tool"],
  ["diagnostics", "tool"],
  ["plan_file_reference", "tool"],
  ["invoked_skills", "skill"],
  ["dynamic_skill", "skill"],
  ["task_status", "notice"],
  ["agent_mention", "notice"],
]);

export function attachedOf(record: Json): Attached {
  const attachment = object(record.attachment) ?? {};
  const type = text(attachment.type) ?? "unknown";
  const rendered = renderedOf(record);
  const role = record.renderedRole === "system" ? "system" : "user";
  if (type === "queued_command") return queuedOf(attachment, rendered, role);
  const injected = CARRIED.get(type) ?? "harness";
  if (rendered) return { type, texts: rendered, blocks: [], as: role, injected };
  const worded = wordingOf(type, attachment);
  return { type, texts: worded === undefined ? [] : [reminder(worded)], blocks: [], as: "system", injected };
}

function renderedOf(record: Json): string[] | undefined {
  return list(record.rendered)?.flatMap((item) => text(object(item)?.content) ?? []);
}

const QUEUED_BEFORE = "The user sent a new message while you were working:\n";
const QUEUED_AFTER =
  "\n\nThis is how Claude Code surfaces messages the user sends mid-turn — within the running turn, often alongside the next tool result, " +
  "rather than as a separate conversation turn. Address the message above as you continue this turn.";

function queuedOf(attachment: Json, rendered: string[] | undefined, role: "user" | "system"): Attached {
  const prompt = attachment.prompt;
  const parts = blocksOf(prompt);
  const words = parts.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const pictures = parts.filter((block) => block.type !== "text");
  const typed = attachment.commandMode !== "task-notification" && attachment.isMeta !== true;
  const frame = typed ? `${QUEUED_BEFORE}${words}${QUEUED_AFTER}` : notTyped(attachment, words);
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
    ? words
    : `[MESSAGE FROM NON-USER SOURCE - NOT USER INPUT]\n${words}`;
}

export function reminder(words: string): string {
  return `<system-reminder>\n${words}\n</system-reminder>`;
}

function withoutReminder(words: string): string {
  return /^<system-reminder>\n?([\s\S]*?)\n?<\/system-reminder>\s*$/.exec(words)?.[1] ?? words;
}

function wordingOf(type: string, attachment: Json): string | undefined {
  switch (type) {
    case "file":
      return fileWords(attachment);
    case "hook_success": {
      const event = text(attachment.hookEvent);
      const said = text(attachment.content) ?? "";
      return (event === "SessionStart" || event === "UserPromptSubmit") && said !== ""
        ? `${text(attachment.hookName)} hook success: ${said}`
        : undefined;
    }
    case "hook_additional_context": {
      const said = (list(attachment.content) ?? []).filter((item) => typeof item === "string");
      return said.length === 0
        ? undefined
        : `${text(attachment.hookName)} hook additional context: ${said.join("\n")}`;
    }
    case "nested_memory": {
      const content = object(attachment.content);
      return content && `Contents of ${text(content.path)}:\n\n${text(content.content)}`;
    }
    default:
      return undefined;
  }
}

function fileWords(attachment: Json): string | undefined {
  const content = object(attachment.content);
  const file = object(content?.file);
  const words = text(file?.content);
  if (content?.type !== "text" || words === undefined) return undefined;
  const first = typeof file?.startLine === "number" ? file.startLine : 1;
  const numbered = words
    .split("\n")
    .map((line, n) => `${first + n}\t${line}`)
    .join("\n");
  return (
    `Called the Read tool with the following input: ${JSON.stringify({ file_path: text(attachment.filename) })}\n` +
    `Result of calling the Read tool:\n${numbered}`
  );
}
