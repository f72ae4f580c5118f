/**
 * What can only be known of a journal by looking ahead, from one look over its bytes: which stretches of it were taken
 * back, which results stand away from their calls, and what a list shows. Bodies are parsed only where they must be.
 */
import { type Line, lineBatches, type OpenFile, piecesOf } from "@asp-convert/core";
import { type Fields, fields, isMoment, list, name, number, string } from "@asp-convert/core/values";
import { isUndone, type Stretch, stretchesOf, type Track } from "./undo.js";

export interface Place {
  offset: number;
  length: number;
}

export interface Spawned {
  call: string | undefined;
  title: string | undefined;
}

export interface Scan {
  /** ms since 1970: of the first and the last thing said. */
  first: number | undefined;
  last: number | undefined;
  /** Messages of person and agent, and those of them that were taken back. */
  said: number;
  /** The words of the first thing that a person said. */
  prompt: string | undefined;
  /** Which model answered last. */
  model: string | undefined;
  /** By the agent's name. */
  spawned: ReadonlyMap<string, Spawned>;
  stretches: Stretch[];
  /** Results that stand after what follows their call, by the call's id. */
  late: ReadonlyMap<string, Place>;
}

const HEAD = 64;
const TYPE = /^\{"type":"([a-z_.]+)"/;
const TIME = /"time":(\d{1,15})\}$/;
/** Records that say something of the course of the talk. */
const TOLD = new Set([
  "context.append_message",
  "context.append_loop_event",
  "context.apply_compaction",
  "context.clear",
  "context.undo",
  "agent.switched",
  "subagent.spawned",
  "llm.request",
]);
const INSIDE = ['{"type":"context.', '{"type":"agent.switched"', '{"type":"subagent.spawned"'].map((text) =>
  Buffer.from(text),
);

export function scan(file: OpenFile, signal?: AbortSignal): Scan {
  const look = new Look();
  for (const batch of lineBatches(file, { signal }))
    for (const line of batch) {
      if (look.passes(line)) continue;
      for (const piece of piecesOf(line)) {
        const record = piece.ok ? fields(piece.value) : undefined;
        if (record) look.record(record, line.number, { offset: piece.offset, length: piece.length });
      }
    }
  return look.end();
}

const WORDS = Buffer.from('"part":{"type":"text"');

function isWords(part: Fields | undefined): boolean {
  return part !== undefined && part.type !== "think" && string(part.text)?.trim() !== "";
}

class Look {
  #first: number | undefined;
  #last: number | undefined;
  #said: number[] = [];
  #prompt: string | undefined;
  #model: string | undefined;
  #isStepTold = true;
  readonly #spawned = new Map<string, Spawned>();
  readonly #track: Track = { anchors: [], undos: [], switches: [], end: 0 };
  /** Injections that belong to the prompt after them stand before it. */
  #owned: { prompt: string; line: number } | undefined;
  /** Calls of whole messages, and those that something else came after. */
  #open = new Set<string>();
  #passed: Set<string> | undefined;
  readonly #late = new Map<string, Place>();

  /** Is it a line just as the program writes it, of which only the time is to be known? */
  passes({ bytes, ended, number: at }: Line): boolean {
    if (!bytes || !ended || bytes.at(-1) !== 0x7d) return false;
    this.#track.end = at;
    const type = TYPE.exec(bytes.toString("latin1", 0, HEAD))?.[1];
    if (type === undefined || TOLD.has(type)) {
      if (type !== "context.append_loop_event" || !this.#isUsualLoop(bytes, at)) return false;
    } else if (bytes.includes(0) || INSIDE.some((inside) => bytes.includes(inside))) return false;
    return true;
  }

  /** Of steps only those count in which something was said. */
  #isUsualLoop(bytes: Buffer, at: number): boolean {
    const head = bytes.toString("latin1", 0, 160);
    const [, kind] =
      /^\{"type":"context\.append_loop_event","agentId":"[^"\\]*","event":\{"type":"([a-z.]+)"/.exec(head) ??
      [];
    if (kind === undefined || bytes.includes(0) || bytes.includes(INSIDE[0] as Buffer, 1)) return false;
    this.#loop(kind, at, timeAt(bytes), bytes.includes(WORDS));
    return true;
  }

