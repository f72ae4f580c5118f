/** The agents of a file, each with its messages. */
import { type Fields, fields, isoTime, list, name, parsed, string } from "@asp-convert/core/values";

export interface Agent {
  id: string | undefined;
  name: string | undefined;
  model: string | undefined;
  messages: readonly Fields[];
}

export function agentOf(value: unknown): Agent | undefined {
  const agent = fields(value);
  if (!agent || !Array.isArray(agent.messages)) return undefined;
  const config = fields(agent.llm_config);
  return {
    id: name(agent.id),
    name: name(agent.name),
    model: name(config?.handle) ?? name(config?.model),
    messages: list(agent.messages).map((message) => fields(message) ?? {}),
  };
}

/** Of a message of either form: texts stand in `text` or `content`, which is a text or a list of parts. */
export function textOf(message: Fields): string {
  const { content, text } = message;
  if (typeof content === "string") return content;
  const parts = list(content).flatMap((part) =>
    fields(part)?.type === "text" ? (string(fields(part)?.text) ?? []) : [],
  );
  return parts.length > 0 ? parts.join("\n") : (string(text) ?? "");
}

/** What the person said stands in JSON beside its time: `{"type":"user_message","message":"…","time":"…"}`. */
export function spoken(text: string): { words: string; isPerson: boolean } {
  const packed = fields(parsed(text));
  const words = string(packed?.message);
  if (words === undefined) return { words: text, isPerson: true };
  return { words, isPerson: packed?.type === "user_message" || packed?.type === undefined };
}

export function timeOf(message: Fields): string | undefined {
  return isoTime(message.created_at) ?? isoTime(message.date);
}
