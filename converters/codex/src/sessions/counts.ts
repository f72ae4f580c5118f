/** What a list shows of a rollout, from one pass over its bytes: no body is parsed but the first prompt's. */
import type { OpenFile } from "@asp-convert/core";
import { fields, isoTime, list, name, number, parsed, string } from "@asp-convert/core/values";
import { type Found, type Glance, itemStart, recordsOn, textOf } from "./glance.js";
import { promptInside, speakerOfText, speakersOf } from "./injected.js";
import { OUTPUTS } from "./items.js";
import type { Pairer } from "./pairing.js";
import { linesOf, type Stretch } from "./places.js";
import { settingsOf } from "./settings.js";
import { showOnly } from "./showonly.js";

export interface Counts {
  /** Messages of person and agent, those not counted that were taken back. */
  messages: number;
  /** The first thing the person said, as the screen showed it. */
  prompt?: string;
  firstTime?: string;
  lastTime?: string;
  model?: string;
  title?: string;
  /** Thread id of a subagent → the call that started it. */
  starts: Map<string, string>;
}

/** A stream of messages, counted by turns so that turns can be taken back. */
class Tally {
  said = 0;
  #turns: number[] = [];
  turn(): void {
    this.#turns.push(this.said++);
  }
  rewind(turns: number): void {
    const from = this.#turns.splice(-turns)[0];
    if (from !== undefined) this.said = from;
  }
}

/** How many of the person's messages are looked at for the first words. */
const PROMPTS_TRIED = 12;

/** A line as short as this is taken for one record without a look. */
const TRUST = 64 * 1024;

/**
 * @param children threads of subagents whose starting calls are looked for.
 * @param pairs is given all records as well.
 */
export function count(
  files: readonly OpenFile[],
  stretches: readonly Stretch[],
  children: readonly string[] = [],
  signal?: AbortSignal,
  pairs?: Pairer,
): Counts {
  const counter = new Counter(children);
  for (const stretch of stretches) {
    for (const batch of linesOf(files, stretch, { signal })) {
      for (const line of batch) {
        for (const found of recordsOn(line, pairs ? 0 : TRUST)) {
          counter.take(found);
          pairs?.take(found, stretch.file);
        }
      }
    }
  }
  return counter.sum();
}

class Counter {
  readonly #counts: Counts = { messages: 0, starts: new Map() };
  readonly #items = new Tally();
  readonly #screen = new Tally();
  readonly #children: readonly string[];
  #shownPrompt: string | undefined;
  #saidPrompt: string | undefined;
  #tried = 0;
  #first: string | undefined;
  #last: string | undefined;
  /** The last turn_context: its bytes, parsed at the end. */
  #context: Buffer | undefined;

  constructor(children: readonly string[]) {
    this.#children = children;
  }

