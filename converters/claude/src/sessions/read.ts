/** A transcript as events: index it, find the order, then read it once and let `Talk` make the events. */
import type { Origin, ReadContext, SessionEvent, SessionRef } from "@asp-convert/core";
import { event, startedOf } from "@asp-convert/core";
import { type Branch, type Chain, type Cut, chainOf, type Preserved } from "./chain.js";
import { companionEvents } from "./companions.js";
import { inlineRoot } from "./inline.js";
import { flag, isTalk, kinds } from "./kinds.js";
import { recall } from "./known.js";
import { hasSystemTurns, ownTools } from "./models.js";
import type { Now } from "./now.js";
import { Tasks } from "./plan.js";
import { indexRecords, NO_GROUP, type Records } from "./records.js";
import { answered } from "./results.js";
import { sideEvent } from "./side.js";
import { isoTime, Talk, type TalkContext } from "./talk.js";
import { Transcript } from "./transcript.js";
import { type Json, list, object, text } from "./value.js";

export async function* readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const file = await context.source.open(ref.path);
  try {
    const known = recall(ref, file);
    const records = known?.records ?? indexRecords(file, { signal: context.signal });
    const reading = new Reading(ref, context, new Transcript(file, records), known?.chain);
    // `yield*` from a plain generator costs three promises for each event.
    for (const each of reading.active()) yield each;
    if (reading.withFiles) for await (const each of companionEvents(ref, context)) yield each;
    for (const each of reading.left()) yield each;
  } finally {
    file.close();
  }
}

class Reading {
  readonly #ref: SessionRef;
  readonly #context: ReadContext;
  readonly #transcript: Transcript;
  /** Found out before, when the session was listed. */
  readonly #chain: Chain | undefined;
  readonly #records: Records;
  readonly #now: Now;
  readonly #tasks = new Tasks();
  readonly #tools: Set<string>;
  readonly #systemTurns: boolean;
  readonly #own: Uint8Array;
  /** Records that a branch departs from → the event made of them. */
  readonly #forks = new Map<number, string | undefined>();
  #sideDone = 0;
  #branches: readonly Branch[] = [];
  /** The files beside the transcript are this session's. */
  withFiles = true;

  constructor(ref: SessionRef, context: ReadContext, transcript: Transcript, chain: Chain | undefined) {
    this.#chain = chain;
    this.#ref = ref;
    this.#context = context;
    this.#transcript = transcript;
    this.#records = transcript.records;
    this.#now = { cwd: ref.cwd };
    this.#systemTurns = hasSystemTurns(this.#records.facts.model);
    this.#tools = new Set(ownTools(this.#records.facts.model));
    this.#own = new Uint8Array(this.#records.count);
  }

