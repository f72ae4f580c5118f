/** Events in, lines of a Pi session out; every event is accounted for. */
import {
  type Axis,
  type Block,
  type EventOf,
  type LossLedger,
  type Reason,
  reasons,
  type SessionAxis,
  type SessionEvent,
  type SessionRef,
  sessionAxes,
} from "@asp-convert/core";
import { FORMAT } from "../version.js";
import { assistantMessage, type Makers } from "./answer.js";
import { clean, partsOf } from "./blocks.js";
import { Tree } from "./tree.js";
import { compactionSummary } from "./wire.js";

export interface ScribeOptions {
  id: string;
  cwd: string;
  /** ISO 8601. */
  created: string;
  seed: string;
  ref: SessionRef;
  ledger: LossLedger;
}

export class Scribe {
  readonly #options: ScribeOptions;
  readonly #tree: Tree;
  /** Names of the calls so far: a result names its tool too. */
  readonly #calls = new Map<string, string>();
  readonly #makers: Makers = { providers: new Map(), native: false };
  #record: number | undefined;

  constructor(options: ScribeOptions) {
    this.#options = options;
    this.#makers.native = options.ref.harness === "pi";
    this.#tree = new Tree(options.seed, options.created);
    this.#tree.line({
      type: "session",
      version: FORMAT,
      id: options.id,
      timestamp: options.created,
      cwd: options.cwd,
    });
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
    const { ledger } = this.#options;
    this.#record = event.origin[0]?.record;
    this.#tree.branch(event.branch, event.branchFrom);
    const dated = this.#tree.at(event.time);
    if (
      !dated &&
      (event.type === "message.completed" || event.type === "tool.completed") &&
      event.origin.length > 0
    ) {
      ledger.note({ axis: "times", level: "partial", reason: "time-inferred" }, this.#record);
    }
    switch (event.type) {
      case "session.started":
        this.#started(event);
        return;
      case "session.bound":
        this.#title(event.payload.title ?? "");
        ledger.mapped(event, "title");
        return;
      case "capabilities.changed":
        this.#settings(event);
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
      case "turn.started":
      case "turn.completed":
        this.#leave(event, "turns", "no-counterpart");
        return;
      case "task.updated":
        this.#leave(event, "plans", "no-counterpart");
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
    if (ref.titleFrom !== "prompt" && ref.title !== undefined && !this.#makers.native) this.#title(ref.title);
    this.#tree.entry({
      type: "custom",
      customType: "asp.provenance",
      data: { converted_from: { harness: ref.harness, session_id: ref.id } },
    });
  }

  #started(event: EventOf<"session.started">): void {
    const { ledger } = this.#options;
    ledger.mapped(event, "cwd");
    if (event.payload.git)
      ledger.note({ axis: "git", level: "evidence-only", reason: "no-counterpart" }, this.#record);
  }

  #title(title: string): void {
    const line = title
      .toWellFormed()
      .replace(/\p{Cc}+/gu, " ")
      .trim();
    this.#tree.entry({ type: "session_info", name: line });
  }

  #settings(event: EventOf<"capabilities.changed">): void {
    const { ledger } = this.#options;
    const { model, thought_level, ...others } = event.payload.settings;
    const [, provider, modelId] = /^([^/]+)\/(.+)$/.exec(String(model ?? "")) ?? [];
    let wrote = false;
    if (this.#makers.native && provider !== undefined && modelId !== undefined) {
      this.#makers.providers.set(modelId, provider);
      this.#tree.entry({ type: "model_change", provider, modelId });
      wrote = true;
    }
    if (this.#makers.native && typeof thought_level === "string") {
      this.#tree.entry({ type: "thinking_level_change", thinkingLevel: thought_level });
      wrote = true;
    }
    if (!wrote) this.#leave(event, "settings", "no-equal");
    else {
      ledger.mapped(event, "settings");
      if (Object.keys(others).length > 0)
        ledger.note({ axis: "settings", level: "evidence-only", reason: "no-equal" }, this.#record);
    }
  }

  #message(event: EventOf<"message.completed">): void {
    const { ledger } = this.#options;
    const { role, injected, audience } = event.payload;
    if (injected === "harness" || role === "system") {
      ledger.leave(event, { axis: "injected-context", level: "dropped", reason: "harness-preamble" });
      return;
    }
    const wrote = role === "assistant" ? this.#answer(event) : this.#said(event);
    if (!wrote) this.#leave(event, audience?.includes("user") ? "errors" : "messages", "not-supported");
    else ledger.mapped(event, injected === undefined ? "messages" : "injected-context");
  }

  /** What a person, or a program in the person's place, said. */
  #said({ payload, nativeId }: EventOf<"message.completed">): boolean {
    const { ledger } = this.#options;
    const content = partsOf(payload.blocks, ledger, this.#record);
    // Shown and never sent: Pi has no such user message.
    if (content.length === 0 || (payload.audience && !payload.audience.includes("assistant"))) return false;
    if (payload.injected === undefined && payload.kind !== "summary") {
      this.#tree.message({ role: "user", content }, nativeId);
    } else {
      const display = payload.audience?.includes("user") ?? true;
      this.#tree.entry(
        { type: "custom_message", customType: `asp.${payload.injected ?? "summary"}`, content, display },
        nativeId,
      );
    }
    return true;
  }

  #answer({ payload, nativeId }: EventOf<"message.completed">): boolean {
    const { ledger } = this.#options;
    const message = assistantMessage(payload, this.#makers, ledger, this.#record);
    if (!message) return false;
    for (const block of payload.blocks)
      if (block.type === "tool-call") this.#calls.set(block.toolCallId, block.name);
    this.#tree.message(message, nativeId);
    return true;
  }

  #result(event: EventOf<"tool.completed">): void {
    const { ledger } = this.#options;
    const { toolCallId, result, isError, detail } = event.payload;
    const toolName = this.#calls.get(toolCallId);
    if (toolName === undefined) {
      this.#leave(event, "tool-results", "orphan-result");
      return;
    }
    const content = partsOf(keepEmpty(result), ledger, this.#record);
    const native = this.#makers.native && detail !== undefined;
    if (detail !== undefined && !native) {
      ledger.note({ axis: "tool-details", level: "evidence-only", reason: "no-counterpart" }, this.#record);
    }
    this.#tree.message(
      { role: "toolResult", toolCallId, toolName, content, isError, ...(native && { details: detail }) },
      event.nativeId,
    );
    ledger.mapped(event, "tool-results");
  }

  #status(event: EventOf<"status.changed">): void {
    const { ledger } = this.#options;
    const { status, context } = event.payload;
    if (status !== "compacted" || !context) {
      if (status === "rewound") this.#leave(event, "branches", "abandoned-branch");
      else if (status === "compacted") this.#leave(event, "compaction", "not-in-source");
      else this.#leave(event, "side-records", "no-counterpart");
      return;
    }
    const [first, ...kept] = context;
    const summary = first?.type === "message.completed" ? ownSummary(first.payload.blocks) : undefined;
    const from = summary === undefined ? undefined : this.#tree.suffix(kept.map(({ nativeId }) => nativeId));
    if (summary !== undefined && from !== undefined) {
      this.#tree.compaction(clean(summary, ledger, this.#record), from);
    } else {
      // Pi would put its own words around another program's summary: a new root says just what there is to say.
      this.#tree.root();
      for (const each of context) {
        if (each.type === "message.completed" && each.payload.injected !== "harness") {
          if (each.payload.role === "assistant") this.#answer(each);
          else this.#said(each);
        } else if (each.type === "tool.completed") this.#result(each);
      }
    }
    ledger.mapped(event, "compaction");
  }

  #leave(event: SessionEvent, axis: Axis, reason: Reason): void {
    this.#options.ledger.leave(event, { axis, level: "evidence-only", reason });
  }
}

const AXES: Readonly<Record<string, SessionAxis>> = {
  approval: "approvals",
  artifact: "documents",
  run: "turns",
};

/** The inside of a summary that Pi itself made. */
function ownSummary(blocks: readonly Block[]): string | undefined {
  const [only, more] = blocks;
  return only?.type === "text" && more === undefined ? compactionSummary(only.text) : undefined;
}

/** A tool that said nothing said nothing: no loss to be told. */
function keepEmpty(blocks: readonly Block[]): Block[] {
  return blocks.filter((block) => block.type !== "text" || block.text !== "");
}
