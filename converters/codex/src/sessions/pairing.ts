/**
 * Before a session is read: which results do not stand where a reader of one stream expects them. Nearly all do,
 * so that only the exceptions are remembered, whatever the file's size.
 */
import type { OpenFile } from "@asp-convert/core";
import { fields, string } from "@asp-convert/core/values";
import { type Found, type Glance, itemStart, recordsOn, textOf } from "./glance.js";
import { CALLS, OUTPUTS } from "./items.js";
import { linesOf, type Place, type Stretch } from "./places.js";

export interface Pairing {
  /** Are there response items at all? Without, what the screen showed is all there is. */
  items: boolean;
  /** Are there records of what the screen showed of the person's words? */
  screen: boolean;
  /** Are there reasoning items? */
  reasoning: boolean;
  /** Turns were taken back with `thread_rolled_back`. */
  rewinds: boolean;
  /** By `callKey`: outputs that stand after something else was said, or before their call. */
  results: Map<string, Place[]>;
  /** By call id: screen records of a call that stand after its output. */
  details: Map<string, Place>;
  /** `callKey`s that have no output anywhere. Codex sends `aborted` for them. */
  unanswered: Set<string>;
  /** Outputs that belong to no call, by `placeKey`. Codex drops them. */
  orphans: Set<number>;
  /** Records that are taken at another place than their own, by `placeKey`. */
  moved: Set<number>;
}

type Elsewhere = Pick<Pairing, "results" | "details" | "unanswered" | "orphans" | "moved">;

/** All stands where it is expected. */
export function nothingElsewhere(): Elsewhere {
  return {
    results: new Map(),
    details: new Map(),
    unanswered: new Set(),
    orphans: new Set(),
    moved: new Set(),
  };
}

export function callKey(callClass: string, id: string): string {
  return `${callClass} ${id}`;
}

/** One number for a place: files are few, offsets below 2^43. */
export function placeKey({ file, offset }: { file: number; offset: number }): number {
  return file * 2 ** 43 + offset;
}

interface Open {
  key: string;
  /** Something else was said since the call. */
  passed: boolean;
}

export function pairUp(
  files: readonly OpenFile[],
  stretches: readonly Stretch[],
  signal?: AbortSignal | undefined,
): Pairing {
  const pairs = pairer();
  for (const stretch of stretches) {
    for (const batch of linesOf(files, stretch, { signal })) {
      for (const line of batch) for (const found of recordsOn(line)) pairs.take(found, stretch.file);
    }
  }
  return pairs.done();
}

/** Takes the records of a session in their order, whoever goes through them. */
export interface Pairer {
  take(found: Found, file: number): void;
  done(): Pairing;
}

export function pairer(): Pairer {
  const pairing: Pairing = {
    items: false,
    screen: false,
    reasoning: false,
    rewinds: false,
    ...nothingElsewhere(),
  };
  const open: Open[] = [];
  const early = new Map<string, Place[]>();
  const answered = new Set<number>(); // hashes of call ids: a set of the ids themselves would grow too large
  let answering = false;

  const pass = () => {
    for (const call of open) call.passed = true;
  };

  const take = (line: Buffer, seen: Glance, place: Place) => {
    const item = seen.type === "response_item" || seen.type === "bare";
    if (item && seen.sub in CALLS) {
      pairing.items = true;
      if (answering) pass();
      answering = false;
      const id = idOf(line, seen, "call_id") ?? idOf(line, seen, "id");
      if (id === undefined) return;
      const key = callKey(CALLS[seen.sub] as string, id);
      const before = early.get(key);
      if (before) {
        early.delete(key);
        for (const each of before) pairing.moved.add(placeKey(each));
        add(pairing.results, key, ...before);
        answered.add(hash(key));
      } else open.push({ key, passed: false });
    } else if (item && seen.sub in OUTPUTS) {
      pairing.items = true;
      answering = true;
      const id = idOf(line, seen, "call_id");
      if (id === undefined) return;
      const key = callKey(OUTPUTS[seen.sub] as string, id);
      const at = open.findIndex((call) => call.key === key);
      const call = open[at];
      if (call) {
        open.splice(at, 1);
        answered.add(hash(key));
        if (!call.passed) return;
        pairing.moved.add(placeKey(place));
        add(pairing.results, key, place);
      } else if (!answered.has(hash(key))) {
        add(early, key, place);
      }
    } else if (item) {
      pairing.reasoning ||= seen.sub === "reasoning";
      pairing.items ||= seen.sub === "message" || seen.sub === "reasoning";
      if (
        seen.sub === "message" &&
        /"role":\s*"(?:user|developer)"/.test(seen.head ?? line.toString("latin1", 0, 600))
      )
        pass();
      else if (answering) pass();
      answering = false;
    } else if (seen.type === "compacted") {
      pass();
    } else if (seen.type === "event_msg") {
      if (seen.sub === "thread_rolled_back") pairing.rewinds = true;
      pairing.screen ||= seen.sub === "user_message" || isUserItem(line, seen);
      const id = detailId(line, seen);
      if (id === undefined || open.some(({ key }) => key.endsWith(` ${id}`))) return;
      const known = (callClass: string) => answered.has(hash(callKey(callClass, id)));
      if (!known("function") && !known("custom")) return;
      // Only one more record of a call is looked for; any further one stays where it is.
      if (pairing.details.has(id)) return;
      pairing.details.set(id, place);
    }
  };

  return {
    take: ({ seen, bytes, offset, length }, file) => take(bytes, seen, { file, offset, length }),
    done() {
      for (const { key } of open) if (!answered.has(hash(key))) pairing.unanswered.add(key);
      for (const places of early.values()) for (const place of places) pairing.orphans.add(placeKey(place));
      for (const place of pairing.details.values()) pairing.moved.add(placeKey(place));
      return pairing;
    },
  };
}

/** The call that a screen record shows; undefined for records of something else. */
function detailId(line: Buffer, seen: Glance): string | undefined {
  if (seen.sub === "item_completed") {
    const item = fields(fields(fields(seen.value)?.payload)?.item);
    if (item) return string(item.id);
    const at = itemStart(line);
    return at === -1 ? undefined : textOf(line, "id", at);
  }
  return /_end$|^view_image_tool_call$/.test(seen.sub) ? idOf(line, seen, "call_id") : undefined;
}

function isUserItem(line: Buffer, { sub, value }: Glance): boolean {
  if (sub !== "item_completed") return false;
  if (value !== undefined) return fields(fields(fields(value)?.payload)?.item)?.type === "UserMessage";
  const at = itemStart(line);
  return at !== -1 && line.toString("latin1", at, at + 28) === '"item":{"type":"UserMessage"';
}

function idOf(line: Buffer, { value }: Glance, key: string): string | undefined {
  if (value === undefined) return textOf(line, key);
  const record = fields(value) ?? {};
  return string((fields(record.payload) ?? record)[key]);
}

function add<K, V>(map: Map<K, V[]>, key: K, ...values: V[]): void {
  const known = map.get(key);
  if (known) known.push(...values);
  else map.set(key, [...values]);
}

/** 30 bits of FNV-1a: small enough to be held without a box. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return sum & 0x3fffffff;
}
