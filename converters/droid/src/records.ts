/** Factory Droid's records, as they are read. */
import { type Fields, fields, list, name, string } from "@asp-convert/core/values";

/** A message is seen by both, by the model alone (`llm_only`), or by the person alone (`user_only`). */
export type Visibility = "llm_only" | "user_only" | undefined;

export interface Message {
  id: string | undefined;
  role: "user" | "assistant";
  content: readonly Fields[];
  visibility: Visibility;
  model: string | undefined;
}

/** undefined: the program would refuse it. */
export function messageOf(record: Fields): Message | undefined {
  const message = fields(record.message);
  const role = message?.role;
  if (record.type !== "message" || (role !== "user" && role !== "assistant")) return undefined;
  const { content, visibility: seen } = message ?? {};
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : list(content);
  return {
    id: name(record.id),
    role,
    content: parts.map((part) => fields(part) ?? {}),
    visibility: seen === "llm_only" || seen === "user_only" ? seen : undefined,
    model: role === "assistant" ? name(message?.modelId) : undefined,
  };
}

const REMINDER = /^\s*<system-reminder>/;

/** A text that the program puts beside the person's words by itself. */
export function isReminder(part: Fields): boolean {
  return part.type === "text" && REMINDER.test(string(part.text) ?? "");
}

/** Does a person or the agent say something in it? */
export function isSaid({ content, visibility }: Message): boolean {
  return (
    visibility === undefined &&
    content.some(
      (part) =>
        part.type === "image" ||
        (part.type === "text" && string(part.text)?.trim() !== "" && !isReminder(part)),
    )
  );
}
