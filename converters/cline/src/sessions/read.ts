/** One session as events: its messages in their order; where it was compacted, what stands for them since. */
import { isUtf8 } from "node:buffer";
import {
  LossLedger,
  MAX_LINE,
  type OpenFile,
  type Origin,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
  startedOf,
} from "@asp-convert/core";
import { type Fields, fields, name, parsed, string } from "@asp-convert/core/values";
import { type Compaction, compactionOf, Prefix } from "./compaction.js";
import { told } from "./events.js";
import { objectIn } from "./files.js";
import { blocksIn, isResult, messageAt, type Place, type Scan, scan } from "./scan.js";
import { type Late, Talk } from "./talk.js";

/** @throws SourceError; any other error is a bug. */
export async function* readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const companions: Companion[] = [];
  for (const [file, { path, role }] of ref.files.entries()) {
    if (role !== "companion") continue;
    const info = await context.source.stat(path);
    companions.push({ file, path, length: info?.size ?? 0, value: await objectIn(path, context) });
  }
  const file = await context.source.open(ref.path);
  try {
    yield* new Reader(ref, file, companions, context).events();
  } finally {
    file.close();
  }
}

interface Companion {
  /** Among the session's files. */
  file: number;
  path: string;
  length: number;
  value: Fields;
}

class Reader {
  readonly #ref: SessionRef;
  readonly #file: OpenFile;
  readonly #context: ReadContext;
  readonly #scan: Scan;
  readonly #manifest: Companion | undefined;
  readonly #state: Companion | undefined;
  readonly #compaction: Compaction | undefined;
  readonly #ids = new Set<string>();
  #late: Map<string, Omit<Late, "origin"> & { place: Place }> | undefined;
  /** Of records that were told of before their turn, by their offset. */
  readonly #ahead = new Map<number, Origin>();
  readonly #talk: Talk;

  constructor(ref: SessionRef, file: OpenFile, companions: readonly Companion[], context: ReadContext) {
    this.#ref = ref;
    this.#file = file;
    this.#context = context;
    this.#scan = scan(file);
    this.#state = companions.find(({ path }) => path.endsWith(".compaction.json"));
    this.#manifest = companions.find((one) => one !== this.#state);
    this.#compaction = this.#state && compactionOf(this.#state.value);
    this.#talk = new Talk({ ledger: context.ledger, late: (call) => this.#lateResult(call) });
  }

