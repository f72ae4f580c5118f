/** The words Pi puts around what is no plain message when it sends it to the model (measured on 1.6.0). */
import { type Fields, number, string } from "@asp-convert/core/values";

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
