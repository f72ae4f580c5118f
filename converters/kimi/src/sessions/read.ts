/** One session as events: the journal from its start to its end, then what was taken back, as branches. */
import {
  lineBatches,
  type OpenFile,
  type Origin,
  piecesOf,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
  startedOf,
} from "@asp-convert/core";
import { type Fields, fields, parsed } from "@asp-convert/core/values";
import { eventOf } from "./event.js";
import { withMedia } from "./media.js";
import { type Place, type Scan, scan } from "./scan.js";
import { Talk, type TalkContext, unknown } from "./talk.js";
import type { Stretch } from "./undo.js";

/** @throws SourceError; any other error is a bug. */
export async function* readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const file = await context.source.open(ref.path);
  try {
    const reader = new Reader(ref, file, context);
    for (const event of reader.talk()) yield await withMedia(event, ref, context);
    yield* companionEvents(ref, context);
    for (const event of reader.branches()) yield await withMedia(event, ref, context);
  } finally {
    file.close();
  }
}

interface Branch extends Stretch {
  /** Triples: line, offset, length. */
  places: number[];
}

class Reader {
  readonly #ref: SessionRef;
  readonly #file: OpenFile;
  readonly #context: ReadContext;
  readonly #scan: Scan;
  readonly #talk: TalkContext;
  readonly #branches: Branch[];
  /** What branches hang on: the last thing said up to these lines. */
  readonly #bases = new Map<number, string | undefined>();
  #last: Origin | undefined;
  #lastRecord: { offset: number; record: Fields } | undefined;

  constructor(ref: SessionRef, file: OpenFile, context: ReadContext) {
    this.#ref = ref;
    this.#file = file;
    this.#context = context;
    this.#scan = scan(file, context.signal);
    this.#branches = this.#scan.stretches.map((stretch) => ({ ...stretch, places: [] }));
    this.#talk = {
      ledger: context.ledger,
      record: (place) => this.#record(place),
      origin: (place) => this.#origin(place),
      late: this.#scan.late,
    };
  }

  *talk(): Generator<SessionEvent> {
    const { createdAt, timesInferred } = this.#ref;
    yield eventOf("session.started", startedOf(this.#ref), {
      origin: [],
      ...(createdAt !== undefined && { time: createdAt }),
      ...(timesInferred && { timeInferred: true }),
    });
    const talk = new Talk(this.#talk);
    const { signal, ledger } = this.#context;
    const bases = new Set(this.#branches.map(({ base }) => base));
    let before = 0;
    for (const batch of lineBatches(this.#file, { signal }))
      for (const line of batch) {
        if (bases.has(before)) yield* this.#based(before, talk);
        before = line.number;
        const away = this.#branches.find(({ from, to }) => before >= from && before <= to);
        for (const piece of piecesOf(line)) {
          const place = { offset: piece.offset, length: piece.length };
          const record = piece.ok ? fields(piece.value) : undefined;
          if (away && record) away.places.push(before, place.offset, place.length);
          else if (record) {
            this.#lastRecord = { offset: place.offset, record };
            yield* talk.take(record, place);
          } else
            yield piece.ok
              ? unknown("kimi.record", "side-records", "no-counterpart", { origin: [this.#origin(place)] })
              : unknown("raw", "raw", piece.why, { origin: [this.#origin(place)] });
          if (piece.ok && piece.invalidText)
            ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, this.#last?.record);
        }
      }
    yield* talk.settle();
    if (bases.has(before)) yield* this.#based(before, talk);
  }

  *#based(line: number, talk: Talk): Generator<SessionEvent> {
    yield* talk.settle();
    this.#bases.set(line, talk.lastId);
  }

  *branches(): Generator<SessionEvent> {
    for (const { from, to, base, places } of this.#branches) {
      const branch = `${from}-${to}`;
      const talk = new Talk(this.#talk);
      const lines = new Set(this.#branches.map((each) => each.base));
      const on = this.#bases.get(base);
      let isFirst = on !== undefined;
      const marked = function* (events: Iterable<SessionEvent>): Generator<SessionEvent> {
        for (const event of events) {
          event.branch = branch;
          if (isFirst && on !== undefined) event.branchFrom = on;
          isFirst = false;
          yield event;
        }
      };
      for (let i = 0; i < places.length; i += 3) {
        this.#context.signal?.throwIfAborted();
        const [line, offset, length] = places.slice(i, i + 3) as [number, number, number];
        yield* marked(talk.take(this.#record({ offset, length }), { offset, length }));
        if (lines.has(line)) yield* marked(this.#based(line, talk));
      }
      yield* marked(talk.settle());
    }
  }

  #record({ offset, length }: Place): Fields {
    if (this.#lastRecord?.offset === offset) return this.#lastRecord.record;
    const text = Buffer.from(this.#file.read(offset, length)).toString("utf8");
    return fields(parsed(text.replace(/^\uFEFF/, ""))) ?? {};
  }

  /** Records are told one after the other, each once. */
  #origin({ offset, length }: Place): Origin {
    if (this.#last?.offset === offset) return this.#last;
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
    yield eventOf(
      "unknown.observed",
      { nativeType: "kimi.file", axis: "side-records", reason: "no-counterpart", value: { path: relative } },
      { nativeId: relative, origin: [{ record, file, offset: 0, length }] },
    );
  }
}
