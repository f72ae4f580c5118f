/** Events in, lines of a Pi session out; every event is accounted for. */
import {
  type Axis,
  type Block,
  type EventOf,
  type LossLedger,
  type Payloads,
  type Reason,
  reasons,
  type SessionAxis,
  type SessionEvent,
  type SessionRef,
  sessionAxes,
} from "@asp-convert/core";
import { type Fields, fields } from "@asp-convert/core/values";
import { isKin } from "../family.js";
import { FORMAT } from "../version.js";
import { assistantMessage, isFailed } from "./answer.js";
import { Calls } from "./calls.js";
import { LEVELS, servedBy, UNKNOWN } from "./models.js";
import { clean, type Part, partsOf } from "./parts.js";
import { provenance } from "./provenance.js";
import { Tree } from "./tree.js";
import { compactionSummary, ownTypeOf } from "./wire.js";

export interface ScribeOptions {
  id: string;
  cwd: string;
  /** ISO 8601. */
  created: string;
  seed: string;
  ref: SessionRef;
  ledger: LossLedger;
  /** The session that this one is a subagent's of, and its file. */
  above: { id: string; path: string } | undefined;
}

type Message = EventOf<"message.completed">;

export class Scribe {
  readonly #options: ScribeOptions;
  readonly #ledger: LossLedger;
  readonly #tree: Tree;
  #calls = new Calls();
  /** The events come from Pi: opaque things may go back to where they came from. */
  readonly #native: boolean;
  #record: number | undefined;
  /** Of the source's ids, those that the entries here do not have. */
  #renamed = 0;
  /** Events on branches. */
  #aside = 0;
  #title: string | undefined;
  readonly #settings = new Map<string, string>();
  readonly #apis = new Map<string, string>();

  constructor(options: ScribeOptions) {
    this.#options = options;
    this.#ledger = options.ledger;
    this.#native = isKin(options.ref.harness);
    this.#tree = new Tree(options.seed, options.created);
    const { id, created: timestamp, cwd, ref, above } = options;
    const parent = above && { parentSession: above.path };
    this.#tree.line({ type: "session", version: FORMAT, id, timestamp, cwd, ...parent });
    const toolCall = ref.parent?.toolCallId;
    const of = above && { session: above.id, ...(toolCall !== undefined && { toolCall }) };
    this.#tree.entry(provenance(ref, of));
  }

  get size(): number {
    return this.#tree.size;
  }

  get time(): string {
    return this.#tree.time;
  }

  drain(): string {
    return this.#tree.drain();
  }

  take(event: SessionEvent): void {
    this.#record = event.origin[0]?.record;
    if (event.branch !== undefined) this.#aside++;
    if (this.#tree.branch(event.branch, event.branchFrom) && event.branch !== undefined)
      this.#ledger.keep("branches");
    this.#date(event);
    this.#take(event);
    if (event.nativeId === undefined) return;
    this.#tree.passed(event.nativeId);
    this.#renamed++;
  }

  #date({ type, time, origin }: SessionEvent): void {
    const dated = this.#tree.at(time);
    if ((type !== "message.completed" && type !== "tool.completed") || origin.length === 0) return;
    if (dated) this.#ledger.keep("times");
    else this.#ledger.note({ axis: "times", level: "partial", reason: "time-inferred" }, this.#record);
  }

