/** One session as events: the way to the last record, then what was left, as branches. */
import { isUtf8 } from "node:buffer";
import {
  type OpenFile,
  type Origin,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
  startedOf,
} from "@asp-convert/core";
import type { Fields } from "@asp-convert/core/values";
import { told } from "@asp-convert/gemini-family";
import {
  asideOf,
  type Entry,
  type Place,
  pathOfTalk,
  recordIn,
  type Scan,
  scan,
  versionsOf,
} from "./scan.js";
import { Talk, type TalkContext } from "./talk.js";

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
  readonly #talk: TalkContext;
  #branches: Entry[][] = [];
  /** The last record, and those whose results were told before their place. */
  #last: Origin | undefined;
  readonly #early = new Map<number, Origin>();
  readonly #garbled = new Set<number>();

  constructor(ref: SessionRef, file: OpenFile, context: ReadContext) {
    this.#ref = ref;
    this.#file = file;
    this.#context = context;
    this.#scan = scan(file, context.signal);
    this.#talk = {
      record: (entry) => this.#parsed(entry),
      origins: (entry) => [this.#origin(entry)],
      ledger: context.ledger,
    };
  }

  *talk(): Generator<SessionEvent> {
    const { createdAt, timesInferred } = this.#ref;
    yield told("session.started", startedOf(this.#ref), {
      origin: [],
      ...(createdAt !== undefined && { time: createdAt }),
      ...(timesInferred && { timeInferred: true }),
    });
    const { path, bridged } = pathOfTalk(this.#scan);
    for (const _ of bridged)
      this.#context.ledger.note({ axis: "messages", level: "partial", reason: "dangling-parent" });
    yield* this.#course(path);
    const { branches, apart } = asideOf(this.#scan, path);
    this.#branches = branches;
    const talk = new Talk([], this.#talk);
    for (const entry of apart) for (const version of versionsOf(entry)) yield* talk.entry(version);
    for (const piece of this.#scan.others)
      yield told(
        "unknown.observed",
        piece.ok
          ? { nativeType: "qwen.record", axis: "side-records", reason: "no-counterpart" }
          : { nativeType: "raw", axis: "raw", reason: piece.why },
        { origin: [this.#origin(piece)] },
      );
  }

  *branches(): Generator<SessionEvent> {
    for (const branch of this.#branches) {
      const leaf = branch.at(-1);
      const from = branch[0]?.parent;
      if (!leaf) continue;
      let isFirst = true;
      for (const event of this.#course(branch)) {
        event.branch = leaf.id;
        if (isFirst && from !== undefined && this.#scan.byId.has(from)) event.branchFrom = from;
        isFirst = false;
        yield event;
      }
    }
  }

  *#course(path: readonly Entry[]): Generator<SessionEvent> {
    const talk = new Talk(path, this.#talk);
    for (const entry of path) {
      this.#context.signal?.throwIfAborted();
      // What stands between a call and its result says nothing; a change of the context ends what was open.
      if (entry.subtype === "chat_compression") yield* talk.unanswered();
      for (const version of versionsOf(entry)) yield* talk.entry(version);
    }
    yield* talk.unanswered();
  }

  #parsed(place: Place): Fields {
    const bytes = this.#file.read(place.offset, place.length);
    if (!isUtf8(bytes) && !this.#garbled.has(place.offset)) {
      this.#garbled.add(place.offset);
      const { record } = this.#origin(place);
      this.#context.ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, record);
      this.#early.set(place.offset, this.#origin(place));
    }
    return recordIn(bytes);
  }

  /** Records are told one after the other, so only the last is remembered. */
  #origin({ offset, length }: Place): Origin {
    const known = this.#early.get(offset) ?? (this.#last?.offset === offset ? this.#last : undefined);
    if (known) return known;
    this.#last = { record: this.#context.ledger.record(), file: 0, offset, length };
    return this.#last;
  }
}

async function* companionEvents(
  { files }: SessionRef,
  { source, ledger }: ReadContext,
): AsyncGenerator<SessionEvent> {
  for (const [file, { path, relative, role }] of files.entries()) {
    if (role !== "companion") continue;
    const record = ledger.record();
    const length = (await source.stat(path))?.size ?? 0;
    yield told(
      "unknown.observed",
      { nativeType: "qwen.file", axis: "side-records", reason: "no-counterpart", value: { path: relative } },
      { nativeId: relative, origin: [{ record, file, offset: 0, length }] },
    );
  }
}
