/** Events in, records of a Qwen Code session out; every event is accounted for. */
import {
  type EventOf,
  type LossLedger,
  type SessionEvent,
  type SessionRef,
  WriterAccount,
} from "@asp-convert/core";
import { fields } from "@asp-convert/core/values";
import {
  answerParts,
  Calls,
  clean,
  noteUsage,
  type Part,
  partsFor,
  responseFor,
  type Said,
} from "@asp-convert/gemini-family";
import { provenance } from "./own.js";
import { type Body, Tree, type TreeOptions } from "./tree.js";
import { usageFor } from "./usage.js";

export interface ScribeOptions extends Omit<TreeOptions, "gitBranch"> {
  /** ISO 8601. */
  created: string;
  ref: SessionRef;
  ledger: LossLedger;
}

type Message = EventOf<"message.completed">;

export class Scribe {
  readonly #ref: SessionRef;
  readonly #account: WriterAccount;
  readonly #tree: Tree;
  #calls = new Calls();
  /** Turns go here instead of the file: into a history that stands for what was before. */
  #history: object[] | undefined;
  #isSaid = false;
  /** The first record says where the session came from. */
  #isFirst = true;

  constructor(options: ScribeOptions) {
    const { ref } = options;
    this.#ref = ref;
    this.#account = new WriterAccount({
      ...options,
      isNative: ref.harness === "qwen",
      name: (customTitle, by) =>
        this.#system("custom_title", { customTitle, titleSource: by === "agent" ? "auto" : "manual" }),
    });
    this.#tree = new Tree({ ...options, gitBranch: ref.git?.branch });
  }

  get size(): number {
    return this.#tree.size;
  }

  /** Of the last record: ISO 8601. */
  get time(): string {
    return this.#account.time;
  }

  /** Someone said something in it: the program lists no other sessions. */
  get isSaid(): boolean {
    return this.#isSaid;
  }

  drain(): string {
    return this.#tree.drain();
  }

  take(event: SessionEvent): void {
    this.#account.begin(event);
    if (this.#tree.turnTo(event.branch, event.branchFrom)) {
      this.#calls = new Calls();
      if (event.branch !== undefined) this.#account.ledger.keep("branches");
    }
    this.#take(event);
    if (event.nativeId !== undefined) this.#tree.passed(event.nativeId);
  }

  #take(event: SessionEvent): void {
    switch (event.type) {
      case "session.started":
        this.#started(event);
        return;
      case "session.bound":
        this.#account.bound(event);
        return;
      case "message.completed":
        this.#message(event);
        return;
      case "tool.completed":
        if (this.#result(event)) this.#account.ledger.mapped(event, "tool-results");
        else this.#account.leave(event, "tool-results", "orphan-result");
        return;
      case "status.changed":
        this.#status(event);
        return;
      default:
        this.#account.leaveUnplaced(event);
    }
  }

  end(): void {
    this.#tree.turnTo(undefined, undefined);
    this.#account.end();
    // The last record is where the talk ends, whatever branches came before it.
    if (!this.#tree.isAtEnd) this.#system("asp_leaf", {});
  }

  #started(event: EventOf<"session.started">): void {
    const { model, git } = event.payload;
    this.#account.started(event);
    // The answers name it; the program asks its settings which one goes on.
    if (model !== undefined && !this.#account.isNative) this.#account.note("models", "no-counterpart");
    if (git?.branch !== undefined) this.#account.ledger.keep("git");
    if (git && (git.commit !== undefined || git.repository !== undefined))
      this.#account.note("git", "no-counterpart");
  }

  #message(event: Message): void {
    const { injected, audience } = event.payload;
    if (this.#account.isPreamble(event)) return;
    const axis = injected === undefined ? "messages" : "injected-context";
    if (audience && !audience.includes("assistant")) this.#account.leave(event, "errors", "no-counterpart");
    else if (this.#say(event)) this.#account.ledger.mapped(event, axis);
    else this.#account.leave(event, axis, "empty");
  }

  /** @returns false if there is nothing of it that could be written. */
  #say({ payload, nativeId }: Message): boolean {
    return payload.role === "assistant" ? this.#answer(payload, nativeId) : this.#said(payload, nativeId);
  }

  #said(payload: Message["payload"], nativeId: string | undefined): boolean {
    const { role, blocks, injected, kind, audience, display } = payload;
    const parts = partsFor(blocks, injected === undefined ? "messages" : "injected-context", this.#saying);
    if (parts.length === 0) return false;
    const asp = {
      ...(injected && { injected }),
      ...(kind && { kind }),
      ...(display !== undefined && { display: clean(display, this.#saying) }),
      ...(audience && !audience.includes("user") && { sent: true }),
      ...(role === "system" && { role }),
    };
    const own = Object.keys(asp).length > 0 ? { asp } : {};
    this.#turn("user", parts, own, { provenance: injected === undefined ? "real_user" : "system" }, nativeId);
    return true;
  }

  #answer(payload: Message["payload"], nativeId: string | undefined): boolean {
    const { blocks, model, usage, stopReason, display } = payload;
    const parts = answerParts(blocks, {
      ...this.#saying,
      isNative: this.#account.isNative,
      sendsThoughts: true,
      callId: (toolCallId, name) => this.#account.called(this.#calls.begin(toolCallId, name), toolCallId),
    });
    if (parts.length === 0) return false;
    if (stopReason !== undefined) this.#account.note("turns", "no-counterpart");
    if (display !== undefined) this.#account.note("side-records", "no-counterpart");
    this.#counted(payload);
    const body = { ...(model !== undefined && { model }), ...(usage && { usageMetadata: usageFor(usage) }) };
    this.#turn("model", parts, {}, body, nativeId);
    return true;
  }

  /** A history of turns says neither who answered in it nor what that took. */
  #counted({ model, usage }: Message["payload"]): void {
    if (this.#history) {
      if (model !== undefined) this.#account.note("models", "no-counterpart");
      if (usage) this.#account.note("usage", "no-counterpart");
      return;
    }
    if (model !== undefined) this.#account.ledger.keep("models");
    if (usage) noteUsage(usage, this.#saying);
  }

  /** @returns false: no such call waits for an answer. */
  #result({ payload, nativeId }: EventOf<"tool.completed">): boolean {
    const { toolCallId, result, isError, detail } = payload;
    const call = this.#calls.answer(toolCallId);
    if (!call) return false;
    const { response, text, beside } = responseFor(call, result, isError, this.#saying);
    const own = this.#account.isNative ? fields(detail) : undefined;
    if (own) this.#account.ledger.keep("tool-details");
    else if (detail !== undefined) this.#account.note("tool-details", "no-counterpart");
    const parts = beside.length === 0 ? {} : { parts: beside };
    const functionResponse = { ...fields(response.functionResponse), ...parts };
    const message = { role: "user", parts: [{ functionResponse }] };
    const status = isError ? "error" : "success";
    const shown = own ?? { resultDisplay: text };
    if (this.#history) this.#history.push(message);
    else
      this.#put("tool_result", { message, toolCallResult: { callId: call.id, status, ...shown } }, nativeId);
    return true;
  }

  #status(event: EventOf<"status.changed">): void {
    const context = this.#account.compacted(event);
    if (!context) return;
    const info = {
      originalTokenCount: 0,
      newTokenCount: 0,
      compressionStatus: 1,
      triggerReason: event.payload.trigger ?? "manual",
    };
    this.#system("chat_compression", { info, compressedHistory: this.#historyOf(context) }, event.nativeId);
  }

  #historyOf(context: readonly SessionEvent[]): readonly object[] {
    const turns: object[] = [];
    this.#history = turns;
    this.#calls = new Calls();
    for (const each of this.#account.kept(context))
      if (each.type === "message.completed") this.#say(each);
      else this.#result(each);
    this.#history = undefined;
    return turns;
  }

  #turn(
    role: "user" | "model",
    parts: readonly Part[],
    own: Body,
    body: Body,
    nativeId: string | undefined,
  ): void {
    const message = { role, parts };
    if (this.#history) {
      this.#history.push({ ...message, ...own });
      return;
    }
    this.#isSaid = true;
    this.#put(role === "user" ? "user" : "assistant", { ...body, message, ...own }, nativeId);
  }

  #system(subtype: string, systemPayload: object, nativeId?: string): void {
    this.#put("system", { provenance: "system", subtype, systemPayload }, nativeId);
  }

  #put(type: string, body: Body, nativeId: string | undefined): void {
    const from = this.#isFirst ? { asp: { ...fields(body.asp), ...provenance(this.#ref) } } : {};
    this.#isFirst = false;
    this.#tree.put(type, this.#account.time, { ...body, ...from }, nativeId);
  }

  get #saying(): Said {
    const { ledger, record } = this.#account;
    return { ledger, record };
  }
}
