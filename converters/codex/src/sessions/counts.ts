/** What a list shows of a rollout, from one pass over its bytes: no body is parsed but the first prompt's. */
import type { OpenFile } from "@asp-convert/core";
import { fields, isoTime, list, name, number, parsed, string } from "@asp-convert/core/values";
import { type Glance, itemStart, recordsOn, textOf } from "./glance.js";
import { promptInside, speakerOfText, speakersOf } from "./injected.js";
import { OUTPUTS } from "./items.js";
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

/** @param children threads of subagents whose starting calls are looked for. */
export function count(
  files: readonly OpenFile[],
  stretches: readonly Stretch[],
  children: readonly string[] = [],
  signal?: AbortSignal,
): Counts {
  const counts: Counts = { messages: 0, starts: new Map() };
  const items = new Tally();
  const screen = new Tally();
  let shownPrompt: string | undefined;
  let saidPrompt: string | undefined;
  let tried = 0;
  let context: { bytes: Buffer } | undefined;

  for (const stretch of stretches) {
    for (const batch of linesOf(files, stretch, { signal })) {
      let last: Glance | undefined;
      for (const { seen, bytes } of batch.flatMap(recordsOn)) {
        if (seen.time !== undefined && isSaid(seen)) last = seen;
        if (counts.firstTime === undefined && seen.type !== "session_meta") {
          const first = isoTime(seen.time);
          if (first !== undefined) counts.firstTime = first;
        }
        if (counts.starts.size < children.length) findStarts(bytes, seen, children, counts.starts);
        switch (seen.type) {
          case "response_item":
          case "bare": {
            if (seen.sub !== "message") break;
            const role = /"role":\s*"(user|assistant)"/.exec(bytes.toString("latin1", 0, 600))?.[1];
            if (role === "assistant") items.said++;
            if (role !== "user" || injectedByBytes(bytes)) break;
            items.turn();
            if (saidPrompt === undefined && shownPrompt === undefined && tried++ < PROMPTS_TRIED)
              saidPrompt = promptIn(bytes);
            break;
          }
          case "event_msg":
            if (seen.sub === "user_message" || isItem(bytes, seen, "UserMessage")) {
              screen.turn();
              shownPrompt ??= shownIn(bytes);
            } else if (seen.sub === "agent_message" || isItem(bytes, seen, "AgentMessage")) screen.said++;
            else if (seen.sub === "thread_rolled_back") {
              const turns = number(fields(fields(parsed(bytes.toString("utf8")))?.payload)?.num_turns) ?? 0;
              if (turns > 0) {
                items.rewind(turns);
                screen.rewind(turns);
              }
            } else if (seen.sub === "thread_name_updated") {
              const title = textOf(bytes, "thread_name");
              if (title) counts.title = title;
            }
            break;
          case "turn_context":
            context = { bytes: Buffer.from(bytes) };
            break;
          default:
        }
      }
      counts.lastTime = isoTime(last?.time) ?? counts.lastTime ?? "";
    }
  }
  if (!counts.lastTime) delete counts.lastTime;
  counts.messages = Math.max(items.said, screen.said);
  const prompt = shownPrompt ?? saidPrompt;
  if (prompt !== undefined) counts.prompt = prompt;
  const payload = context && fields(fields(parsed(context.bytes.toString("utf8")))?.payload);
  const model = payload && string(settingsOf(payload).model);
  if (model !== undefined) counts.model = model;
  return counts;
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

function isItem(bytes: Buffer, { sub, value }: Glance, type: string): boolean {
  if (sub !== "item_completed") return false;
  if (value !== undefined) return fields(fields(fields(value)?.payload)?.item)?.type === type;
  return bytes.toString("latin1", 0, 400).includes(`"item":{"type":"${type}"`);
}

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
