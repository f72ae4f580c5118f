/** Events in, records of a Droid session out; every event is accounted for. */
import {
  type Block,
  type EventOf,
  type LossLedger,
  legalId,
  type SessionEvent,
  type SessionRef,
  Titles,
  uuidFrom,
  WriterAccount,
} from "@asp-convert/core";
import { fields } from "@asp-convert/core/values";
import { callPart, type Part, partFor, partsFor, resultContent, type Said, textPart } from "./encode.js";
import { provenance } from "./own.js";

export interface ScribeOptions {
  id: string;
  cwd: string;
  seed: string;
  /** ISO 8601. */
  created: string;
  ref: SessionRef;
  ledger: LossLedger;
}

type Message = EventOf<"message.completed">;

const LEGAL = /^[a-zA-Z0-9_-]+$/;
const NO_RESULT = "[No result: the source holds none for this call]";

export class Scribe {
  readonly #options: ScribeOptions;
  readonly #account: WriterAccount;
  readonly #titles: Titles;
  #lines: string[] = [];
  #size = 0;
  #count = 0;
  #parent: string | undefined;
  #messages = 0;
  /** Calls without a result, by the source's id: theirs here. */
  #open = new Map<string, string>();
  readonly #used = new Set<string>();
  /** Results of one answer stand in one message. */
  #results: { parts: Part[]; nativeId: string | undefined; time: string } | undefined;
  #isSaid = false;

  constructor(options: ScribeOptions) {
    const { ref, ledger } = options;
    this.#options = options;
    this.#titles = new Titles(ref, ledger);
    this.#account = new WriterAccount({ ...options, isNative: ref.harness === "droid", name: () => {} });
    this.#head();
  }

  get size(): number {
    return this.#size;
  }

  /** Of the last record: ISO 8601. */
  get time(): string {
    return this.#account.time;
  }

  get isSaid(): boolean {
    return this.#isSaid;
  }

  drain(): string {
    const text = this.#lines.join("");
    this.#lines = [];
    this.#size = 0;
    return text;
  }

