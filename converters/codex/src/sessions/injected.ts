/** Telling the person's words from what Codex put into the talk under the role of the user. */
import type { InjectedBy } from "@asp-convert/core";
import { type Fields, fields, list, string } from "@asp-convert/core/values";

/**
 * `person`: typed by someone (or put there by a client as if). `summary`: stands for what a compaction removed.
 * `wrapper`: a tag that Codex puts around a picture.
 */
export type Speaker = "person" | "summary" | "wrapper" | InjectedBy;

/** By `content_item_kinds`, as 0.150 and later write them. What is not named here is decided by the prefix. */
const BY_KIND: Readonly<Record<string, Speaker>> = {
  "user.text": "person",
  "user.image": "person",
  "generic.turn_aborted": "notice",
  "shell.user_command": "command",
  "skills.selected_skill_instructions": "skill",
  "hooks.additional_context": "command",
  "multi_agent.subagent_notification": "notice",
  "compaction.summary": "summary",
};

/** How a text begins that Codex wrote, in files without kinds. */
const BY_PREFIX: readonly (readonly [prefix: string, speaker: Speaker])[] = [
  ["# AGENTS.md instructions", "harness"],
  ["<environment_context>", "harness"],
  ["<user_instructions>", "harness"],
  ["<permissions instructions>", "harness"],
  ["<skills_instructions>", "harness"],
  ["<plugins_instructions>", "harness"],
  ["<apps_instructions>", "harness"],
  ["<collaboration_mode>", "harness"],
  ["<multi_agent", "harness"],
  ["<personality", "harness"],
  ["<model_switch>", "harness"],
  ["<turn_aborted>", "notice"],
  ["<subagent_notification>", "notice"],
  ["<user_action>", "notice"],
  ["<user_shell_command>", "command"],
  ["<skill>", "skill"],
];

/** What Codex puts before the summary of a compaction. */
const SUMMARY_FRAME =
  "Another language model started to solve this problem and produced a summary of its thinking";

/** Who speaks in a part of a message, by its text alone. */
export function speakerOfText(text: string): Speaker {
  const start = text.slice(0, 64).trimStart();
  for (const [prefix, speaker] of BY_PREFIX) if (start.startsWith(prefix)) return speaker;
  if (text.startsWith(SUMMARY_FRAME)) return "summary";
  if (/^<image name=[^>]*>$|^<\/?image>$/.test(text.length < 1024 ? text.trim() : "")) return "wrapper";
  return "person";
}

/** Who speaks in each part of a `message` payload. */
export function speakersOf(payload: Fields): Speaker[] {
  const passed = fields(payload.internal_chat_message_metadata_passthrough);
  const kinds = list(passed?.content_item_kinds);
  const details = list(passed?.content_item_metadata);
  const developer = payload.role === "developer";
  return list(payload.content).map((part, index) => {
    const text = string(fields(part)?.text);
    const kind = string(kinds[index]);
    const byText = text === undefined ? "person" : speakerOfText(text);
    if (kind === undefined) return developer && byText === "person" ? "harness" : byText;
    if (kind === "unknown") return byText;
    // Codex tells its model such things as developer, and tells them again; a person says nothing in that role.
    if (developer) return "harness";
    const known = BY_KIND[kind];
    if (known === "person") return byText === "wrapper" ? "wrapper" : "person";
    if (known) return known;
    const provenance = fields(fields(details[index])?.provenance);
    return provenance?.type === "user" ? "person" : "harness";
  });
}

/** Codex noted that it does not know where these words come from. */
export function ofUnknownKind(payload: Fields): boolean {
  const kinds = list(fields(payload.internal_chat_message_metadata_passthrough)?.content_item_kinds);
  return kinds.length > 0 && kinds.every((kind) => kind === "unknown");
}

const IDE_REQUEST = "## My request for Codex:";

/** The prompt inside a text that an editor wrapped in its context; undefined for any other text. */
export function promptInside(text: string): string | undefined {
  if (!text.startsWith("# Context from my IDE") && !text.startsWith("\n# Context from my IDE"))
    return undefined;
  const at = text.lastIndexOf(IDE_REQUEST);
  return at === -1 ? undefined : text.slice(at + IDE_REQUEST.length).trim();
}
