/** What every reader here tells of a session: the same few events, each with the record it was made of, ids told apart. */
import { isUtf8 } from "node:buffer";
import {
  type Block,
  documentTail,
  event,
  type LossLedger,
  type OpenFile,
  type Origin,
  type Payloads,
  type SessionEvent,
  type SessionRef,
  startedOf,
} from "@asp-convert/core";

/** Bytes of the session's first file. */
export interface Place {
  offset: number;
  length: number;
}

export interface Said extends Omit<Payloads["message.completed"], "messageId"> {
  /** Of the source; absent: it has none, and the place stands for it. */
  id?: string | undefined;
  /** ISO 8601. */
  time?: string | undefined;
  branch?: Branch | undefined;
}

export interface Answered {
  call: string;
  blocks: Block[];
  isError?: boolean;
  time?: string | undefined;
  branch?: Branch | undefined;
}

/** What was left: its id, and on its first event what it departs from. */
export interface Branch {
  id: string;
  from?: string | undefined;
}

export class Say {
  readonly #ledger: LossLedger;
  readonly #ids = new Set<string>();

  constructor(ledger: LossLedger) {
    this.#ledger = ledger;
  }

  /** A record, counted. */
  record({ offset, length }: Place): Origin {
    return { record: this.#ledger.record(), file: 0, offset, length };
  }

  /** A record's text. Bytes that are none are told of, and read as U+FFFD. */
  text(file: OpenFile, { offset, length }: Place, [at]: readonly Origin[]): string {
    const bytes = Buffer.from(file.read(offset, length));
    if (!isUtf8(bytes))
      this.#ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, at?.record);
    return bytes.toString("utf8");
  }

  start(ref: SessionRef, origin: readonly Origin[]): SessionEvent {
    const time = ref.createdAt === undefined ? {} : { time: ref.createdAt };
    const inferred = ref.timesInferred && ref.createdAt !== undefined ? { timeInferred: true } : {};
    return event("session.started", startedOf(ref), { nativeId: ref.id, ...time, ...inferred, origin });
  }

  said({ id, time, branch, ...payload }: Said, origin: readonly Origin[]): SessionEvent {
    const messageId = this.#distinct("message", id, origin);
    return event("message.completed", { messageId, ...payload }, rest(messageId, origin, time, branch));
  }

  answered(
    { call, blocks, isError = false, time, branch }: Answered,
    origin: readonly Origin[],
  ): SessionEvent {
    const nativeId = this.#distinct("result", call, origin);
    const payload = { toolCallId: call, result: blocks, isError };
    return event("tool.completed", payload, rest(nativeId, origin, time, branch));
  }

  /** From here on the model is sent what follows alone. */
  compacted(time: string | undefined, origin: readonly Origin[]): SessionEvent {
    return event(
      "status.changed",
      { status: "compacted", context: [] },
      { origin, ...(time !== undefined && { time }) },
    );
  }

  /** What is not read: `axis` says what it would have been. */
  unread(nativeType: string, axis: string, reason: string, origin: readonly Origin[]): SessionEvent {
    return event("unknown.observed", { nativeType, axis, reason }, { origin });
  }

  /** Of a document: what a crash left at its end, the rest of it missing or NULs after it. */
  *rest(file: OpenFile, cut: Place | undefined): Generator<SessionEvent> {
    const tail = documentTail(file, cut);
    if (tail) yield this.unread("raw", "raw", tail.why, [this.record(tail)]);
  }

  /** An id that comes again gets its place; what has none goes by its place alone. Nothing is held of places. */
  #distinct(kind: string, id: string | undefined, [at]: readonly Origin[]): string {
    const place = `at ${at?.offset ?? 0}`;
    if (id !== undefined && !this.#ids.has(`${kind} ${id}`)) {
      this.#ids.add(`${kind} ${id}`);
      return id;
    }
    if (id !== undefined)
      this.#ledger.note({ axis: "ids", level: "partial", reason: "duplicate-id" }, at?.record);
    const own = id === undefined ? place : `${id} ${place}`;
    // Several of one record.
    this.#again = this.#last === `${kind} ${own}` ? this.#again + 1 : 1;
    this.#last = `${kind} ${own}`;
    return this.#again === 1 ? own : `${own} ${this.#again}`;
  }
  #last = "";
  #again = 1;
}

function rest(
  nativeId: string,
  origin: readonly Origin[],
  time: string | undefined,
  branch: Branch | undefined,
): Pick<SessionEvent, "nativeId" | "time" | "branch" | "branchFrom" | "origin"> {
  return {
    nativeId,
    origin,
    ...(time !== undefined && { time }),
    ...(branch && { branch: branch.id, ...(branch.from !== undefined && { branchFrom: branch.from }) }),
  };
}
