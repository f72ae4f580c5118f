/** Events in, lines of a Pi session out; every event is accounted for. */
import {
  type Block,
  type EventOf,
  type LossLedger,
  type Payloads,
  type SessionEvent,
  type SessionRef,
  WriterAccount,
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
  readonly #account: WriterAccount;
  readonly #ledger: LossLedger;
  readonly #tree: Tree;
  #calls = new Calls();
  readonly #settings = new Map<string, string>();
  readonly #apis = new Map<string, string>();

  constructor(options: ScribeOptions) {
    this.#account = new WriterAccount({
      ...options,
      isNative: isKin(options.ref.harness),
      name: (name) => this.#tree.entry({ type: "session_info", name }),
    });
    this.#ledger = options.ledger;
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
    this.#account.begin(event);
    if (this.#tree.branch(event.branch, event.branchFrom) && event.branch !== undefined)
      this.#ledger.keep("branches");
    this.#tree.at(event.time);
    this.#take(event);
    this.#tree.passed(event.nativeId);
  }

  #take(event: SessionEvent): void {
    switch (event.type) {
      case "session.started":
        this.#started(event);
        return;
      case "session.bound":
        this.#account.bound(event);
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
      default:
        this.#account.leaveUnplaced(event);
    }
  }

  /** The last line is the leaf: it hangs below the talk, whatever branches came after it. */
  end(): void {
    this.#tree.branch(undefined, undefined);
    this.#account.end({ ownBranches: this.#account.isNative });
    if (!this.#tree.isLast()) this.#tree.entry({ type: "custom", customType: "asp.leaf", data: {} });
  }

  #started(event: EventOf<"session.started">): void {
    const { model, git } = event.payload;
    this.#account.started(event);
    // Pi's own is that of an entry which comes.
    if (model !== undefined && !this.#account.isNative && !this.#model(model))
      this.#account.note("models", "no-equal");
    if (git) this.#account.note("git", "no-counterpart");
  }

  #changed(event: EventOf<"capabilities.changed">): void {
    const { model, thought_level: level, ...others } = event.payload.settings;
    let taken = typeof model === "string" && this.#model(model);
    if (typeof level === "string" && LEVELS.includes(level)) {
      this.#set("level", level, { type: "thinking_level_change", thinkingLevel: level });
      taken = true;
    }
    if (taken) this.#ledger.mapped(event, "settings");
    else this.#account.leave(event, "settings", "no-equal");
    if (taken && Object.keys(others).length > 0) this.#account.note("settings", "no-equal");
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
    if (this.#account.isNative || this.#settings.get(name) !== value) this.#tree.entry(entry);
    this.#settings.set(name, value);
  }

  #message(event: Message): void {
    const { injected, audience } = event.payload;
    if (this.#account.isPreamble(event)) return;
    const axis = injected !== undefined ? "injected-context" : "messages";
    if (this.#say(event)) this.#ledger.mapped(event, axis);
    else this.#account.leave(event, audience && !audience.includes("assistant") ? "errors" : axis, "empty");
  }

  /** @returns false if there is nothing of it that could be written. */
  #say(event: Message): boolean {
    return event.payload.role === "assistant" ? this.#answer(event) : this.#said(event);
  }

  /** What a person, or a program in the person's place, said. */
  #said({ payload, nativeId }: Message): boolean {
    const { role, blocks, injected, kind, audience, display } = payload;
    const axis = injected !== undefined ? "injected-context" : "messages";
    const { record } = this.#account;
    const content = partsOf(blocks, axis, this.#ledger, record);
    if (content.length === 0) return false;
    const isSent = audience?.includes("assistant") ?? true;
    const isShown = audience?.includes("user") ?? true;
    if (!isSent) {
      if (display !== undefined) this.#account.note("side-records", "no-counterpart");
      this.#tree.shown({ role: "user", content }, undefined, nativeId);
    }
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
          ...(display !== undefined && { details: { display: clean(display, this.#ledger, record) } }),
        },
        nativeId,
      );
    }
    return true;
  }

  #typed(display: string): Part[] {
    return partsOf([{ type: "text", text: display }], "messages", this.#ledger, this.#account.record);
  }

  #answer({ payload, nativeId }: Message): boolean {
    const isSent = payload.audience?.includes("assistant") ?? true;
    const message = assistantMessage(payload, {
      native: this.#account.isNative,
      ledger: this.#ledger,
      record: this.#account.record,
      apis: this.#apis,
      callId: ({ toolCallId, name }) =>
        this.#account.called(this.#calls.made(toolCallId, name, isSent), toolCallId),
    });
    if (!message) return false;
    if (payload.display !== undefined) this.#account.note("side-records", "no-counterpart");
    if (isSent) this.#tree.message(message, nativeId);
    else if (isFailed(payload)) this.#tree.failed(message, nativeId);
    else this.#tree.shown(message, undefined, nativeId);
    return true;
  }

  #result(event: EventOf<"tool.completed">): void {
    const { toolCallId, result, isError, detail } = event.payload;
    const call = this.#calls.answered(toolCallId);
    if (!call) {
      this.#account.leave(event, "tool-results", "orphan-result");
      return;
    }
    const content = partsOf(result, "tool-results", this.#ledger, this.#account.record);
    const own: Fields | undefined = this.#account.isNative ? fields(detail) : undefined;
    if (own) this.#ledger.keep("tool-details");
    else if (detail !== undefined) this.#account.note("tool-details", "no-counterpart");
    this.#tree.message(
      { role: "toolResult", toolCallId: call.id, toolName: call.name, content, isError, ...own },
      event.nativeId,
    );
    this.#ledger.mapped(event, "tool-results");
  }

  #status(event: EventOf<"status.changed">): void {
    const context = this.#account.compacted(event);
    if (context) this.#compacted(context, event.nativeId);
  }

  #compacted(context: readonly SessionEvent[], nativeId: string | undefined): void {
    const [first, ...kept] = context;
    const summary = first?.type === "message.completed" ? ownSummary(first.payload) : undefined;
    const from = summary === undefined ? undefined : this.#tree.suffix(kept.map((each) => each.nativeId));
    if (summary !== undefined && from !== undefined) {
      this.#tree.compaction(clean(summary, this.#ledger, this.#account.record), from, nativeId);
      return;
    }
    // Pi would put its own words around another program's summary: a new root says just what there is to say.
    this.#tree.root();
    this.#calls = new Calls();
    for (const each of this.#account.kept(context))
      if (each.type === "message.completed") this.#say(each);
      else this.#result(each);
  }
}

/** The inside of a summary that Pi itself made. */
function ownSummary({ blocks }: Payloads["message.completed"]): string | undefined {
  const [only, more]: readonly Block[] = blocks;
  return only?.type === "text" && more === undefined ? compactionSummary(only.text) : undefined;
}
