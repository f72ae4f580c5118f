/** Whether a conversation is where it was brought: each text that was sent is looked for in what the agent replays. */
import { type Fields, fields, list } from "@asp-convert/core/values";

export interface Proof {
  sessionId: string;
  /** How it was looked at; absent: it could not be, and `problem` says why. */
  by?: "load" | "resume";
  /** Texts of person and agent that were sent, and those of them that were found. */
  sent: number;
  found: number;
  /** The beginning of the first one that was not. */
  missing?: string;
  problem?: string;
}

/** So much of a text must be there: an agent may cut a long one, none changes its beginning. */
const ENOUGH = 160;

/** What is looked for, by session: nothing of the conversation itself is kept. */
export class Said {
  readonly #texts = new Map<string, string[]>();

  add(sessionId: string, updates: readonly unknown[]): void {
    const texts = this.#texts.get(sessionId) ?? [];
    for (const update of updates) {
      const text = spoken(fields(update) ?? {});
      if (text !== undefined) texts.push(text);
    }
    this.#texts.set(sessionId, texts);
  }

  of(sessionId: string): readonly string[] {
    return this.#texts.get(sessionId) ?? [];
  }
}

export function compared(
  texts: readonly string[],
  replayed: readonly Fields[],
): Pick<Proof, "sent" | "found" | "missing"> {
  const heard = replayed.map((update) => plain(textOf(update) ?? "")).join("");
  const missing = texts.filter((text) => !heard.includes(text));
  return {
    sent: texts.length,
    found: texts.length - missing.length,
    ...(missing[0] !== undefined && { missing: missing[0] }),
  };
}

/** What person and agent said to each other: not what only the model is told. */
function spoken(update: Fields): string | undefined {
  const audience = list(fields(fields(update.content)?.annotations)?.audience);
  if (audience.length > 0 && !audience.includes("user")) return undefined;
  const text = plain(textOf(update) ?? "").slice(0, ENOUGH);
  return text === "" ? undefined : text;
}

function textOf({ sessionUpdate, content }: Fields): string | undefined {
  if (sessionUpdate !== "user_message_chunk" && sessionUpdate !== "agent_message_chunk") return undefined;
  const { type, text } = fields(content) ?? {};
  return type === "text" && typeof text === "string" ? text : undefined;
}

/** Agents put line breaks where they like. */
function plain(text: string): string {
  return text.replace(/\s+/g, "");
}