  /** The active line with all that stands beside it. */
  *active(): Generator<SessionEvent> {
    const { ledger, signal } = this.#context;
    const records = this.#records;
    const inline = inlineRoot(this.#ref);
    const root = inline === undefined ? undefined : records.byUuid.get(inline);
    const whole =
      this.#chain ??
      chainOf(records, {
        preserved: (boundary) => this.#preserved(boundary),
        sidechain: this.#ref.parent !== undefined && root === undefined,
      });
    const tree = root === undefined ? undefined : (whole.sidechains.get(root) ?? []);
    const chain =
      tree === undefined ? whole : chainOf(records, { preserved: () => undefined, leaf: tree.at(-1) ?? -1 });
    for (let i = 0; i < records.count; i++) ledger.record();
    yield this.#started();
    for (const record of chain.rejoined)
      if (!tree || tree.includes(record)) this.#note("messages", "partial", "dangling-parent", record);
    // What is not of an inline subagent's own tree is its parent's, and stays beside.
    this.withFiles = !tree;
    this.#branches = tree
      ? chain.branches.filter(({ records: [first] }) => tree.includes(first as number))
      : chain.branches;
    for (const segment of chain.segments) {
      for (const i of segment.records) this.#own[i] = 1;
      for (const i of segment.cut?.context ?? []) this.#own[i] = 1;
      if (segment.cut) this.#own[segment.cut.boundary] = 1;
    }
    for (const branch of this.#branches) {
      for (const i of branch.records) this.#own[i] = 1;
      this.#forks.set(this.#saidAt(branch.from), undefined);
    }

    for (const [n, { cut, records: sequence }] of chain.segments.entries()) {
      if (cut) yield this.#compacted(cut, chain.segments);
      yield* this.#sequence(sequence, n === chain.segments.length - 1, signal);
    }
    yield* this.#sides(records.count);
  }

  /** Then the branches that the person left. */
  *left(): Generator<SessionEvent> {
    for (const branch of this.#branches) yield* this.#branch(branch);
  }

  // --- pieces --------------------------------------------------------------------------------------------------

  #started(): SessionEvent {
    const { id, createdAt } = this.#ref;
    const started = event("session.started", startedOf(this.#ref), { nativeId: id, origin: [] });
    if (createdAt !== undefined) started.time = createdAt;
    return started;
  }

  *#sequence(
    sequence: readonly number[],
    last: boolean,
    signal: AbortSignal | undefined,
  ): Generator<SessionEvent> {
    const talk = new Talk(this.#talkContext(sequence, last), this.#now, this.#tools);
    for (const i of sequence) {
      signal?.throwIfAborted();
      yield* this.#sides(i);
      const native = this.#transcript.get(i);
      if (!native) yield this.#broken(i);
      else {
        this.#checkText(i);
        yield* talk.take(i, native);
      }
    }
    yield* talk.end();
  }

  #talkContext(sequence: readonly number[], last: boolean): TalkContext {
    const records = this.#records;
    const groupOf = (i: number): number =>
      records.group[i] === NO_GROUP ? -2 - i : (records.group[i] as number);
    const remaining = new Map<number, number>();
    for (const i of sequence) {
      if (records.kind[i] === kinds.assistant)
        remaining.set(groupOf(i), (remaining.get(groupOf(i)) ?? 0) + 1);
    }
    // Most messages have one record and need no count.
    for (const [group, count] of remaining) if (count === 1) remaining.delete(group);
    return {
      origin: (i) => this.#origin(i),
      ledger: this.#context.ledger,
      remaining,
      groupOf,
      systemTurns: this.#systemTurns,
      hasResult: answered(this.#transcript, sequence),
      unfinishedFrom: last ? unfinishedFrom(records, sequence) : undefined,
      tasks: this.#tasks,
      made: (made) => this.#watch(made),
    };
  }

  /** The compaction with what the model was given in place of the rest. */
  #compacted(cut: Cut, segments: readonly { records: readonly number[] }[]): SessionEvent {
    const { boundary } = cut;
    const talk = new Talk(
      { ...this.#talkContext(cut.context, false), made: undefined },
      { ...this.#now },
      this.#tools,
    );
    const context: SessionEvent[] = [];
    for (const i of cut.context) {
      const native = this.#transcript.peek(i);
      if (native) context.push(...talk.take(i, native));
    }
    context.push(...talk.end());
    const elsewhere = new Set<number>();
    for (const { records } of segments) for (const i of records) elsewhere.add(i);
    const origin = [boundary, ...cut.context.filter((i) => !elsewhere.has(i))].map((i) => this.#origin(i));
    const native = this.#transcript.peek(boundary);
    const trigger = object(native?.compactMetadata)?.trigger;
    const made = event(
      "status.changed",
      {
        status: "compacted",
        context,
        ...((trigger === "manual" || trigger === "auto") && { trigger }),
      },
      { origin },
    );
    const id = text(native?.uuid);
    const time = isoTime(text(native?.timestamp));
    if (id !== undefined) made.nativeId = id;
    if (time !== undefined) made.time = time;
    return made;
  }

  *#branch({ from, records: sequence }: Branch): Generator<SessionEvent> {
    const last = this.#transcript.peek(sequence.at(-1) as number);
    const context: TalkContext = {
      ...this.#talkContext(sequence, false),
      branch: text(last?.uuid) ?? String(sequence.at(-1)),
      branchFrom: this.#forks.get(this.#saidAt(from)),
    };
    const talk = new Talk(context, { ...this.#now }, this.#tools);
    for (const i of sequence) {
      const native = this.#transcript.get(i);
      if (!native) yield this.#broken(i);
      else yield* talk.take(i, native);
    }
    yield* talk.end();
  }

  /** Everything that is no part of the talk and stands before record `before` in the file. */
  *#sides(before: number): Generator<SessionEvent> {
    for (; this.#sideDone < before; this.#sideDone++) {
      const i = this.#sideDone;
      if (this.#own[i]) continue;
      this.#checkText(i);
      yield sideEvent(this.#transcript, i, this.#origin(i), this.#now);
    }
  }

  #broken(i: number): SessionEvent {
    return event(
      "unknown.observed",
      { nativeType: "claude.raw", axis: "raw", reason: "unparsable" },
      { origin: [this.#origin(i)] },
    );
  }

  // --- small things ----------------------------------------------------------------------------------------------

  #preserved(boundary: number): Preserved | undefined {
    return preservedAt(this.#transcript, boundary);
  }

  #origin(i: number): Origin {
    const records = this.#records;
    return { record: i, file: 0, offset: records.offset[i] as number, length: records.length[i] as number };
  }

  /** The record itself or the next one above it that says something. */
  #saidAt(record: number): number {
    const { kind, parent, count } = this.#records;
    let at = record;
    for (let steps = 0; at >= 0 && !isTalk(kind[at] as number) && steps < count; steps++)
      at = parent[at] as number;
    return at;
  }

  #watch(made: SessionEvent): void {
    if (this.#forks.size === 0 || made.nativeId === undefined) return;
    if (made.type !== "message.completed" && made.type !== "tool.completed") return;
    for (const { record } of made.origin) if (this.#forks.has(record)) this.#forks.set(record, made.nativeId);
  }

  #checkText(i: number): void {
    if ((this.#records.flags[i] as number) & flag.invalidText)
      this.#note("raw", "partial", "invalid-text", i);
  }

  #note(
    axis: "messages" | "raw",
    level: "partial",
    reason: "dangling-parent" | "invalid-text",
    record: number | undefined,
  ): void {
    this.#context.ledger.note({ axis, level, reason }, record);
  }
}

/**
 * Where the last turn begins if it was cut off: its last record is a call, or a result that nobody answered to.
 * The program then keeps the turn's calls that have no result.
 */
function unfinishedFrom(records: Records, sequence: readonly number[]): number | undefined {
  let n = sequence.length - 1;
  while (n >= 0 && !isTalk(records.kind[sequence[n] as number] as number)) n--;
  if (n < 0) return undefined;
  const end = sequence[n] as number;
  const flags = records.flags[end] as number;
  const cutOff =
    records.kind[end] === kinds.assistant
      ? (flags & flag.call) !== 0 && !(flags & flag.apiError)
      : (flags & flag.result) !== 0;
  if (!cutOff) return undefined;
  for (; n >= 0; n--) {
    const i = sequence[n] as number;
    if (records.kind[i] === kinds.user && !((records.flags[i] as number) & flag.result)) return i;
  }
  return 0;
}

/** What a boundary says was kept word for word. */
export function preservedAt(transcript: Transcript, boundary: number): Preserved | undefined {
  return preservedOf(transcript.peek(boundary));
}

function preservedOf(boundary: Json | undefined): Preserved | undefined {
  const metadata = object(boundary?.compactMetadata);
  const messages = object(metadata?.preservedMessages);
  const segment = object(metadata?.preservedSegment);
  const anchor = text(messages?.anchorUuid) ?? text(segment?.anchorUuid);
  if (anchor === undefined) return undefined;
  const uuids = list(messages?.uuids)?.filter((uuid) => typeof uuid === "string");
  const head = text(segment?.headUuid);
  const tail = text(segment?.tailUuid);
  return {
    anchor,
    ...(uuids && { uuids }),
    ...(head !== undefined && { head }),
    ...(tail !== undefined && { tail }),
  };
}
