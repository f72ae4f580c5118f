/** The words Pi puts around what is no plain message when it sends it to the model (measured on 1.6.0). */
import type { Payloads } from "@asp-convert/core";
import { type Fields, fields, list, number, string } from "@asp-convert/core/values";

const COMPACTED = [
  "The conversation history before this point was compacted into the following summary:\n\n<summary>\n",
  "\n</summary>",
] as const;
const BRANCH = [
  "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n",
  "</summary>",
] as const;

/** What Pi gives a call that no result follows. */
export const NO_RESULT = "No result provided";

export function compactionText(summary: string): string {
  return COMPACTED[0] + summary + COMPACTED[1];
}

/** The summary in such a text; undefined if it is another program's. */
export function compactionSummary(text: string): string | undefined {
  return text.startsWith(COMPACTED[0]) && text.endsWith(COMPACTED[1])
    ? text.slice(COMPACTED[0].length, -COMPACTED[1].length)
    : undefined;
}

export function branchText(summary: string): string {
  return BRANCH[0] + summary + BRANCH[1];
}

/** A command the person ran with `!`. */
export function commandText(message: Fields): string {
  const { command, output, cancelled, truncated, fullOutputPath } = message;
  const exitCode = number(message.exitCode);
  const parts = [
    `Ran \`${string(command) ?? ""}\`\n${output ? `\`\`\`\n${string(output)}\n\`\`\`` : "(no output)"}`,
  ];
  if (cancelled) parts.push("(command cancelled)");
  else if (exitCode) parts.push(`Command exited with code ${exitCode}`);
  if (truncated && fullOutputPath) parts.push(`[Output truncated. Full output: ${string(fullOutputPath)}]`);
  return parts.join("\n\n");
}

/** The words of a system message: its content and the sections it sets. */
export function systemTexts({ content, sections }: Fields): string[] {
  const parts = typeof content === "string" ? [content] : list(content).map((part) => fields(part)?.text);
  return [...parts, ...Object.values(fields(sections) ?? {})].filter(
    (text): text is string => typeof text === "string" && text !== "",
  );
}

/**
 * Our own names for what the model is told by no person's words, in the `customType` of a `custom_message`: so
 * that it is read again as what it was.
 */
const OWN = "asp.";
type Message = Payloads["message.completed"];
export type Own = Pick<Message, "injected" | "kind">;

const INJECTED: readonly NonNullable<Message["injected"]>[] = ["command", "skill", "tool", "notice"];

export function ownTypeOf({ injected, kind }: Own): string {
  return OWN + (injected ?? (kind === "summary" ? kind : "message"));
}

/** undefined: it is not ours. */
export function ownType(customType: unknown): Own | undefined {
  const own = string(customType);
  if (!own?.startsWith(OWN)) return undefined;
  const word = own.slice(OWN.length);
  const injected = INJECTED.find((each) => each === word);
  if (injected !== undefined) return { injected };
  return word === "summary" ? { kind: "summary" } : {};
}