  #take(event: SessionEvent): void {
    switch (event.type) {
      case "session.started":
        this.#started(event);
        return;
      case "session.bound":
        this.#bound(event);
        return;
      case "capabilities.changed":
        this.#changed(event);
        return;
      case "message.completed":
        this.#message(event);
        return;
      case "tool.completed":
        this.#result(event);
        return;
      case "status.changed":
        this.#status(event);
        return;
      case "turn.completed":
        if (event.payload.error !== undefined)
          this.#ledger.note(
            { axis: "errors", level: "evidence-only", reason: "no-counterpart" },
            this.#record,
          );
        this.#leave(event, "turns", "no-counterpart");
        return;
      case "unknown.observed": {
        const { axis, reason } = event.payload;
        this.#leave(
          event,
          axis in sessionAxes ? (axis as SessionAxis) : "side-records",
          reason !== undefined && reason in reasons ? (reason as Reason) : "no-counterpart",
        );
        return;
      }
      default:
        this.#leave(event, AXES[event.type.split(".")[0] ?? ""] ?? "side-records", "no-counterpart");
    }
  }

  /** The last line is the leaf: it hangs below the talk, whatever branches came after it. */
  end(): void {
    const { ref } = this.#options;
    this.#tree.branch(undefined, undefined);
    if (ref.titleFrom !== "prompt" && ref.title !== undefined) this.#name(ref.title);
    if (this.#renamed > 0)
      this.#ledger.note({ axis: "ids", level: "evidence-only", reason: "generated", count: this.#renamed });
    // Of what is lost inside of a branch, each axis is told; that it was one is told once.
    if (this.#aside > 0 && !this.#native)
      this.#ledger.note({ axis: "branches", level: "partial", reason: "re-encoded", count: this.#aside });
    if (ref.parent?.relation === "subagent") this.#ledger.keep("subagents");
    else if (ref.parent)
      this.#ledger.note({ axis: "lineage", level: "evidence-only", reason: "no-counterpart" });
    if (!this.#tree.isLast()) this.#tree.entry({ type: "custom", customType: "asp.leaf", data: {} });
  }

  #started(event: EventOf<"session.started">): void {
    const { title, model, git, harnessVersion } = event.payload;
    this.#ledger.mapped(event, "cwd");
    if (title !== undefined && this.#options.ref.titleFrom !== "prompt") this.#name(title);
    // Pi's own is that of an entry which comes.
    if (model !== undefined && !this.#native && !this.#model(model))
      this.#ledger.note({ axis: "models", level: "evidence-only", reason: "no-equal" }, this.#record);
    if (git)
      this.#ledger.note({ axis: "git", level: "evidence-only", reason: "no-counterpart" }, this.#record);
    if (harnessVersion !== undefined)
      this.#ledger.note({ axis: "side-records", level: "evidence-only", reason: "generated" }, this.#record);
  }

  #bound(event: EventOf<"session.bound">): void {
    const { title, cwd } = event.payload;
    // Pi takes the last name in the file, and branches stand last: there a name would win that did not.
    if (event.branch !== undefined || title === undefined) {
      const axis = title === undefined && cwd !== undefined ? "cwd" : "title";
      this.#leave(event, event.branch === undefined ? axis : "branches", "superseded");
      return;
    }
    this.#name(title);
    this.#ledger.mapped(event, "title");
    if (cwd !== undefined)
      this.#ledger.note({ axis: "cwd", level: "evidence-only", reason: "no-counterpart" }, this.#record);
  }

  #name(title: string): void {
    const name = title
      .toWellFormed()
      .replace(/\p{Cc}+/gu, " ")
      .trim();
    if (name === this.#title) return;
    this.#title = name;
    this.#tree.entry({ type: "session_info", name });
  }

  #changed(event: EventOf<"capabilities.changed">): void {
    const { model, thought_level: level, ...others } = event.payload.settings;
    let taken = typeof model === "string" && this.#model(model);
    if (typeof level === "string" && LEVELS.includes(level)) {
      this.#set("level", level, { type: "thinking_level_change", thinkingLevel: level });
      taken = true;
    }
    if (taken) this.#ledger.mapped(event, "settings");
    else this.#leave(event, "settings", "no-equal");
    if (taken && Object.keys(others).length > 0)
      this.#ledger.note({ axis: "settings", level: "evidence-only", reason: "no-equal" }, this.#record);
  }

  /** @returns false if nobody of Pi's serves it. */
  #model(model: string): boolean {
    const { provider, model: modelId } = servedBy(model);
    if (provider === UNKNOWN) return false;
    this.#set("model", `${provider}/${modelId}`, { type: "model_change", provider, modelId });
    return true;
  }

  /** A program may say with each turn what has not changed. */
  #set(name: string, value: string, entry: { type: string; [key: string]: unknown }): void {
    if (this.#native || this.#settings.get(name) !== value) this.#tree.entry(entry);
    this.#settings.set(name, value);
  }

  #message(event: Message): void {
    const { injected, audience } = event.payload;
    if (injected === "harness") {
      this.#ledger.leave(event, { axis: "injected-context", level: "dropped", reason: "harness-preamble" });
      return;
    }
    const axis = injected !== undefined ? "injected-context" : "messages";
    if (this.#say(event)) this.#ledger.mapped(event, axis);
    else this.#leave(event, audience && !audience.includes("assistant") ? "errors" : axis, "empty");
  }

  /** @returns false if there is nothing of it that could be written. */
  #say(event: Message): boolean {
    return event.payload.role === "assistant" ? this.#answer(event) : this.#said(event);
  }

  /** What a person, or a program in the person's place, said. */
  #said({ payload, nativeId }: Message): boolean {
    const { role, blocks, injected, kind, audience, display } = payload;
    const axis = injected !== undefined ? "injected-context" : "messages";
    const content = partsOf(blocks, axis, this.#ledger, this.#record);
    if (content.length === 0) return false;
    const isSent = audience?.includes("assistant") ?? true;
    const isShown = audience?.includes("user") ?? true;
    if (!isSent) this.#tree.shown({ role: "user", content }, undefined, nativeId);
    // A system message would take the place of Pi's own, and with it of its tools: it is told as a note.
    else if (injected === undefined && kind !== "summary" && role !== "system" && isShown) {
      const typed = display === undefined ? [] : this.#typed(display);
      if (typed.length > 0) this.#tree.shown({ role: "user", content: typed }, content, nativeId);
      else this.#tree.message({ role: "user", content }, nativeId);
    } else {
      this.#tree.said(
        {
          type: "custom_message",
          customType: ownTypeOf(payload),
          content,
          display: isShown,
          ...(display !== undefined && { details: { display: clean(display, this.#ledger, this.#record) } }),
        },
        nativeId,
      );
    }
    return true;
  }

  #typed(display: string): Part[] {
    return partsOf([{ type: "text", text: display }], "messages", this.#ledger, this.#record);
  }

  #answer({ payload, nativeId }: Message): boolean {
    const isSent = payload.audience?.includes("assistant") ?? true;
    const message = assistantMessage(payload, {
      native: this.#native,
      ledger: this.#ledger,
      record: this.#record,
      apis: this.#apis,
      callId: ({ toolCallId, name }) => this.#called(toolCallId, name, isSent),
    });
    if (!message) return false;
    if (isSent) this.#tree.message(message, nativeId);
    else if (isFailed(payload)) this.#tree.failed(message, nativeId);
    else this.#tree.shown(message, undefined, nativeId);
    return true;
  }

  #called(toolCallId: string, name: string, isSent: boolean): string {
    const id = this.#calls.made(toolCallId, name, isSent);
    if (id === toolCallId) this.#ledger.keep("ids");
    else this.#ledger.note({ axis: "ids", level: "partial", reason: "duplicate-id" }, this.#record);
    return id;
  }

  #result(event: EventOf<"tool.completed">): void {
    const { toolCallId, result, isError, detail } = event.payload;
    const call = this.#calls.answered(toolCallId);
    if (!call) {
      this.#leave(event, "tool-results", "orphan-result");
      return;
    }
    const content = partsOf(result, "tool-results", this.#ledger, this.#record);
    const own: Fields | undefined = this.#native ? fields(detail) : undefined;
    if (own) this.#ledger.keep("tool-details");
    else if (detail !== undefined)
      this.#ledger.note(
        { axis: "tool-details", level: "evidence-only", reason: "no-counterpart" },
        this.#record,
      );
    this.#tree.message(
      { role: "toolResult", toolCallId: call.id, toolName: call.name, content, isError, ...own },
      event.nativeId,
    );
    this.#ledger.mapped(event, "tool-results");
  }

  #status(event: EventOf<"status.changed">): void {
    const { status, context, reason } = event.payload;
    if (status === "rewound") this.#leave(event, "branches", "abandoned-branch");
    else if (status !== "compacted") this.#leave(event, "side-records", "no-counterpart");
    else if (!context) this.#leave(event, "compaction", "not-in-source");
    else {
      this.#compacted(context, event.nativeId);
      if (reason !== undefined)
        this.#ledger.note(
          { axis: "compaction", level: "evidence-only", reason: "no-counterpart" },
          this.#record,
        );
      this.#ledger.mapped(event, "compaction");
    }
  }

  #compacted([first, ...kept]: readonly SessionEvent[], nativeId: string | undefined): void {
    const summary = first?.type === "message.completed" ? ownSummary(first.payload) : undefined;
    const from = summary === undefined ? undefined : this.#tree.suffix(kept.map((each) => each.nativeId));
    if (summary !== undefined && from !== undefined) {
      this.#tree.compaction(clean(summary, this.#ledger, this.#record), from, nativeId);
      return;
    }
    // Pi would put its own words around another program's summary: a new root says just what there is to say.
    this.#tree.root();
    this.#calls = new Calls();
    for (const each of first ? [first, ...kept] : []) {
      if (each.type === "message.completed" && each.payload.injected === "harness")
        this.#ledger.note(
          { axis: "injected-context", level: "dropped", reason: "harness-preamble" },
          this.#record,
        );
      else if (each.type === "message.completed") this.#say(each);
      else if (each.type === "tool.completed") this.#result(each);
    }
  }

  #leave(event: SessionEvent, axis: Axis, reason: Reason): void {
    this.#ledger.leave(event, { axis, level: "evidence-only", reason });
  }
}

const AXES: Readonly<Record<string, SessionAxis>> = {
  approval: "approvals",
  artifact: "documents",
  run: "turns",
  turn: "turns",
  task: "plans",
};

/** The inside of a summary that Pi itself made. */
function ownSummary({ blocks }: Payloads["message.completed"]): string | undefined {
  const [only, more]: readonly Block[] = blocks;
  return only?.type === "text" && more === undefined ? compactionSummary(only.text) : undefined;
}
