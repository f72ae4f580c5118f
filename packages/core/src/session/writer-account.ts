/**
 * What every writer does with each event beside writing it: it is dated, what of it has no place is told, and in the
 * end what is true of the session as a whole. A writer asks `begin` of each event first, and `end` last.
 */
import type { SessionRef } from "../converter/contract.js";
import type { Axis } from "../fidelity/axes.js";
import type { Loss, LossLedger } from "../fidelity/ledger.js";
import type { Reason } from "../fidelity/reasons.js";
import { isoTime, oneLine } from "../values.js";
import type { EventOf, SessionEvent } from "./event.js";
import { unplaced } from "./unplaced.js";

export interface WriterAccountOptions {
  ref: SessionRef;
  ledger: LossLedger;
  /** ISO 8601: of what comes before anything that has a time. */
  created: string;
  /** The source is the program itself, or its kin: what is its own goes back to where it came from. */
  isNative: boolean;
  /** Writes a title; the last one that is written is the session's. One whose sessions have one only: `Titles`. */
  name: (title: string, by: SessionRef["titleFrom"]) => void;
}

export class WriterAccount {
  readonly ledger: LossLedger;
  readonly isNative: boolean;
  readonly #ref: SessionRef;
  readonly #name: WriterAccountOptions["name"];
  #title: string | undefined;
  #record: number | undefined;
  #time: string;
  #aside = 0;
  #renamed = 0;

  constructor({ ref, ledger, created, isNative, name }: WriterAccountOptions) {
    this.#ref = ref;
    this.ledger = ledger;
    this.isNative = isNative;
    this.#time = created;
    this.#name = name;
  }

  /** The record that is being written, for what is noted of it. */
  get record(): number | undefined {
    return this.#record;
  }

  /** Of the last event that had a time: ISO 8601. */
  get time(): string {
    return this.#time;
  }

  begin(event: SessionEvent): void {
    const { type, time, origin, branch, nativeId, timeInferred } = event;
    this.#record = origin[0]?.record;
    if (branch !== undefined) this.#aside++;
    if (nativeId !== undefined) this.#renamed++;
    const isDated = this.at(time);
    if ((type !== "message.completed" && type !== "tool.completed") || origin.length === 0) return;
    if (isDated && !timeInferred) this.ledger.keep("times");
    else this.note("times", "time-inferred", "partial");
  }

  /** From here on it is this time. False: it is none, and the one before holds on. */
  at(time: string | undefined): boolean {
    const valid = isoTime(time);
    if (valid !== undefined) this.#time = new Date(valid).toISOString();
    return valid !== undefined;
  }

  /** The title that the list shows, if it is one; the first words of a prompt are none, and stand in the prompt. */
  get title(): string | undefined {
    const { title, titleFrom } = this.#ref;
    return titleFrom === "prompt" ? undefined : title;
  }

  /** The header, with a title that may be replaced. Of what else is in it, a writer notes what it has no place for. */
  started(event: EventOf<"session.started">): void {
    this.ledger.mapped(event, "cwd");
    const { title } = event.payload;
    if (title !== undefined && this.#ref.titleFrom !== "prompt") {
      this.#titled(title, this.#ref.titleFrom);
      this.ledger.keep("title");
    }
    if (event.payload.harnessVersion !== undefined) this.note("side-records", "generated");
  }

  /** A title, or another folder: a session has one of each, and that of its talk. */
  bound(event: EventOf<"session.bound">): void {
    const { title, titleBy, cwd } = event.payload;
    // The last title counts, and branches stand last: there one would win that did not.
    if (event.branch !== undefined) this.leave(event, "branches", "superseded");
    else if (title === undefined) this.leave(event, cwd === undefined ? "title" : "cwd", "superseded");
    else {
      this.#titled(title, titleBy);
      this.ledger.mapped(event, "title");
      if (cwd !== undefined) this.note("cwd", "no-counterpart");
    }
  }

  /** What another program adds by itself at every start is not for this one. @returns whether it was that. */
  isPreamble(event: EventOf<"message.completed">): boolean {
    if (event.payload.injected !== "harness") return false;
    this.ledger.leave(event, { axis: "injected-context", level: "dropped", reason: "harness-preamble" });
    return true;
  }

  /** The talk as a compaction left it; undefined for anything else that happened, which is left. */
  compacted(event: EventOf<"status.changed">): readonly SessionEvent[] | undefined {
    const { status, context, reason } = event.payload;
    if (status === "rewound") this.leave(event, "branches", "abandoned-branch");
    else if (status !== "compacted") this.leave(event, "side-records", "no-counterpart");
    else if (!context) this.leave(event, "compaction", "not-in-source");
    else {
      if (reason !== undefined) this.note("compaction", "no-counterpart");
      this.ledger.mapped(event, "compaction");
      return context;
    }
    return undefined;
  }

  /** What a compaction kept, each at its own time, without what another program adds by itself and results of no call. */
  *kept(
    context: readonly SessionEvent[],
  ): Generator<EventOf<"message.completed"> | EventOf<"tool.completed">> {
    const time = this.#time;
    const called = new Set<string>();
    for (const each of context) {
      this.at(each.time);
      if (each.type === "tool.completed") {
        if (called.has(each.payload.toolCallId)) yield each;
        else this.note("tool-results", "orphan-result");
      } else if (each.type === "message.completed") {
        if (each.payload.injected === "harness") {
          this.note("injected-context", "harness-preamble", "dropped");
          continue;
        }
        for (const block of each.payload.blocks) if (block.type === "tool-call") called.add(block.toolCallId);
        yield each;
      }
    }
    this.#time = time;
  }

  /** An event that there is no place for, and what of it counts beside. */
  leaveUnplaced(event: SessionEvent): void {
    if (event.type === "turn.completed" && event.payload.error !== undefined)
      this.note("errors", "no-counterpart");
    this.ledger.leave(event, unplaced(event));
  }

  /** A call's id here. */
  called(id: string, source: string): string {
    if (id === source) this.ledger.keep("ids");
    else this.note("ids", "duplicate-id", "partial");
    return id;
  }

  note(axis: Axis, reason: Reason, level: Loss["level"] = "evidence-only"): void {
    this.ledger.note({ axis, level, reason }, this.#record);
  }

  leave(event: SessionEvent, axis: Axis, reason: Reason): void {
    this.ledger.leave(event, { axis, level: "evidence-only", reason });
  }

  /** @param ownBranches branches come out as they were. */
  end({ ownBranches = false } = {}): void {
    this.#record = undefined;
    if (this.title !== undefined) this.#titled(this.title, this.#ref.titleFrom);
    if (this.#renamed > 0) this.#sum("ids", "evidence-only", "generated", this.#renamed);
    // Of what is lost inside of a branch, each axis is told; that it was one is told once.
    if (this.#aside > 0 && !ownBranches) this.#sum("branches", "partial", "re-encoded", this.#aside);
    const { parent } = this.#ref;
    if (parent?.relation === "subagent") this.ledger.keep("subagents");
    else if (parent) this.note("lineage", "no-counterpart");
  }

  #titled(given: string, by: SessionRef["titleFrom"]): void {
    const title = oneLine(given);
    if (title === this.#title || title === "") return;
    this.#title = title;
    this.#name(title, by);
  }

  #sum(axis: Axis, level: Loss["level"], reason: Reason, count: number): void {
    this.ledger.note({ axis, level, reason, count });
  }
}
