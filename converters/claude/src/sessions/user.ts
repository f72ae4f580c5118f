/** Who speaks in a user record: the person, or the program in their name. */
import type { Block, MessagePayload } from "@asp-convert/core";
import { isTyped } from "./kinds.js";
import { type Json, text } from "./value.js";

type Manner = Pick<MessagePayload, "kind" | "injected" | "display" | "audience">;

/** `blocks`: what is left of the record without its results. */
export function mannerOf(record: Json, blocks: readonly Block[]): Manner {
  if (record.isCompactSummary === true) return { kind: "summary" };
  const first = blocks.find((block) => block.type === "text")?.text.trimStart() ?? "";
  if (record.isMeta === true) return { injected: injectedBy(record, first), audience: ["assistant"] };
  if (first.startsWith("[Request interrupted by user")) return { injected: "notice" };
  if (first.startsWith("<task-notification>")) return { injected: "notice" };
  const command = commandLine(first);
  if (command !== undefined) return { injected: "command", display: command };
  if (
    /^<(local-command|bash-(stdout|stderr|input)|user-memory-input)/.test(first) ||
    first.startsWith("Caveat: The messages below")
  ) {
    return { injected: "command" };
  }
  // Blocks beside the person's own words: what an editor adds. The model is sent all, a person sees theirs.
  const typed = blocks.filter((block) => block.type === "text" && isTyped(block.text));
  const added = blocks.filter(
    (block) => block.type === "text" && !isTyped(block.text) && block.text.trim() !== "",
  );
  if (added.length === 0) return {};
  const words = typed.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  if (words === "" && !blocks.some((block) => block.type === "image"))
    return { injected: "notice", audience: ["assistant"] };
  return { display: words };
}

function injectedBy(record: Json, first: string): NonNullable<MessagePayload["injected"]> {
  if (first.startsWith("Base directory for this skill:")) return "skill";
  if (first.startsWith("[Image: ") || text(record.sourceToolUseID) !== undefined) return "tool";
  return first.startsWith("<system-reminder>") ||
    first.startsWith("[Request interrupted") ||
    first.startsWith("Continue from where")
    ? "notice"
    : "command";
}

/** `/plan now` of `<command-name>/plan</command-name>…<command-args>now</command-args>`; `!ls` of `<bash-input>`. */
export function commandLine(words: string): string | undefined {
  const shell = /^<bash-input>([\s\S]*?)<\/bash-input>/.exec(words)?.[1];
  if (shell !== undefined) return `!${shell}`;
  if (!/^<command-(name|message)>/.test(words)) return undefined;
  const name = /<command-name>([\s\S]*?)<\/command-name>/.exec(words)?.[1]?.trim();
  if (name === undefined) return undefined;
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(words)?.[1]?.trim() ?? "";
  return `${name.startsWith("/") ? name : `/${name}`}${args === "" ? "" : ` ${args}`}`;
}
