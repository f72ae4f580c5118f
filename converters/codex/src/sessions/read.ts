/** One session as events: its ancestors' part first, then its own; what was taken back comes last, as branches. */
import type {
  Line,
  OpenFile,
  Origin,
  Piece,
  ReadContext,
  SessionEvent,
  SessionRef,
  SettingValues,
} from "@asp-convert/core";
import { openZstd, piecesOf, startedOf } from "@asp-convert/core";
import { parsed } from "@asp-convert/core/values";
import { recall } from "./known.js";
import { pairUp, placeKey } from "./pairing.js";
import { bytesAt, linesOf, type Place, type Stretch, without } from "./places.js";
import { rewoundStretches } from "./rewinds.js";
import { type Branch, nativeId, Sink } from "./sink.js";
import { type Course, courseOf, type Header } from "./stretches.js";
import { Talk } from "./talk.js";

/** @throws SourceError; any other error is a bug. */
export async function* readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const files: OpenFile[] = [];
  try {
    for (const { path, encoding } of ref.files) {
      const file = await context.source.open(path);
      files.push(encoding === "zstd" ? await openZstd(file) : file);
    }
    // `yield*` from a plain generator would cost three promises for each event.
    for (const event of new Reader(ref, files, context).read()) yield event;
  } finally {
    for (const file of files) file.close();
  }
}

class Reader {
  readonly #ref: SessionRef;
  readonly #files: readonly OpenFile[];
  readonly #context: ReadContext;
  readonly #course: Course;
  #settings: SettingValues = {};

  constructor(ref: SessionRef, files: readonly OpenFile[], context: ReadContext) {
    this.#ref = ref;
    this.#files = files;
    this.#context = context;
    this.#course = courseOf(ref.files, files);
  }

  *read(): Generator<SessionEvent> {
    const { main, taken, superseded, missing, headers } = this.#course;
    const { ledger, signal } = this.#context;
    const header = headers[0];
    const sink = new Sink();
    this.#start(sink, header);
    yield* sink.drain();
    if (missing !== undefined) {
      ledger.note({ axis: "lineage", level: "not-in-source", reason: "missing-parent" });
    }

    let stretches = main;
    let pairing = recall(this.#ref, this.#files) ?? pairUp(this.#files, stretches, signal);
    const branches = taken.map((stretch) => [stretch]);
    if (pairing.rewinds) {
      const gaps = rewoundStretches(this.#files, stretches, signal);
      for (const gap of gaps) branches.push([gap]);
      stretches = without(stretches, gaps);
      pairing = pairUp(this.#files, stretches, signal);
    }
    if (header) pairing.moved.add(placeKey(header.place));

    const departures = new Map<Stretch, string | undefined>();
    yield* this.#tell(sink, stretches, pairing, header?.bare ?? false, ({ file, offset }, talk) => {
      for (const [stretch] of branches) {
        if (!stretch || stretch.file !== file || stretch.from > offset || departures.has(stretch)) continue;
        talk.boundary();
        departures.set(stretch, sink.last);
      }
    });
    for (const branch of branches) yield* this.#branch(branch, departures, sink.last);
    for (const stretch of superseded) yield* this.#superseded(stretch);
  }

  #start(sink: Sink, header: Header | undefined): void {
    const { createdAt } = this.#ref;
    const origin = header ? [this.#record(header.place)] : [];
    sink.emit("session.started", startedOf(this.#ref), origin, createdAt);
  }

  *#tell(
    sink: Sink,
    stretches: readonly Stretch[],
    pairing: ReturnType<typeof pairUp>,
    lenient: boolean,
    passing: (at: Place, talk: Talk) => void,
  ): Generator<SessionEvent> {
    const fetch = (place: Place) => ({
      value: parsed(bytesAt(this.#files, place).toString("utf8")),
      origin: this.#record(place),
    });
    const talk = new Talk(sink, {
      pairing,
      fetch,
      lenient,
      settings: this.#settings,
      ledger: this.#context.ledger,
    });
    for (const stretch of stretches) {
      for (const batch of linesOf(this.#files, stretch, { signal: this.#context.signal })) {
        for (const line of batch) {
          const place = { file: stretch.file, offset: line.offset, length: line.length };
          passing(place, talk);
          this.#line(talk, sink, line, stretch.file, pairing.moved);
        }
        yield* sink.drain();
      }
      passing({ file: stretch.file, offset: stretch.to, length: 0 }, talk);
    }
    talk.end();
    yield* sink.drain();
  }

  #line(talk: Talk, sink: Sink, line: Line, file: number, moved: ReadonlySet<number>): void {
    for (const piece of piecesOf(line)) {
      if (moved.size > 0 && moved.has(placeKey({ file, offset: piece.offset }))) continue;
      const origin = this.#record({ file, offset: piece.offset, length: piece.length });
      if (!piece.ok) raw(sink, piece, origin);
      else {
        if (piece.invalidText) {
          this.#context.ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, origin.record);
        }
        talk.take(piece.value, origin);
      }
    }
  }

  *#branch(
    branch: readonly Stretch[],
    departures: ReadonlyMap<Stretch, string | undefined>,
    last: string | undefined,
  ): Generator<SessionEvent> {
    const end = branch.at(-1);
    const start = branch[0];
    if (!end || !start) return;
    const from = departures.has(start) ? departures.get(start) : last;
    const of: Branch = {
      id: nativeId({ record: 0, file: end.file, offset: lastLine(this.#files, end), length: 0 }),
      ...(from !== undefined && { from }),
    };
    const pairing = pairUp(this.#files, branch, this.#context.signal);
    yield* this.#tell(new Sink(of), branch, pairing, false, () => {});
  }

  /** An older copy of the same session: counted line by line, told as what it is. */
  *#superseded(stretch: Stretch): Generator<SessionEvent> {
    const sink = new Sink();
    for (const batch of linesOf(this.#files, stretch, { signal: this.#context.signal })) {
      for (const { offset, length } of batch) {
        const origin = this.#record({ file: stretch.file, offset, length });
        const payload = { nativeType: "codex.rollout", axis: "side-records", reason: "superseded" };
        sink.emit("unknown.observed", payload, [origin], undefined);
      }
      yield* sink.drain();
    }
  }

  #record({ file, offset, length }: Place): Origin {
    return { record: this.#context.ledger.record(), file, offset, length };
  }
}

function raw(sink: Sink, piece: Extract<Piece, { ok: false }>, origin: Origin): void {
  sink.emit("unknown.observed", { nativeType: "raw", axis: "raw", reason: piece.why }, [origin], undefined);
}

/** Where the last line of a stretch starts. */
function lastLine(files: readonly OpenFile[], stretch: Stretch): number {
  let last = stretch.from;
  for (const batch of linesOf(files, stretch)) last = batch.at(-1)?.offset ?? last;
  return last;
}
