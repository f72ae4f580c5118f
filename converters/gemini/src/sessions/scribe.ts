/** Events in, lines of a Gemini CLI session out; every event is accounted for. */
import {
  type Axis,
  type EventOf,
  type LossLedger,
  type Reason,
  reasons,
  type SessionAxis,
  type SessionEvent,
  type SessionRef,
  sessionAxes,
  uuidFrom,
} from "@asp-convert/core";
import { fields, isoTime } from "@asp-convert/core/values";
import { Calls, clean, type Part, partsFor, responseFor, type Said } from "@asp-convert/gemini-family";
import { sha256 } from "../layout.js";
import { type Answer, answerFor, type Waiting } from "./answer.js";
import { type Own, provenance } from "./own.js";
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
type Row = { id: string; timestamp: string; type: string; [key: string]: unknown };

/** A model's message that may still get results. */
interface Open {
  row: Row;
  calls: Map<string, { call: Waiting; result?: object }>;
}

export class Scribe {
  readonly #options: ScribeOptions;
  readonly #ledger: LossLedger;
  readonly #native: boolean;
  #text = "";
  #time: string;
  #made = 0;
  #calls = new Calls();
  #open: Open | undefined;
  /** Where rows go instead of the file: into a list that replaces the one there. */
  #list: Row[] | undefined;
  #record: number | undefined;
  #title: string | undefined;

  #branch: { id: string; from: string | undefined; first: string | undefined } | undefined;
  #aside = 0;
  #renamed = 0;
  #isSaid = false;

