/**
 * One session as events: what was said until the list of messages was replaced, what it was replaced by, and what
 * followed; then what was taken back, as branches.
 */
import { isUtf8 } from "node:buffer";
import {
  LossLedger,
  type OpenFile,
  type Origin,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
  startedOf,
} from "@asp-convert/core";
import { type Fields, fields, list, parsed } from "@asp-convert/core/values";
import { isSent, partsIn, told } from "@asp-convert/gemini-family";
import { companionEvents } from "./companions.js";
import { ownOf } from "./own.js";
import {
  type Branch,
  isDocument,
  keyOf,
  messageOf,
  type Place,
  type Scan,
  type Slot,
  type Step,
  scan,
} from "./scan.js";
import { answerBlocks, Talk, type TalkContext } from "./talk.js";

/** @throws SourceError; any other error is a bug. */
export async function* readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const file = await context.source.open(ref.path);
  try {
    const reader = new Reader(ref, file, context);
    yield* reader.talk();
    yield* companionEvents(ref, context);
    yield* reader.branches();
  } finally {
    file.close();
  }
}

class Reader {
  readonly #ref: SessionRef;
  readonly #file: OpenFile;
  readonly #context: ReadContext;
  readonly #scan: Scan;
  readonly #isDocument: boolean;
  /** By the offset of their record: some records are told of more than once. */
  readonly #origins = new Map<number, Origin>();
  /** The last record that carries a list: its messages are asked for one by one. */
  #listed: { offset: number; messages: readonly unknown[] } | undefined;
  #last: Origin | undefined;
  readonly #garbled = new Set<number>();
  readonly #talk: TalkContext;

