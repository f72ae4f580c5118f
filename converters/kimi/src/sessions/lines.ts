/**
 * The journal of one agent as it is written: its lines, where in it things stand, and what the program counts as
 * messages. Branches hang at its end, each on the line that it departs from; the last line brings the talk back.
 */
import { digest } from "@asp-convert/core";

export type Body = Readonly<Record<string, unknown>>;

export class Lines {
  readonly #agent: string;
  #text = "";
  #count: number;
  /** ms since 1970: of the last record. */
  #time: number;
  /** By the head of a hash of the source's id: the line up to which it is said. */
  readonly #places = new Map<number, number>();
  /** Of the messages that the model is sent now: the heads of their hashes. */
  #sent: number[] = [];
  #main: { end: number; sent: number[] } | undefined;
  readonly #segments: { name: string; from: number }[] = [];
  /** Every record says that it belongs to the context that a compaction left. */
  inContext = false;

  /** @param before lines of a journal that it goes on with */
  constructor(agent: string, time: number, before = 0) {
    this.#agent = agent;
    this.#time = time;
    this.#count = before;
  }

  get size(): number {
    return this.#text.length;
  }

  get messages(): number {
    return this.#sent.length;
  }

  at(time: number): void {
    this.#time = time;
  }

  drain(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  line(record: Body): void {
    this.#text += `${JSON.stringify(record)}\n`;
    this.#count++;
  }

  record(type: string, body: Body, asp: Body = {}): void {
    const own = this.inContext ? { ...asp, context: true } : asp;
    const mark = Object.keys(own).length > 0 ? { asp: own } : {};
    this.line({ type, agentId: this.#agent, ...body, time: this.#time, ...mark });
  }

  /** The model is sent one message more. */
  sends(nativeId: string | undefined): void {
    this.#sent.push(nativeId === undefined ? NONE : keyOf(nativeId));
  }

  /** What was said, or would have been, stands up to here. */
  place(nativeIds: readonly string[]): void {
    for (const nativeId of nativeIds) this.#places.set(keyOf(nativeId), this.#count);
  }

  /** Are these the last messages that the model was sent? */
  endsWith(nativeIds: readonly (string | undefined)[]): boolean {
    const from = this.#sent.length - nativeIds.length;
    return from >= 0 && nativeIds.every((id, i) => id !== undefined && this.#sent[from + i] === keyOf(id));
  }

  /** From here on the model is sent a summary, if there is one, and the last messages. */
  forget(kept: number, summary: boolean): void {
    this.#sent = [...(summary ? [NONE] : []), ...(kept === 0 ? [] : this.#sent.slice(-kept))];
  }

  branch(from: string | undefined): void {
    this.#main ??= { end: this.#count, sent: this.#sent };
    const line = (from === undefined ? undefined : this.#places.get(keyOf(from))) ?? 1;
    const base = this.#segments.findLast((segment) => segment.from <= line)?.name ?? "main";
    this.#switch(`asp-${this.#segments.length + 1}`, base, line);
    this.#sent = [];
  }

  /** The talk is what it was before the branches. */
  end(): void {
    if (!this.#main) return;
    this.#switch("asp-end", "main", this.#main.end);
    this.#sent = this.#main.sent;
  }

  #switch(branch: string, base: string, line: number): void {
    this.record("agent.switched", { branch, reason: "asp", base: { branch: base, line }, turns: 0 });
    this.#segments.push({ name: branch, from: this.#count + 1 });
  }
}

const NONE = -1;

/** Of all ids that were met one must be found again, and there may be a million: a number is little to keep. */
function keyOf(nativeId: string): number {
  return Number.parseInt(digest(nativeId).slice(0, 12), 16);
}