  constructor(options: ScribeOptions) {
    this.#options = options;
    this.#ledger = options.ledger;
    const { id, cwd, created, ref, isSubagent } = options;
    this.#native = ref.harness === "gemini";
    this.#time = created;
    if (ref.titleFrom !== "prompt" && ref.title !== undefined) this.#title = oneLine(ref.title);
    // No `lastUpdated`: the program deletes by it what is older than a month, and without it takes the present.
    this.#line({
      sessionId: id,
      projectHash: sha256(cwd),
      startTime: created,
      kind: isSubagent ? "subagent" : "main",
      directories: [cwd],
      ...(this.#title !== undefined && { summary: this.#title }),
      asp: provenance(ref),
    });
  }

  get size(): number {
    return this.#text.length;
  }

  /** Of the last message: ISO 8601. */
  get time(): string {
    return this.#time;
  }

  /** Someone said something in it: the program lists no other sessions. */
  get isSaid(): boolean {
    return this.#isSaid;
  }

  drain(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  take(event: SessionEvent): void {
    this.#record = event.origin[0]?.record;
    if (event.branch !== undefined) this.#aside++;
    this.#turnTo(event);
    this.#date(event);
    this.#take(event);
    if (event.nativeId !== undefined) this.#renamed++;
  }

  end(): void {
    this.#turnTo({});
    this.#settle();
    const { ref } = this.#options;
    if (this.#renamed > 0)
      this.#ledger.note({ axis: "ids", level: "evidence-only", reason: "generated", count: this.#renamed });
    // Of what is lost inside of a branch, each axis is told; that it was one is told once.
    if (this.#aside > 0)
      this.#ledger.note({ axis: "branches", level: "partial", reason: "re-encoded", count: this.#aside });
    if (ref.parent?.relation === "subagent") this.#ledger.keep("subagents");
    else if (ref.parent)
      this.#ledger.note({ axis: "lineage", level: "evidence-only", reason: "no-counterpart" });
  }

  /** A branch is written after the talk, and taken back: the program sends it to nobody. */
  #turnTo({ branch, branchFrom }: Pick<SessionEvent, "branch" | "branchFrom">): void {
    if (branch === this.#branch?.id) return;
    this.#settle();
    const first = this.#branch?.first;
    if (first !== undefined) {
      this.#line({ $rewindTo: first });
      this.#ledger.keep("branches");
    }
    this.#calls = new Calls();
    const from = branchFrom === undefined ? undefined : this.#idOf(branchFrom);
    this.#branch = branch === undefined ? undefined : { id: branch, from, first: undefined };
  }

  #date({ type, time, origin }: SessionEvent): void {
    const valid = isoTime(time);
    if (valid !== undefined) this.#time = new Date(valid).toISOString();
    if ((type !== "message.completed" && type !== "tool.completed") || origin.length === 0) return;
    if (valid !== undefined) this.#ledger.keep("times");
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
        if (event.payload.error !== undefined) this.#note("errors", "no-counterpart");
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

  #started(event: EventOf<"session.started">): void {
    const { model, git, harnessVersion, title } = event.payload;
    this.#ledger.mapped(event, "cwd");
    if (title !== undefined && this.#title !== undefined) this.#ledger.keep("title");
    // The answers name it; Gemini CLI asks its settings which one goes on.
    if (model !== undefined && !this.#native) this.#note("models", "no-counterpart");
    if (git) this.#note("git", "no-counterpart");
    if (harnessVersion !== undefined) this.#note("side-records", "generated");
  }

  #bound(event: EventOf<"session.bound">): void {
    const { title, cwd } = event.payload;
    if (event.branch !== undefined || title === undefined) {
      const axis = title === undefined && cwd !== undefined ? "cwd" : "title";
      this.#leave(event, event.branch === undefined ? axis : "branches", "superseded");
      return;
    }
    const named = oneLine(title);
    if (named !== this.#title) this.#line({ $set: { summary: named } });
    this.#title = named;
    this.#ledger.mapped(event, "title");
    if (cwd !== undefined) this.#note("cwd", "no-counterpart");
  }

  #message(event: Message): void {
    const { injected, audience } = event.payload;
    if (injected === "harness") {
      this.#ledger.leave(event, { axis: "injected-context", level: "dropped", reason: "harness-preamble" });
      return;
    }
    const axis = injected === undefined ? "messages" : "injected-context";
    if (this.#say(event)) this.#ledger.mapped(event, axis);
    else this.#leave(event, audience && !audience.includes("assistant") ? "errors" : axis, "empty");
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
    this.#row(
      "user",
      {
        content: isLeftOut ? asSent(content) : content,
        ...(typed !== undefined
          ? { displayContent: [{ text: typed }] }
          : isLeftOut && { displayContent: [{ text }] }),
      },
      own,
      nativeId,
    );
    return true;
  }

  /** The program shows these and sends them to nobody. */
  #shown({ payload, nativeId }: Message): boolean {
    const { role, blocks, injected } = payload;
    const said = this.#saying;
    const isError = blocks.some(({ type }) => type === "error");
    const words = blocks.filter(({ type }) => type !== "tool-call" && type !== "thinking");
    if (words.length < blocks.length) this.#note("errors", "no-counterpart");
    const parts = partsFor(words, "errors", said);
    const text = parts.flatMap((part) => (typeof part.text === "string" ? [part.text] : [])).join("\n");
    if (parts.some((part) => typeof part.text !== "string")) this.#note("images", "shown-not-sent");
    if (text === "") return false;
    if (parts.length > 1)
      this.#ledger.note({ axis: "errors", level: "partial", reason: "merged" }, this.#record);
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
    const answer = answerFor(payload, {
      ...this.#saying,
      time: this.#time,
      isNative: this.#native,
      callId: (toolCallId, name) => this.#called(toolCallId, name),
    });
    if (!answer) return false;
    const { calls, ...rest }: Answer = answer;
    const row = this.#rowOf("gemini", rest, {}, nativeId);
    this.#open = { row, calls: new Map(calls.map((call) => [call.id, { call }])) };
    return true;
  }

  #called(toolCallId: string, name: string): string {
    const id = this.#calls.begin(toolCallId, name);
    if (id === toolCallId) this.#ledger.keep("ids");
    else this.#ledger.note({ axis: "ids", level: "partial", reason: "duplicate-id" }, this.#record);
    return id;
  }

  #result(event: EventOf<"tool.completed">): void {
    if (this.#answered(event)) this.#ledger.mapped(event, "tool-results");
    else this.#leave(event, "tool-results", "orphan-result");
  }

  #answered({ payload }: EventOf<"tool.completed">): boolean {
    const { toolCallId, result, isError, detail } = payload;
    const call = this.#calls.answer(toolCallId);
    const waiting = call && this.#open?.calls.get(call.id);
    if (!call || !waiting) return false;
    const { response, text, beside } = responseFor(call, result, isError, this.#saying);
    const own = this.#native ? fields(detail) : undefined;
    if (own) this.#ledger.keep("tool-details");
    else if (detail !== undefined) this.#note("tool-details", "no-counterpart");
    const agentId = this.#options.agents.get(toolCallId);
    waiting.result = {
      result: [response, ...beside],
      status: isError ? "error" : "success",
      timestamp: this.#time,
      ...(own ?? { resultDisplay: text, displayName: call.name }),
      ...(agentId !== undefined && { agentId }),
    };
    return true;
  }

  #status(event: EventOf<"status.changed">): void {
    const { status, context, reason } = event.payload;
    if (status === "rewound") this.#leave(event, "branches", "abandoned-branch");
    else if (status !== "compacted") this.#leave(event, "side-records", "no-counterpart");
    else if (event.branch !== undefined) this.#leave(event, "branches", "no-counterpart");
    else if (!context) this.#leave(event, "compaction", "not-in-source");
    else {
      this.#compacted(context);
      if (reason !== undefined) this.#note("compaction", "no-counterpart");
      this.#ledger.mapped(event, "compaction");
    }
  }

  /** The list of messages is another one now: what was said before stays in the file, and is sent no more. */
  #compacted(context: readonly SessionEvent[]): void {
    this.#settle();
    this.#calls = new Calls();
    const rows: Row[] = [];
    this.#list = rows;
    const { time } = this;
    for (const each of context) {
      const valid = isoTime(each.time);
      if (valid !== undefined) this.#time = new Date(valid).toISOString();
      if (each.type === "message.completed" && each.payload.injected === "harness")
        this.#ledger.note(
          { axis: "injected-context", level: "dropped", reason: "harness-preamble" },
          this.#record,
        );
      else if (each.type === "message.completed") this.#say(each);
      else if (each.type === "tool.completed") this.#answered(each);
    }
    this.#settle();
    this.#list = undefined;
    this.#time = time;
    this.#line({ $set: { messages: rows } });
  }

  #row(type: string, body: object, own: object, nativeId: string | undefined): void {
    this.#put(this.#rowOf(type, body, own, nativeId));
  }

  #rowOf(type: string, body: object, own: object, nativeId: string | undefined): Row {
    this.#isSaid ||= type === "user" || type === "gemini";
    const place = this.#made++;
    const id = this.#idOf(nativeId === undefined || this.#list ? `#${place}` : nativeId);
    const from = this.#branch && this.#branch.first === undefined ? this.#branch.from : undefined;
    if (this.#branch) this.#branch.first ??= id;
    const asp = { ...own, ...(from !== undefined && { from }) };
    return { id, timestamp: this.#time, type, ...body, ...(Object.keys(asp).length > 0 && { asp }) };
  }

  /** Made of the id in the source: what departs from a message is told by that. */
  #idOf(nativeId: string): string {
    return uuidFrom(`${this.#options.seed} ${nativeId}`);
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
    this.#put({ ...open.row, ...(toolCalls.length > 0 && { toolCalls }) });
  }

  #put(row: Row): void {
    if (this.#list) this.#list.push(row);
    else this.#line(row);
  }

  #line(record: object): void {
    this.#text += `${JSON.stringify(record)}\n`;
  }

  get #saying(): Said {
    return { ledger: this.#ledger, record: this.#record };
  }

  #note(axis: Axis, reason: Reason): void {
    this.#ledger.note({ axis, level: "evidence-only", reason }, this.#record);
  }

  #leave(event: SessionEvent, axis: Axis, reason: Reason): void {
    this.#ledger.leave(event, { axis, level: "evidence-only", reason });
  }
}

const AXES: Readonly<Record<string, SessionAxis>> = {
  approval: "approvals",
  artifact: "documents",
  capabilities: "settings",
  run: "turns",
  turn: "turns",
  task: "plans",
};

/**
 * Words that begin like a command of the program's are left out on resume, though they were said. A part that says of
 * itself that it is no thought is not looked at, and is sent with the same words.
 */
function asSent([first, ...rest]: Part[]): Part[] {
  return first ? [{ ...first, thought: false }, ...rest] : [];
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim();
}
