/** What the extension puts around a person's words. */
import { type Fields, fields, list, string } from "@asp-convert/core/values";

const ENVIRONMENT = "<environment_details>";

export function isContext(text: string): boolean {
  return text.trimStart().startsWith(ENVIRONMENT);
}

/** The words of the task: the first message wraps them. */
export function taskIn(messages: readonly Fields[]): string | undefined {
  const first = messages.find(({ role }) => role === "user");
  const text = textsOf(first?.content)[0] ?? "";
  return /<task>\s*([\s\S]*?)\s*<\/task>/.exec(text)?.[1] ?? text;
}

/** `# Current Working Directory (/home/dev/demo) Files` */
export function folderIn(messages: readonly Fields[]): string | undefined {
  for (const { content } of messages)
    for (const text of textsOf(content)) {
      const folder = /^# Current Working Directory \((.+?)\) Files$/m.exec(text)?.[1];
      if (folder !== undefined) return folder;
    }
  return undefined;
}

function textsOf(content: unknown): string[] {
  return typeof content === "string"
    ? [content]
    : list(content).flatMap((part) => string(fields(part)?.text) ?? []);
}
