/** Events in, lines of a rollout out; every event is accounted for. */
import {
  type Axis,
  type EventOf,
  isTellingStop,
  type LossLedger,
  type MessagePayload,
  type Reason,
  reasons,
  type SessionAxis,
  type SessionEvent,
  type SessionRef,
  sessionAxes,
  Titles,
} from "@asp-convert/core";
import type { Encoding } from "./encode.js";
import type { Lines } from "./lines.js";
import { COMPACTED_EVENT, isPlan, planEvent } from "./screen.js";
import { type Out, Speech } from "./speech.js";
import { Turns } from "./turns.js";

export interface ScribeOptions {
  /** Id of the thread that is written. */
  id: string;
  cwd: string;
  ledger: LossLedger;
  /** The session that is told. */
  ref: SessionRef;
  /** What the ids of turns are made from, where that is not the thread's. */
  turns?: string;
}

export class Scribe implements Out {
  readonly screen = true;
  readonly #lines: Lines;
  readonly #options: ScribeOptions;
  readonly #encoding: Encoding;
  readonly #native: boolean;
  readonly #turns: Turns;
  readonly #speech: Speech;
  readonly #titles: Titles;

  constructor(lines: Lines, options: ScribeOptions) {
    this.#lines = lines;
    this.#options = options;
    const { harness } = options.ref;
    this.#native = harness === "codex";
    this.#encoding = { ledger: options.ledger, native: this.#native, record: undefined };
    this.#turns = new Turns(lines, options.turns ?? options.id);
    this.#speech = new Speech(this, this.#encoding, harness);
    this.#titles = new Titles(options.ref, options.ledger);
  }

  get title(): string | undefined {
    return this.#titles.title;
  }