  /** @param says of a part: it is words, no thought. */
  #loop(kind: string, at: number, time: number | undefined, says: boolean): void {
    if (!kind.startsWith("step.")) this.#time(time);
    if (kind === "step.begin") this.#isStepTold = false;
    else if (kind === "content.part" && says && !this.#isStepTold) {
      this.#isStepTold = true;
      this.#said.push(at);
    }
  }

  #time(time: number | undefined): void {
    if (!isMoment(time)) return;
    this.#first = Math.min(this.#first ?? time, time);
    this.#last = Math.max(this.#last ?? time, time);
  }

  record(record: Fields, at: number, place: Place): void {
    this.#track.end = Math.max(this.#track.end, at);
    switch (record.type) {
      case "context.append_message":
        this.#message(fields(record.message) ?? {}, record, at, place);
        return;
      case "context.append_loop_event":
        this.#loop(
          string(fields(record.event)?.type) ?? "",
          at,
          number(record.time),
          isWords(fields(fields(record.event)?.part)),
        );
        return;
      case "context.apply_compaction":
      case "context.clear":
        this.#track.anchors.push({ at, cut: undefined });
        return;
      case "context.undo":
        this.#track.undos.push({ at, count: number(record.count) ?? 0 });
        return;
      case "agent.switched": {
        const base = fields(record.base);
        const [branch, from, line] = [string(record.branch), string(base?.branch), number(base?.line)];
        if (branch === undefined || from === undefined || line === undefined) return;
        const undo = number(record.legacyUndoLine);
        this.#track.switches.push({ at, branch, from, line, ...(undo !== undefined && { undo }) });
        return;
      }
      case "subagent.spawned": {
        const agent = name(record.subagentId);
        if (agent === undefined || this.#spawned.has(agent)) return;
        this.#spawned.set(agent, { call: name(record.parentToolCallId), title: name(record.description) });
        return;
      }
      case "llm.request":
        this.#model = name(record.model) ?? this.#model;
    }
  }

  #message(message: Fields, record: Fields, at: number, place: Place): void {
    const origin = fields(message.origin);
    if (origin?.kind !== "injection") this.#time(number(record.time));
    if (message.role === "tool") this.#answer(message, place);
    else {
      if (this.#open.size > 0) {
        this.#passed ??= new Set();
        for (const id of this.#open) this.#passed.add(id);
        this.#open.clear();
      }
      for (const call of list(message.toolCalls)) {
        const id = string(fields(call)?.id);
        if (id !== undefined) this.#open.add(id);
      }
    }
    if (message.role === "assistant" && list(message.content).some((part) => isWords(fields(part))))
      this.#said.push(at);
    if (message.role !== "user") return;
    if (origin?.kind === "injection") {
      const owner = name(origin.ownerPromptId);
      if (owner !== undefined && this.#owned?.prompt !== owner) this.#owned = { prompt: owner, line: at };
      return;
    }
    if (isUndone(origin)) {
      const cut = this.#owned && this.#owned.prompt === name(message.id) ? this.#owned.line : at;
      this.#track.anchors.push({ at, cut });
    }
    this.#owned = undefined;
    const isTyped = origin === undefined || origin.kind === "user";
    if (isTyped && fields(record.asp)?.injected === undefined) {
      this.#said.push(at);
      this.#prompt ??= wordsOf(message.content);
    }
  }

  #answer(message: Fields, place: Place): void {
    const id = string(message.toolCallId);
    if (id === undefined || this.#open.delete(id)) return;
    if (this.#passed?.delete(id)) this.#late.set(id, place);
  }

  end(): Scan {
    const stretches = stretchesOf(this.#track);
    const said = this.#said.filter((at) => !stretches.some(({ from, to }) => at >= from && at <= to)).length;
    return {
      first: this.#first,
      last: this.#last,
      said,
      prompt: this.#prompt,
      model: this.#model,
      spawned: this.#spawned,
      stretches,
      late: this.#late,
    };
  }
}

function timeAt(bytes: Buffer): number | undefined {
  const [, time] = TIME.exec(bytes.toString("latin1", Math.max(0, bytes.length - 32))) ?? [];
  return time === undefined ? undefined : Number(time);
}

function wordsOf(content: unknown): string | undefined {
  const texts =
    typeof content === "string"
      ? [content]
      : list(content).flatMap((part) => string(fields(part)?.text) ?? []);
  const words = texts.join(" ").trim();
  return words === "" ? undefined : words;
}
