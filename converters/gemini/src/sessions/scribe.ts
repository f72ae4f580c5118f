/** Events in, messages of a Gemini CLI session out; every event is accounted for. */
import {
  type EventOf,
  type LossLedger,
  type SessionEvent,
  type SessionRef,
  WriterAccount,
} from "@asp-convert/core";
import { fields, oneLine } from "@asp-convert/core/values";
import { Calls, clean, type Part, partsFor, responseFor, type Said } from "@asp-convert/gemini-family";
import { sha256 } from "../layout.js";
import { answerFor } from "./answer.js";
import { type Own, provenance } from "./own.js";
import { type Row, Rows } from "./rows.js";
import { isContext, isIgnored, isSnapshot } from "./wire.js";

export interface ScribeOptions {
  id: string;
  cwd: string;
  /** ISO 8601. */
  created: string;
  seed: string;
  ref: SessionRef;
  ledger: LossLedger;
  /** The sessions of subagents, by the id that the call which started them has in the source. */
  agents: ReadonlyMap<string, string>;
  isSubagent: boolean;
}

type Message = EventOf<"message.completed">;

/** A model's message that may still get results. */
interface Open {
  row: Row;
  calls: Map<string, { call: object; result?: object }>;
}

export class Scribe {
  readonly #options: ScribeOptions;
  readonly #account: WriterAccount;
  readonly #rows: Rows;
  #title: string;
  #calls = new Calls();
  #open: Open | undefined;

