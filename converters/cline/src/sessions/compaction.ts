/**
 * What the program sends instead of a session's first messages, once it compacted them: a file beside the session.
 * It holds only as long as these messages are just what they were then.
 */
import { createHash, type Hash } from "node:crypto";
import { type Fields, fields, list, name } from "@asp-convert/core/values";
import { isDisplayOnly, shownText } from "./wire.js";

export interface Compaction {
  /** So many messages it stands for. */
  count: number;
  messages: readonly Fields[];
  hash: string | undefined;
  /** Names the last of them, for want of a hash. */
  key: string | undefined;
}

/** undefined: the program would not take it. */
export function compactionOf(state: Fields): Compaction | undefined {
  const { version, source_message_count: count } = state;
  const messages = list(state.messages).flatMap((message): Fields[] => {
    const own = fields(message);
    return own ? [own] : [];
  });
  if (version !== 1 || typeof count !== "number" || !Number.isInteger(count) || count < 0) return undefined;
  if (!Array.isArray(state.messages) || messages.length < state.messages.length) return undefined;
  return { count, messages, hash: name(state.source_prefix_hash), key: name(state.source_last_message_key) };
}

/** The messages that are sent, as they come: where those end that the compaction stands for, and whether they are the same. */
export class Prefix {
  readonly #compaction: Compaction;
  readonly #sum: Hash;
  #seen = 0;
  #last: Fields | undefined;

  constructor(compaction: Compaction) {
    this.#compaction = compaction;
    this.#sum = createHash("sha256").update(`cline-session-compaction-source-v2\n${compaction.count}\n`);
  }

  /** @returns true for the last of them. */
  take(message: Fields): boolean {
    if (isDisplayOnly(message) || this.#seen >= this.#compaction.count) return false;
    this.#seen++;
    this.#last = message;
    if (this.#compaction.hash !== undefined) this.#sum.update(`${JSON.stringify(partsOf(message))}\n`);
    return this.#seen === this.#compaction.count;
  }

  /** Asked once, at the end of them. */
  holds(): boolean {
    const { count, hash, key } = this.#compaction;
    if (this.#seen < count) return false;
    if (hash !== undefined) return `sha256:${this.#sum.digest("hex")}` === hash;
    return this.#last !== undefined && key !== undefined && keyOf(this.#last) === key;
  }
}

/** In the order that the program hashes them in. */
function partsOf(message: Fields): unknown[] {
  const { role, agent, sessionId, metadata, modelInfo, metrics } = message;
  const beside = { agent, sessionId, metadata, modelInfo, metrics };
  return [
    ["role", role],
    ["content", shownContent(message)],
    ...Object.entries(beside).map(([key, value]) => [key, value ?? null]),
  ];
}

function shownContent({ role, content }: Fields): unknown {
  if (role !== "user") return content;
  if (typeof content === "string") return shownText(content);
  return list(content).map((block) => {
    const own = fields(block);
    return own?.type === "text" && typeof own.text === "string"
      ? { ...own, text: shownText(own.text) }
      : block;
  });
}

export function keyOf(message: Fields): string {
  const { id, ts, role } = message;
  if (typeof id === "string" && id.trim() !== "") return `id:${id.trim()}`;
  if (typeof ts === "number" && Number.isFinite(ts)) return `ts:${String(role)}:${ts}`;
  return `content:${String(role)}:${JSON.stringify(shownContent(message))}`;
}