  take({ seen, bytes }: Found): void {
    if (seen.time !== undefined && isSaid(seen)) this.#last = seen.time;
    if (this.#first === undefined && seen.type !== "session_meta") this.#first = isoTime(seen.time);
    if (this.#counts.starts.size < this.#children.length)
      findStarts(bytes, seen, this.#children, this.#counts.starts);
    if (seen.type === "response_item" || seen.type === "bare") this.#item(seen, bytes);
    else if (seen.type === "event_msg") this.#event(seen, bytes);
    else if (seen.type === "turn_context") this.#context = Buffer.from(bytes);
  }

  #item(seen: Glance, bytes: Buffer): void {
    if (seen.sub !== "message") return;
    const role = /"role":\s*"(user|assistant)"/.exec(seen.head ?? bytes.toString("latin1", 0, 600))?.[1];
    if (role === "assistant") this.#items.said++;
    if (role !== "user" || injectedByBytes(bytes)) return;
    this.#items.turn();
    if (this.#saidPrompt === undefined && this.#shownPrompt === undefined && this.#tried++ < PROMPTS_TRIED)
      this.#saidPrompt = promptIn(bytes);
  }

  #event(seen: Glance, bytes: Buffer): void {
    const kind = seen.sub === "item_completed" ? itemType(seen) : seen.sub;
    if (kind === "user_message" || kind === "UserMessage") {
      this.#screen.turn();
      this.#shownPrompt ??= shownIn(bytes);
    } else if (kind === "agent_message" || kind === "AgentMessage") this.#screen.said++;
    else if (kind === "thread_rolled_back") {
      const turns = number(fields(fields(parsed(bytes.toString("utf8")))?.payload)?.num_turns) ?? 0;
      if (turns <= 0) return;
      this.#items.rewind(turns);
      this.#screen.rewind(turns);
    } else if (kind === "thread_name_updated") {
      const title = textOf(bytes, "thread_name");
      if (title) this.#counts.title = title;
    }
  }

  sum(): Counts {
    const counts = this.#counts;
    const last = isoTime(this.#last);
    if (this.#first !== undefined) counts.firstTime = this.#first;
    if (last !== undefined) counts.lastTime = last;
    counts.messages = Math.max(this.#items.said, this.#screen.said);
    const prompt = this.#shownPrompt ?? this.#saidPrompt;
    if (prompt !== undefined) counts.prompt = prompt;
    const context = this.#context && fields(fields(parsed(this.#context.toString("utf8")))?.payload);
    const model = context && string(settingsOf(context).model);
    if (model !== undefined) counts.model = model;
    return counts;
  }
}

/** What a screen item is of. */
function itemType({ head, value }: Glance): string | undefined {
  if (value !== undefined) return string(fields(fields(fields(value)?.payload)?.item)?.type);
  return head && /"item":\{"type":"([A-Za-z]+)"/.exec(head)?.[1];
}

/** Something said, or a turn's beginning or end: what a session's time is taken from. */
function isSaid({ type, sub }: Glance): boolean {
  if (type !== "event_msg") return type === "response_item" || type === "bare" || type === "compacted";
  return SAID.has(sub);
}

const SAID = new Set([
  "user_message",
  "agent_message",
  "task_started",
  "turn_started",
  "task_complete",
  "turn_complete",
  "turn_aborted",
]);

/** The first record that names a subagent's thread and belongs to a call: the one that started it. */
function findStarts(
  bytes: Buffer,
  seen: Glance,
  children: readonly string[],
  starts: Map<string, string>,
): void {
  const item = seen.sub === "item_completed" ? itemStart(bytes) : -1;
  if (item === -1 && !(seen.sub in OUTPUTS)) return;
  for (const child of children) {
    if (starts.has(child) || bytes.indexOf(child, 0, "latin1") === -1) continue;
    const call = item === -1 ? textOf(bytes, "call_id") : textOf(bytes, "id", item);
    if (call !== undefined) starts.set(child, call);
  }
}

/** By our own mark, by the first part's kind, or by how its text begins; nothing is parsed whole. */
function injectedByBytes(bytes: Buffer): boolean {
  if (bytes.includes('"asp":{"injected"', 0, "latin1")) return true;
  const at = bytes.indexOf(KINDS, 0, "latin1");
  const kind = at === -1 ? undefined : bytes.toString("latin1", at + KINDS.length, at + KINDS.length + 64);
  if (kind?.startsWith("user.")) return false;
  const text = textOf(bytes.subarray(0, 4096), "text")?.slice(0, 64);
  const speaker = text === undefined ? "person" : speakerOfText(text);
  if (kind !== undefined && !kind.startsWith("unknown")) return true;
  return speaker !== "person" && speaker !== "wrapper";
}

const KINDS = '"content_item_kinds":["';

function promptIn(bytes: Buffer): string | undefined {
  const record = fields(parsed(bytes.toString("utf8")));
  const payload = fields(record?.payload) ?? record;
  if (!payload) return undefined;
  const speakers = speakersOf(payload);
  const texts = list(payload.content).flatMap((part, index) =>
    speakers[index] === "person" ? (name(fields(part)?.text) ?? []) : [],
  );
  const text = texts.join("\n");
  return name(promptInside(text) ?? text);
}

function shownIn(bytes: Buffer): string | undefined {
  const payload = fields(fields(parsed(bytes.toString("utf8")))?.payload);
  const text = string(payload?.message) ?? showOnly.text(fields(payload?.item)?.content);
  return name(text?.trim());
}