  constructor(options: ScribeOptions) {
    this.#options = options;
    const { id, cwd, created, seed, ref, isSubagent } = options;
    this.#rows = new Rows(seed);
    this.#account = new WriterAccount({
      ...options,
      isNative: ref.harness === "gemini",
      name: (title) => this.#name(title),
    });
    this.#title = oneLine(this.#account.title);
    // No `lastUpdated`: the program deletes by it what is older than a month, and without it takes the present.
    this.#rows.line({
      sessionId: id,
      projectHash: sha256(cwd),
      startTime: created,
      kind: isSubagent ? "subagent" : "main",
      directories: [cwd],
      ...(this.#title !== "" && { summary: this.#title }),
      asp: provenance(ref),
    });
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Of the last message: ISO 8601. */
  get time(): string {
    return this.#account.time;
  }

  /** Someone said something in it: the program lists no other sessions. */
  get isSaid(): boolean {
    return this.#rows.isSaid;
  }

  drain(): string {
    return this.#rows.drain();
  }

  take(event: SessionEvent): void {
    this.#account.begin(event);
    if (this.#rows.turns(event)) this.#turnTo(event);
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
        if (this.#answered(event)) this.#account.ledger.mapped(event, "tool-results");
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
    this.#turnTo({});
    this.#account.end();
  }

  /** The first line has the one that counts in the end. */
  #name(title: string): void {
    if (title !== this.#title) this.#rows.line({ $set: { summary: title } });
    this.#title = title;
  }

  #turnTo(to: Pick<SessionEvent, "branch" | "branchFrom">): void {
    this.#settle();
    if (this.#rows.turnTo(to)) this.#account.ledger.keep("branches");
    this.#calls = new Calls();
  }

  #started(event: EventOf<"session.started">): void {
    const { model, git } = event.payload;
    this.#account.started(event);
    // The answers name it; Gemini CLI asks its settings which one goes on.
    if (model !== undefined && !this.#account.isNative) this.#account.note("models", "no-counterpart");
    if (git) this.#account.note("git", "no-counterpart");
  }

  #message(event: Message): void {
    const { injected, audience } = event.payload;
    if (this.#account.isPreamble(event)) return;
    const axis = injected === undefined ? "messages" : "injected-context";
    if (this.#say(event)) this.#account.ledger.mapped(event, axis);
    else this.#account.leave(event, audience && !audience.includes("assistant") ? "errors" : axis, "empty");
  }

  /** @returns false if there is nothing of it that could be written. */
  #say(event: Message): boolean {
    const { role, audience } = event.payload;
    this.#settle();
    if (audience && !audience.includes("assistant")) return this.#shown(event);
    return role === "assistant" ? this.#answer(event) : this.#said(event);
  }

  #said({ payload, nativeId }: Message): boolean {
    const { role, blocks, injected, kind, audience, display } = payload;
    const said = this.#saying;
    const content = partsFor(blocks, injected === undefined ? "messages" : "injected-context", said);
    if (content.length === 0) return false;
    const typed = display === undefined || display.trim() === "" ? undefined : clean(display, said);
    const text = content.map((part) => (typeof part.text === "string" ? part.text : "")).join("");
    const isSummary = kind === "summary" && !isSnapshot(text);
    const own: Own = {
      ...(injected && { injected }),
      ...((kind === "queued" || isSummary) && { kind }),
      ...(audience && !audience.includes("user") && { sent: true }),
      ...(role === "system" && { role }),
      // Without a word of ours it would be taken for the program's own.
      ...(content.some((part) => typeof part.text === "string" && isContext(part.text)) && { said: true }),
    };
    const isLeftOut = isIgnored(content);
    const shown = typed ?? (isLeftOut ? text : undefined);
    this.#row(
      "user",
      {
        content: isLeftOut ? asSent(content) : content,
        ...(shown !== undefined && { displayContent: [{ text: shown }] }),
      },
      own,
      nativeId,
    );
    return true;
  }

  /** The program shows these and sends them to nobody. */
  #shown({ payload, nativeId }: Message): boolean {
    const { role, blocks, injected, model, display } = payload;
    const isError = blocks.some(({ type }) => type === "error");
    const words = blocks.filter(({ type }) => type !== "tool-call" && type !== "thinking");
    if (words.length < blocks.length) this.#account.note("errors", "no-counterpart");
    const parts = partsFor(words, "errors", this.#saying);
    const text = parts.flatMap((part) => (typeof part.text === "string" ? [part.text] : [])).join("\n");
    if (parts.some((part) => typeof part.text !== "string")) this.#account.note("images", "shown-not-sent");
    if (text === "") return false;
    if (parts.length > 1) this.#account.note("errors", "merged", "partial");
    if (model !== undefined) this.#account.note("models", "no-counterpart");
    if (display !== undefined) this.#account.note("side-records", "no-counterpart");
    const isOwn = isError && role === "assistant" && injected === undefined;
    this.#row(
      isError ? "error" : "info",
      { content: text },
      isOwn ? {} : { shown: role, ...(injected && { injected }) },
      nativeId,
    );
    return true;
  }

  #answer({ payload, nativeId }: Message): boolean {
    const { time, isNative } = this.#account;
    const answer = answerFor(payload, {
      ...this.#saying,
      time,
      isNative,
      callId: (toolCallId, name) => this.#account.called(this.#calls.begin(toolCallId, name), toolCallId),
    });
    if (!answer) return false;
    const { calls, ...rest } = answer;
    const row = this.#rows.row("gemini", time, rest, {}, nativeId);
    this.#open = { row, calls: new Map(calls.map((call) => [call.id, { call }])) };
    return true;
  }

  /** @returns false: no such call waits for an answer. */
  #answered({ payload }: EventOf<"tool.completed">): boolean {
    const { toolCallId, result, isError, detail } = payload;
    const call = this.#calls.answer(toolCallId);
    const waiting = call && this.#open?.calls.get(call.id);
    if (!call || !waiting) return false;
    const { response, text, beside } = responseFor(call, result, isError, this.#saying);
    const own = this.#account.isNative ? fields(detail) : undefined;
    if (own) this.#account.ledger.keep("tool-details");
    else if (detail !== undefined) this.#account.note("tool-details", "no-counterpart");
    const agentId = this.#options.agents.get(toolCallId);
    waiting.result = {
      result: [response, ...beside],
      status: isError ? "error" : "success",
      timestamp: this.#account.time,
      ...(own ?? { resultDisplay: text, displayName: call.name }),
      ...(agentId !== undefined && { agentId }),
    };
    return true;
  }

  #status(event: EventOf<"status.changed">): void {
    if (event.branch !== undefined && event.payload.status === "compacted") {
      this.#account.leave(event, "branches", "no-counterpart");
      return;
    }
    const context = this.#account.compacted(event);
    if (!context) return;
    this.#settle();
    this.#calls = new Calls();
    this.#rows.replace(() => {
      for (const each of this.#account.kept(context))
        if (each.type === "message.completed") this.#say(each);
        else this.#answered(each);
      this.#settle();
    });
  }

  #row(type: string, body: object, own: object, nativeId: string | undefined): void {
    this.#rows.put(this.#rows.row(type, this.#account.time, body, own, nativeId));
  }

  /** The model's message has all that it will get. */
  #settle(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    const toolCalls = [...open.calls.values()].map(({ call, result }) => ({
      ...call,
      ...(result ?? { status: "cancelled", timestamp: open.row.timestamp }),
    }));
    this.#rows.put({ ...open.row, ...(toolCalls.length > 0 && { toolCalls }) });
  }

  get #saying(): Said {
    const { ledger, record } = this.#account;
    return { ledger, record };
  }
}

/**
 * Words that begin like a command of the program's are left out on resume, though they were said. A part that says of
 * itself that it is no thought is not looked at, and is sent with the same words.
 */
function asSent([first, ...rest]: Part[]): Part[] {
  return first ? [{ ...first, thought: false }, ...rest] : [];
}
