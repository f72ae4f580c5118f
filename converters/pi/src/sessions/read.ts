/**
 * One session as events. The talk is the path from a root to the last line of the file; the other branches come
 * after it. What the model no longer sees after a compaction is told all the same; the compaction says what it sees.
 */
import { isUtf8 } from "node:buffer";
import {
  LossLedger,
  type OpenFile,
  type Origin,
  type Piece,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
  startedOf,
} from "@asp-convert/core";
import { type Fields, name, string } from "@asp-convert/core/values";
import { withPictures } from "./blobs.js";
import { keptBefore } from "./compaction.js";
import { Course } from "./course.js";
import { eventOf, type Rest } from "./event.js";
import { nameOfModel } from "./models.js";
import { type Entry, isoOf, pathTo, recordIn, type Scan, scan, sideBranches } from "./scan.js";
import { Talk, type TalkContext } from "./talk.js";
import { compactionText } from "./wire.js";

/** @throws SourceError; any other error is a bug. */
export async function* readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const file = await context.source.open(ref.path);
  try {
    for (const event of new Reader(ref, file, context).read())
      yield ref.harness === "oh-my-pi" ? withPictures(event, ref, context) : event;
  } finally {
    file.close();
  }
}

class Reader {
  readonly #ref: SessionRef;
  readonly #file: OpenFile;
  readonly #context: ReadContext;
  readonly #scan: Scan;
  /** By the offset of their record: some records are told of more than once. */
  readonly #origins = new Map<number, Origin>();
  readonly #talk: TalkContext;
  /** Records with bytes that are no text: told of once. */
  readonly #garbled = new Set<Entry>();

  constructor(ref: SessionRef, file: OpenFile, context: ReadContext) {
    this.#ref = ref;
    this.#file = file;
    this.#context = context;
    this.#scan = scan(file, context.signal);
    this.#talk = {
      record: (entry) => this.#record(entry),
      origin: (entry) => this.#origin(entry),
      ledger: context.ledger,
    };
  }

  *read(): Generator<SessionEvent> {
    const { entries, header, doubles, others } = this.#scan;
    yield* this.#started(header, this.#scan.title);
    const { path, bridged } = pathTo(entries.at(-1), this.#scan);
    for (const id of bridged) this.#bridge(id);
    yield* this.#course(path, path);
    for (const branch of sideBranches(this.#scan, path)) yield* this.#branch(branch);
    for (const entry of doubles) yield this.#left(`pi.${entry.type}`, "duplicate-id", entry);
    for (const piece of others) yield this.#other(piece);
  }

  *#started(header: Scan["header"], first: Scan["title"]): Generator<SessionEvent> {
    const { createdAt } = this.#ref;
    const rest = {
      origin: [header, first].flatMap((head) => (head ? [this.#origin(head)] : [])),
      ...(createdAt !== undefined && { time: createdAt }),
    };
    yield eventOf("session.started", startedOf(this.#ref), rest);
    const settings = settingsOf(header?.meta ?? {});
    if (Object.keys(settings).length > 0) yield eventOf("capabilities.changed", { settings }, rest);
  }

  #bridge(id: string): void {
    const entry = this.#scan.byId.get(id);
    this.#context.ledger.note(
      { axis: "messages", level: "partial", reason: "dangling-parent" },
      entry && this.#origin(entry).record,
    );
  }

  /** @param path from the root; `told`: its end, which is told now. */
  *#course(path: readonly Entry[], told: readonly Entry[]): Generator<SessionEvent> {
    const talk = new Talk(new Course(path, this.#file), this.#talk);
    for (const entry of told) {
      this.#context.signal?.throwIfAborted();
      if (entry.type === "compaction") {
        yield* talk.unanswered();
        yield this.#compaction(entry, path);
      } else if (entry.type === "reset_boundary") {
        yield* talk.unanswered();
        yield eventOf("status.changed", { status: "compacted", context: [] }, this.#restOf(entry));
      } else yield* talk.entry(entry);
    }
    yield* talk.unanswered();
  }

  #compaction(entry: Entry, path: readonly Entry[]): SessionEvent {
    const record = this.#record(entry);
    const rest = this.#restOf(entry);
    const summary = eventOf(
      "message.completed",
      {
        messageId: entry.id,
        role: "user",
        blocks: [{ type: "text", text: compactionText(string(record.summary) ?? "") }],
        kind: "summary",
        audience: ["assistant"],
      },
      rest,
    );
    // Told before, so counted before: what is noted here is noted to nobody.
    const quiet: TalkContext = { ...this.#talk, ledger: new LossLedger("") };
    const talk = new Talk(new Course(path, this.#file), quiet);
    const context: SessionEvent[] = [summary];
    for (const kept of keptBefore(entry, record, path, this.#scan)) context.push(...talk.entry(kept));
    context.push(...talk.unanswered());
    return eventOf("status.changed", { status: "compacted", context: context.filter(isSent) }, rest);
  }

  #restOf(entry: Entry): Rest {
    return {
      origin: [this.#origin(entry)],
      nativeId: entry.id,
      ...(entry.time !== undefined && { time: isoOf(entry.time) }),
    };
  }

  *#branch(branch: readonly Entry[]): Generator<SessionEvent> {
    const leaf = branch.at(-1);
    const from = branch[0]?.parent;
    if (!leaf) return;
    let isFirst = true;
    for (const event of this.#course(pathTo(leaf, this.#scan).path, branch)) {
      event.branch = leaf.id;
      if (isFirst && from !== undefined && this.#scan.byId.has(from)) event.branchFrom = from;
      isFirst = false;
      yield event;
    }
  }

  #other(piece: Piece): SessionEvent {
    return piece.ok
      ? eventOf(
          "unknown.observed",
          { nativeType: "pi.record", axis: "side-records", reason: "no-counterpart" },
          { origin: [this.#origin(piece)] },
        )
      : eventOf(
          "unknown.observed",
          { nativeType: "raw", axis: "raw", reason: piece.why },
          { origin: [this.#origin(piece)] },
        );
  }

  #record(entry: Entry): Fields {
    const bytes = this.#file.read(entry.offset, entry.length);
    if (!isUtf8(bytes) && !this.#garbled.has(entry)) {
      this.#garbled.add(entry);
      this.#context.ledger.note(
        { axis: "raw", level: "partial", reason: "invalid-text" },
        this.#origin(entry).record,
      );
    }
    return recordIn(bytes);
  }

  #left(nativeType: string, reason: string, entry: Entry): SessionEvent {
    return eventOf(
      "unknown.observed",
      { nativeType, axis: "side-records", reason },
      { origin: [this.#origin(entry)] },
    );
  }

  #origin({ offset, length }: { offset: number; length: number }): Origin {
    let origin = this.#origins.get(offset);
    if (!origin) {
      origin = { record: this.#context.ledger.record(), file: 0, offset, length };
      this.#origins.set(offset, origin);
    }
    return origin;
  }
}

/** Is it something that the model is sent? */
function isSent(event: SessionEvent): boolean {
  if (event.type === "tool.completed") return true;
  if (event.type !== "message.completed" || event.payload.injected === "harness") return false;
  return event.payload.audience?.includes("assistant") ?? true;
}

/** Version 1 has them in the header. */
function settingsOf(meta: Fields): Record<string, string> {
  const model = nameOfModel(meta.provider, meta.modelId);
  const level = name(meta.thinkingLevel);
  return { ...(model !== undefined && { model }), ...(level !== undefined && { thought_level: level }) };
}