  constructor(ref: SessionRef, file: OpenFile, context: ReadContext) {
    this.#ref = ref;
    this.#file = file;
    this.#context = context;
    this.#scan = scan(file, context.signal);
    this.#isDocument = isDocument(file);
    this.#talk = {
      message: (slot) => ({ record: this.#holding(slot), origin: this.#placeOf(slot) }),
      ahead: (slot) => this.#holding(slot),
      place: (slot) => this.#placeOf(slot).map((origin) => this.#remembered(origin)),
      ledger: context.ledger,
      isWhole: /[/\\]checkpoint-[^/\\]*$/.test(ref.path),
    };
  }

  *talk(): Generator<SessionEvent> {
    const { heads, steps, sides, superseded, others } = this.#scan;
    const [head, ...again] = heads;
    const { createdAt } = this.#ref;
    yield told("session.started", startedOf(this.#ref), {
      origin: head ? [this.#origin(head)] : [],
      ...(createdAt !== undefined && { time: createdAt }),
      ...(this.#ref.timesInferred && { timeInferred: true }),
    });
    yield* this.#course(steps);
    for (const place of again) yield this.#left("gemini.head", "index-only", place);
    for (const place of pairs(superseded)) yield this.#left("gemini.message", "superseded", place);
    for (const place of pairs(sides)) yield this.#left("gemini.set", "index-only", place);
    for (const piece of others)
      yield piece.ok
        ? this.#left("gemini.record", "no-counterpart", piece)
        : told(
            "unknown.observed",
            { nativeType: "raw", axis: "raw", reason: piece.why },
            { origin: [this.#origin(piece)] },
          );
  }

  *branches(): Generator<SessionEvent> {
    for (const branch of this.#scan.branches) yield* this.#branch(branch);
  }

  *#course(steps: readonly Step[]): Generator<SessionEvent> {
    const slots = steps.flatMap((each) => (each.step === "message" ? [each.slot] : []));
    const talk = new Talk(slots, this.#talk);
    for (const each of steps) {
      this.#context.signal?.throwIfAborted();
      if (each.step === "message") {
        yield* this.#told(each.slot, talk);
        continue;
      }
      const origin = [this.#origin(each.place)];
      if (each.step === "titled") {
        yield told("session.bound", { title: each.title, titleBy: "agent" }, { origin });
        continue;
      }
      yield* talk.unanswered();
      if (each.step === "rewound") yield told("status.changed", { status: "rewound", turns: 0 }, { origin });
      else yield told("status.changed", { status: "compacted", context: this.#kept(each.list) }, { origin });
    }
    yield* talk.unanswered();
  }

  /** A message, and the version of it that does not hold. */
  *#told(slot: Slot, talk: Talk): Generator<SessionEvent> {
    yield* talk.message(slot);
    if (slot.again && this.#isOther(slot))
      yield told(
        "unknown.observed",
        { nativeType: "gemini.message", axis: "side-records", reason: "superseded" },
        { origin: [slot.at === -1 ? this.#once(slot) : this.#origin(slot)] },
      );
  }

  /** Told before, so counted before: what is noted here is noted to nobody. */
  #kept(slots: readonly Slot[]): SessionEvent[] {
    const talk = new Talk(slots, { ...this.#talk, ledger: new LossLedger("") });
    const events = slots.flatMap((slot) => [...talk.message(slot)]);
    return [...events, ...talk.unanswered()].filter(isSent);
  }

  *#branch({ slots, from }: Branch): Generator<SessionEvent> {
    const last = slots.at(-1);
    const [first] = slots;
    if (!first || !last) return;
    const talk = new Talk(slots, this.#talk);
    const named = ownOf(this.#holding(first))?.from;
    const isThere = this.#scan.steps.some((each) => each.step === "message" && keyOf(each.slot) === named);
    const departs = isThere ? named : from && keyOf(from);
    let isFirst = true;
    const events = function* (this: Reader) {
      for (const slot of slots) yield* this.#told(slot, talk);
      yield* talk.unanswered();
    };
    for (const event of events.call(this)) {
      event.branch = keyOf(last);
      if (isFirst && departs !== undefined) event.branchFrom = departs;
      isFirst = false;
      yield event;
    }
  }

  /**
   * What the program wrote of a message when it wrote down its list says less about it (no usage, no results), but it is
   * what holds, where the two do not say the same.
   */
  #holding(slot: Slot): Fields {
    const record = this.#version(slot);
    return slot.again && this.#isOther(slot) ? { ...record, ...this.#version(slot.again) } : record;
  }

  #placeOf(slot: Slot): readonly Origin[] {
    const version = slot.again && this.#isOther(slot) ? slot.again : slot;
    // Most messages are a record of their own and told once: of a list there is more to tell.
    return [version.at === -1 ? this.#once(version) : this.#origin(version)];
  }

  #isOther(slot: Slot): boolean {
    const say = (record: Fields) =>
      JSON.stringify(slot.type === "gemini" ? answerBlocks("", record) : partsIn(record.content));
    return slot.again !== undefined && say(this.#version(slot)) !== say(this.#version(slot.again));
  }

  #version({ offset, length, at }: Place & { at: number }): Fields {
    if (at !== -1 && this.#listed?.offset === offset) return fields(this.#listed.messages[at]) ?? {};
    const bytes = this.#file.read(offset, length);
    if (!isUtf8(bytes) && !this.#garbled.has(offset)) {
      this.#garbled.add(offset);
      const { record } = at === -1 ? this.#once({ offset, length }) : this.#origin({ offset, length });
      this.#context.ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, record);
    }
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    const value = fields(parsed(text.replace(/^\uFEFF/, ""))) ?? {};
    if (at === -1) return this.#isDocument ? (messageOf(value, 0) ?? {}) : value;
    this.#listed = { offset, messages: list(fields(value.$set)?.messages ?? value.messages) };
    return fields(this.#listed.messages[at]) ?? {};
  }

  #left(nativeType: string, reason: string, place: Place): SessionEvent {
    return told(
      "unknown.observed",
      { nativeType, axis: "side-records", reason },
      { origin: [this.#once(place)] },
    );
  }

  /** There may be many of these, told one after the other: only the last one's place is remembered. */
  #once({ offset, length }: Place): Origin {
    const known = this.#origins.get(offset) ?? (this.#last?.offset === offset ? this.#last : undefined);
    if (known) return known;
    this.#last = { record: this.#context.ledger.record(), file: 0, offset, length };
    return this.#last;
  }

  #remembered(origin: Origin): Origin {
    this.#origins.set(origin.offset, origin);
    return origin;
  }

  #origin({ offset, length }: Place): Origin {
    // The head of a document is all of it, and its first message may begin where it does.
    const key = this.#isDocument && length === this.#file.size ? -1 : offset;
    let origin = this.#origins.get(key);
    if (!origin) {
      origin = { record: this.#context.ledger.record(), file: 0, offset, length };
      this.#origins.set(key, origin);
    }
    return origin;
  }
}

function* pairs(places: readonly number[]): Generator<Place> {
  for (let i = 0; i < places.length; i += 2)
    yield { offset: places[i] as number, length: places[i + 1] as number };
}