  take(event: SessionEvent): void {
    const { ledger } = this.#options;
    const native = this.#native;
    const record = event.origin[0]?.record;
    this.#encoding.record = record;
    if (event.branch !== undefined) {
      this.#leave(event, "branches", "abandoned-branch");
      return;
    }
    // Side records do not move the time that a list shows.
    const dated = event.type === "unknown.observed" || this.#lines.at(event.time);
    switch (event.type) {
      case "session.started": {
        const { harnessVersion, model } = event.payload;
        ledger.mapped(event);
        if (harnessVersion !== undefined)
          ledger.note({ axis: "side-records", level: "evidence-only", reason: "generated" }, record);
        if (model !== undefined && !native) this.#foreignModel();
        this.#titles.take(event);
        return;
      }
      case "session.bound":
        if (event.payload.title !== undefined) this.#titles.take(event);
        else this.#leave(event, "cwd", "superseded");
        return;
      case "capabilities.changed":
        this.#settings(event);
        return;
      case "turn.started":
        this.#turns.started(event.payload.turnId, native);
        if (!native) this.#newId();
        ledger.mapped(event, "turns");
        return;
      case "turn.completed": {
        const { turnId, status, error, usage } = event.payload;
        if (!this.#turns.completed(turnId, status, error)) this.#newId();
        ledger.mapped(event, "turns");
        if (error !== undefined && status !== "failed") this.#untold("turns");
        if (usage) this.#unused();
        return;
      }
      case "message.completed":
        if (dated && !event.timeInferred) ledger.keep("times");
        else ledger.note({ axis: "times", level: "partial", reason: "time-inferred" }, record);
        this.#message(event);
        return;
      case "tool.completed":
        if (this.#speech.result(event.payload)) ledger.mapped(event, "tool-results");
        else this.#leave(event, "tool-results", "orphan-result");
        return;
      case "task.updated":
        if (native) ledger.mapped(event, "plans");
        else this.#leave(event, "plans", "no-counterpart");
        return;
      case "status.changed":
        this.#status(event);
        return;
      case "unknown.observed":
        this.#unknown(event);
        return;
      default:
        this.#leave(event, AXES[event.type.split(".")[0] ?? ""] ?? "side-records", "no-counterpart");
    }
  }

  end(): void {
    this.#encoding.record = undefined;
    this.#speech.settle();
    this.#turns.end();
    this.#titles.end();
  }

  item(payload: string): void {
    this.#lines.add("response_item", payload);
  }

  show(event: string): void {
    this.#turns.ensure();
    this.#lines.add("event_msg", event);
  }

  heard(queued: boolean): void {
    this.#turns.heard(queued);
  }

  #message(event: EventOf<"message.completed">): void {
    const { ledger } = this.#options;
    const { injected } = event.payload;
    if (injected === "harness") {
      ledger.leave(event, { axis: "injected-context", level: "dropped", reason: "harness-preamble" });
      return;
    }
    const wrote = this.#speech.message(event.payload);
    this.#beside(event.payload);
    const axis = injected === undefined ? "messages" : "injected-context";
    if (wrote) ledger.mapped(event, axis);
    else this.#leave(event, axis, "not-supported");
  }

  /** What a message has beside its blocks. */
  #beside({ usage, model, stopReason }: MessagePayload): void {
    this.#newId();
    if (usage) this.#unused();
    if (model !== undefined && !this.#native) this.#foreignModel();
    if (isTellingStop(stopReason)) this.#untold("turns");
  }

  #foreignModel(): void {
    this.#options.ledger.note(
      { axis: "models", level: "evidence-only", reason: "no-equal" },
      this.#encoding.record,
    );
  }

  #untold(axis: SessionAxis): void {
    this.#options.ledger.note(
      { axis, level: "evidence-only", reason: "no-counterpart" },
      this.#encoding.record,
    );
  }

  #newId(): void {
    this.#options.ledger.note(
      { axis: "ids", level: "evidence-only", reason: "generated" },
      this.#encoding.record,
    );
  }

  /** Token counts of another history would make Codex compact this one. */
  #unused(): void {
    this.#options.ledger.note(
      { axis: "usage", level: "evidence-only", reason: "not-supported" },
      this.#encoding.record,
    );
  }

  #settings(event: EventOf<"capabilities.changed">): void {
    const { ledger, cwd } = this.#options;
    if (!this.#native) {
      this.#leave(event, "settings", "no-equal");
      return;
    }
    const { model, thought_level } = event.payload.settings;
    // What may be done without asking is never taken along: the target's own rules hold.
    const context = {
      cwd,
      approval_policy: "on-request",
      sandbox_policy: { type: "read-only" },
      ...(typeof model === "string" && { model }),
      ...(typeof thought_level === "string" && { effort: thought_level }),
      summary: "auto",
    };
    if (typeof model !== "string") {
      this.#leave(event, "settings", "no-equal");
      return;
    }
    this.#lines.add("turn_context", JSON.stringify(context));
    ledger.mapped(event, "settings");
    ledger.note({ axis: "settings", level: "partial", reason: "unsafe" }, this.#encoding.record);
  }

  #status(event: EventOf<"status.changed">): void {
    const { status, context, reason } = event.payload;
    if (status === "rewound") {
      this.#leave(event, "branches", "abandoned-branch");
      return;
    }
    if (status !== "compacted") {
      this.#leave(event, "side-records", "no-counterpart");
      return;
    }
    // Without it Codex would keep the person's words only: more is kept by saying nothing.
    if (!context) {
      this.#leave(event, "compaction", "not-in-source");
      return;
    }
    const items: string[] = [];
    const inner = new Speech(contextOut(items), this.#encoding, this.#options.ref.harness);
    let summary: string | undefined;
    for (const each of context) {
      if (each.type === "message.completed" && each.payload.injected === "harness") {
        const loss = { axis: "injected-context", level: "dropped", reason: "harness-preamble" } as const;
        this.#options.ledger.note(loss, this.#encoding.record);
      } else if (each.type === "message.completed") {
        inner.message(each.payload);
        this.#beside(each.payload);
        const [first] = each.payload.blocks;
        if (each.payload.kind === "summary" && first?.type === "text") summary = first.text;
      } else if (each.type === "tool.completed") inner.result(each.payload);
    }
    this.#speech.open.clear();
    for (const [id, call] of inner.open) this.#speech.open.set(id, call);
    const own = this.#native ? reason : undefined;
    const words = JSON.stringify((own ?? summary ?? reason ?? "").toWellFormed());
    this.#turns.ensure();
    this.#lines.add("compacted", `{"message":${words},"replacement_history":[${items.join(",")}]}`);
    this.show(COMPACTED_EVENT);
    this.#options.ledger.mapped(event, "compaction");
  }

  #unknown(event: EventOf<"unknown.observed">): void {
    const { axis, reason, value } = event.payload;
    const named: SessionAxis = axis in sessionAxes ? (axis as SessionAxis) : "side-records";
    if (this.#native && isPlan(value)) {
      this.show(planEvent(value, this.#options.id, this.#turns.ensure(), Date.parse(this.#lines.time)));
      this.#options.ledger.mapped(event, named);
      return;
    }
    this.#leave(
      event,
      named,
      reason !== undefined && reason in reasons ? (reason as Reason) : "no-counterpart",
    );
  }

  #leave(event: SessionEvent, axis: Axis, reason: Reason): void {
    this.#options.ledger.leave(event, { axis, level: "evidence-only", reason });
  }
}

const AXES: Readonly<Record<string, SessionAxis>> = {
  approval: "approvals",
  artifact: "documents",
  input: "side-records",
};

/** The history that a compaction leaves: items only. */
function contextOut(items: string[]): Out {
  return {
    screen: false,
    item: (payload) => void items.push(payload),
    show() {},
    heard() {},
  };
}