  *events(): Generator<SessionEvent> {
    const manifest = this.#manifest && this.#whole(this.#manifest);
    const { createdAt, timesInferred } = this.#ref;
    // The document around the messages is one record, from its first byte to its last.
    const head = this.#origin({ offset: 0, length: this.#file.size });
    yield {
      ...told("session.started", startedOf(this.#ref), {
        origin: manifest ? [head, manifest] : [head],
        ...(createdAt !== undefined && { time: createdAt }),
      }),
      ...(timesInferred && { timeInferred: true }),
    };
    if (manifest && fields(this.#manifest?.value.metadata)?.checkpoint !== undefined)
      yield this.#left("cline.checkpoint", "file-snapshots", "no-counterpart", manifest);
    const prompt = string(this.#scan.head.system_prompt);
    if (prompt !== undefined && prompt !== "")
      yield told(
        "message.completed",
        {
          messageId: SYSTEM,
          role: "system",
          blocks: [{ type: "text", text: prompt }],
          injected: "harness",
          audience: ["assistant"],
        },
        { origin: [head], nativeId: SYSTEM },
      );
    yield* this.#messages();
    for (const { why, ...place } of this.#scan.others)
      yield this.#left("raw", "raw", why, this.#origin(place));
  }

  *#messages(): Generator<SessionEvent> {
    const state = this.#state && this.#whole(this.#state);
    const prefix = this.#compaction && new Prefix(this.#compaction);
    let isDue = this.#compaction?.count === 0;
    let isTold = state === undefined;
    for (const [i, place] of this.#scan.messages.entries()) {
      this.#context.signal?.throwIfAborted();
      if (isDue && prefix?.holds() && state) {
        yield* this.#compacted(state);
        isTold = true;
      }
      const origin = this.#ahead.get(place.offset) ?? this.#origin(place);
      const message = this.#read(place, origin);
      if (message) yield* this.#talk.message(message, this.#keyOf(message, i), [origin]);
      else yield this.#left("raw", "raw", place.length > MAX_LINE ? "over-bound" : "unparsable", origin);
      isDue = message !== undefined && (prefix?.take(message) ?? false);
    }
    if (isDue && prefix?.holds() && state) {
      yield* this.#compacted(state);
      isTold = true;
    }
    yield* this.#talk.unanswered();
    if (!isTold && state)
      yield this.#left(
        "cline.compaction",
        "side-records",
        this.#compaction ? "superseded" : "unparsable",
        state,
      );
  }

  *#compacted(state: Origin): Generator<SessionEvent> {
    yield* this.#talk.unanswered();
    // Counted once, by its file: what is noted of its messages is noted to nobody.
    const talk = new Talk({ ledger: new LossLedger(""), late: () => undefined });
    const messages = this.#compaction?.messages ?? [];
    const context = messages.flatMap((message, i) => [
      ...talk.message(message, name(message.id) ?? `compaction/${i}`, [state]),
    ]);
    const kept = [...context, ...talk.unanswered()].filter(isSent);
    yield told("status.changed", { status: "compacted", context: kept }, { origin: [state] });
  }

  #read(place: Place, { record }: Origin): Fields | undefined {
    if (place.length > MAX_LINE) return undefined;
    const bytes = Buffer.from(this.#file.read(place.offset, place.length));
    if (!isUtf8(bytes))
      this.#context.ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, record);
    return fields(parsed(bytes.toString("utf8")));
  }

  /** Its id; of two messages with one id, the later one's place too. */
  #keyOf(message: Fields, place: number): string {
    const id = name(message.id) ?? `#${place}`;
    if (this.#ids.has(id)) return `${id}@${place}`;
    this.#ids.add(id);
    return id;
  }

  /** Asked for only where a call has no answer behind it. */
  #lateResult(call: string): Late | undefined {
    this.#late ??= this.#lateResults();
    const found = this.#late.get(call);
    if (!found) return undefined;
    const { place, ...late } = found;
    const origin = this.#ahead.get(place.offset) ?? this.#origin(place);
    this.#ahead.set(place.offset, origin);
    return { ...late, origin: [origin] };
  }

  #lateResults(): Map<string, Omit<Late, "origin"> & { place: Place }> {
    const found = new Map<string, Omit<Late, "origin"> & { place: Place }>();
    for (const [i, place] of this.#scan.messages.entries()) {
      const message = messageAt(this.#file, place) ?? {};
      for (const result of blocksIn(message).filter(isResult)) {
        const block = fields(result) ?? {};
        const call = name(block.tool_use_id);
        const key = name(message.id) ?? `#${i}`;
        if (call !== undefined && !found.has(call)) found.set(call, { block, message, key, place });
      }
    }
    return found;
  }

  #left(nativeType: string, axis: string, reason: string, origin: Origin): SessionEvent {
    return told("unknown.observed", { nativeType, axis, reason }, { origin: [origin] });
  }

  #whole({ file, length }: Companion): Origin {
    return { record: this.#context.ledger.record(), file, offset: 0, length };
  }

  #origin({ offset, length }: Place): Origin {
    return { record: this.#context.ledger.record(), file: 0, offset, length };
  }
}

/** The program writes its own instructions beside the messages, and makes them anew each time. */
const SYSTEM = "system_prompt";

/** Is it something that the model is sent? */
function isSent(event: SessionEvent): boolean {
  if (event.type === "tool.completed") return true;
  if (event.type !== "message.completed" || event.payload.injected === "harness") return false;
  return event.payload.audience?.includes("assistant") ?? true;
}