  take(event: SessionEvent): void {
    this.#account.begin(event);
    // The program sends its model all that is in the file.
    if (event.branch !== undefined) {
      this.#account.leave(event, "branches", "abandoned-branch");
      return;
    }
    switch (event.type) {
      case "session.started":
        this.#titles.take(event);
        this.#started(event);
        return;
      case "session.bound":
        if (event.payload.title === undefined) this.#account.leave(event, "cwd", "superseded");
        else this.#titles.take(event);
        return;
      case "message.completed":
        this.#message(event);
        return;
      case "tool.completed":
        if (this.#result(event)) this.#account.ledger.mapped(event, "tool-results");
        else this.#account.leave(event, "tool-results", "orphan-result");
        return;
      case "turn.completed":
        this.#turn(event);
        return;
      case "status.changed":
        this.#status(event);
        return;
      default:
        this.#account.leaveUnplaced(event);
    }
  }

  end(): void {
    this.#flush();
    this.#titles.end();
    this.#account.end();
  }

  /** `owner`: without it the program takes the whole history for empty. */
  #head(): void {
    const { id, cwd, ref } = this.#options;
    const title = this.#titles.title ?? ref.title ?? "Imported session";
    this.#put({
      type: "session_start",
      ...{ id, title, owner: "unknown", version: 2, cwd },
      isSessionTitleManuallySet: ref.titleFrom === "user",
      asp: provenance(ref),
    });
  }

  #started(event: EventOf<"session.started">): void {
    const { git, model, harnessVersion } = event.payload;
    this.#account.ledger.mapped(event, "cwd");
    if (git) this.#account.note("git", "no-counterpart");
    if (model !== undefined) this.#account.note("models", "no-counterpart");
    if (harnessVersion !== undefined) this.#account.note("side-records", "generated");
  }

  #message(event: Message): void {
    const { injected } = event.payload;
    if (this.#account.isPreamble(event)) return;
    const axis = injected === undefined ? "messages" : "injected-context";
    if (this.#say(event)) this.#account.ledger.mapped(event, axis);
    else this.#account.leave(event, axis, "empty");
  }

  /** @returns false if there is nothing of it that could be written. */
  #say({ payload, nativeId }: Message): boolean {
    this.#flush();
    const { role, blocks, model, usage, stopReason, injected, kind, audience, display } = payload;
    const isAnswer = role === "assistant" && !(audience && !audience.includes("assistant"));
    const parts = isAnswer ? this.#answer(blocks) : this.#words(payload);
    if (parts.length === 0) return false;
    const { account, said } = { account: this.#account, said: this.#said };
    this.#unsaid({ ...(usage && { usage }), ...(stopReason !== undefined && { stopReason }) });
    if (isAnswer && model !== undefined) account.ledger.keep("models");
    else if (model !== undefined) account.note("models", "no-counterpart");
    const seen = this.#visibility(payload);
    const asp = {
      ...(injected && { injected }),
      ...(kind && { kind }),
      ...(display !== undefined && { display: display.toWellFormed() }),
      ...(role === "system" && { role }),
    };
    if (display !== undefined && !display.isWellFormed())
      said.ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, said.record);
    this.#isSaid = true;
    const own = Object.keys(asp).length > 0 ? { asp } : {};
    const message = {
      ...{ role: isAnswer ? "assistant" : "user", content: parts },
      ...(seen && { visibility: seen }),
      ...(isAnswer && model !== undefined && { modelId: model }),
    };
    this.#record(message, nativeId, this.time, own);
    return true;
  }

  /** What is known of a message and has no place here. */
  #unsaid({ usage, stopReason, model }: Pick<Message["payload"], "usage" | "stopReason" | "model">): void {
    if (usage) this.#account.note("usage", "no-counterpart");
    if (stopReason !== undefined) this.#account.note("turns", "no-counterpart");
    if (model !== undefined) this.#account.note("models", "no-counterpart");
  }

  #words({ blocks, injected }: Message["payload"]): Part[] {
    return partsFor(blocks, injected === undefined ? "messages" : "injected-context", this.#said);
  }

  #visibility({ audience, injected }: Message["payload"]): "llm_only" | "user_only" | undefined {
    if (audience && !audience.includes("assistant")) return "user_only";
    return injected !== undefined || (audience && !audience.includes("user")) ? "llm_only" : undefined;
  }

  #answer(blocks: readonly Block[]): Part[] {
    return blocks.flatMap((block) => {
      if (block.type !== "tool-call") return partFor(block, "messages", this.#said);
      const id = this.#callId(block.toolCallId);
      this.#open.set(block.toolCallId, id);
      this.#account.ledger.keep("tool-calls");
      return [callPart(block, id, this.#said)];
    });
  }

  #callId(source: string): string {
    let id = legalId(source, LEGAL);
    for (let again = 2; this.#used.has(id); again++) id = legalId(`${source} ${again}`, LEGAL);
    this.#used.add(id);
    return this.#account.called(id, source);
  }

  /** @returns false: no such call waits for an answer. */
  #result({ payload, nativeId }: EventOf<"tool.completed">): boolean {
    const { toolCallId, result, isError, detail } = payload;
    const call = this.#open.get(toolCallId);
    if (call === undefined) return false;
    this.#open.delete(toolCallId);
    const own = this.#account.isNative ? fields(detail) : undefined;
    if (own) this.#account.ledger.keep("tool-details");
    else if (detail !== undefined) this.#account.note("tool-details", "no-counterpart");
    this.#results ??= { parts: [], nativeId, time: this.time };
    this.#results.time = this.time;
    this.#results.parts.push({
      type: "tool_result",
      tool_use_id: call,
      is_error: isError,
      content: own ? JSON.stringify(own) : resultContent(result, this.#said),
    });
    return true;
  }

  /** Before the next message: what was answered, and of what was not that it was not. */
  #flush(): void {
    const parts = [...(this.#results?.parts ?? [])];
    for (const [source, id] of this.#open) {
      this.#account.note("tool-results", "missing-result", "partial");
      parts.push({ type: "tool_result", tool_use_id: id, is_error: true, content: NO_RESULT });
      this.#open.delete(source);
    }
    const { nativeId, time = this.time } = this.#results ?? {};
    if (parts.length > 0) this.#record({ role: "user", content: parts }, nativeId, time, {});
    this.#results = undefined;
  }

  #turn(event: EventOf<"turn.completed">): void {
    const { status, error, usage, turnId } = event.payload;
    if (status !== "completed") {
      this.#account.leaveUnplaced(event);
      return;
    }
    this.#flush();
    if (usage) this.#account.note("usage", "no-counterpart");
    if (error !== undefined) this.#account.note("errors", "no-counterpart");
    this.#account.ledger.mapped(event, "turns");
    this.#put({ type: "agent_turn_outcome", turnId, reason: "completed", resultKind: "text" });
  }

  /** Without a summary to put in its place the model is sent what it was before. */
  #status(event: EventOf<"status.changed">): void {
    const { context } = event.payload;
    const summary = context?.find(
      (each) => each.type === "message.completed" && each.payload.kind === "summary",
    );
    if (event.payload.status === "compacted" && context && summary?.type !== "message.completed") {
      this.#account.leave(event, "compaction", "not-supported");
      return;
    }
    const kept = this.#account.compacted(event);
    if (!kept || summary?.type !== "message.completed") return;
    this.#flush();
    this.#unsaid(summary.payload);
    // It is sent first, as a person's, whatever stood before it.
    if (kept[0] !== summary || summary.payload.role !== "user")
      this.#account.note("compaction", "re-encoded", "partial");
    const text = summary.payload.blocks.flatMap((block) => this.#summed(block)).join("\n\n");
    const id = uuidFrom(`${this.#options.seed} compaction ${this.#count++}`);
    const removed = this.#messages;
    this.#put({
      type: "compaction_state",
      ...{ id, timestamp: this.time, summaryText: text, summaryTokens: 0, summaryKind: "llm_summary" },
      // The last message that the summary stands for; without it the model is sent them all again.
      ...(this.#parent !== undefined && { anchorMessage: { id: this.#parent, index: removed - 1 } }),
      removedCount: removed,
    });
    for (const each of this.#account.kept(kept)) {
      if (each === summary) continue;
      if (each.type === "message.completed") this.#say(each);
      else this.#result(each);
    }
    this.#flush();
  }

  /** A summary is a text here. */
  #summed(block: Block): string[] {
    if (block.type === "text") return textPart(block.text, this.#said).map(({ text }) => text);
    const axis = block.type === "image" ? "images" : block.type === "thinking" ? "thinking" : "compaction";
    this.#account.note(axis, "not-supported");
    return [];
  }

  #record(message: object, nativeId: string | undefined, timestamp: string, own: object): void {
    const id = uuidFrom(`${this.#options.seed} ${this.#count++} ${nativeId ?? ""}`);
    const parent = this.#parent === undefined ? {} : { parentId: this.#parent };
    this.#put({ type: "message", id, ...parent, timestamp, message, ...own });
    this.#parent = id;
    this.#messages++;
  }

  #put(record: object): void {
    const line = `${JSON.stringify(record)}\n`;
    this.#lines.push(line);
    this.#size += line.length;
  }

  get #said(): Said {
    const { ledger, record, isNative } = this.#account;
    return { ledger, record, isNative };
  }
}
