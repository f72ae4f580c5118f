/** Events in, records of a Qwen Code session out, each after the one before it; every event is accounted for. */
import {
  type Axis,
  digest,
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
import { VERSION } from "../version.js";
import { answerParts, usageFor } from "./answer.js";
import { provenance } from "./own.js";

export interface ScribeOptions {
  /** Of the session that the records are of; a subagent's are of the one above it. */
  id: string;
  cwd: string;
  /** ISO 8601. */
  created: string;
  seed: string;
  ref: SessionRef;
  ledger: LossLedger;
  /** A subagent's name in its session. */
  agent: string | undefined;
}

type Message = EventOf<"message.completed">;
type Body = Readonly<Record<string, unknown>>;

export class Scribe {
  readonly #options: ScribeOptions;
  readonly #ledger: LossLedger;
  readonly #native: boolean;
  #text = "";
  #time: string;
  #made = 0;
  #calls = new Calls();
  #record: number | undefined;
  #title: string | undefined;
  #isTitled = false;
  /** The last record of the talk, of the branch that is being written, and of the file: by their order; -1: none. */
  #main = NONE;
  #leaf = NONE;
  #last = NONE;
  #branch: string | undefined;
  /** By the head of a hash of the source's id: the record here, or for what was not written the one it would follow. */
  readonly #ids = new Map<number, number>();
  /** Turns go here instead of the file: into a history that stands for what was before. */
  #history: object[] | undefined;
  #aside = 0;
  #renamed = 0;
  #isSaid = false;

  constructor(options: ScribeOptions) {
    this.#options = options;
    this.#ledger = options.ledger;
    this.#native = options.ref.harness === "qwen";
    this.#time = options.created;
    const { ref } = options;
    if (ref.titleFrom !== "prompt" && ref.title !== undefined) this.#title = oneLine(ref.title);
  }

  get size(): number {
    return this.#text.length;
  }

  /** Of the last record: ISO 8601. */
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
    const { nativeId } = event;
    if (nativeId === undefined) return;
    const key = keyOf(nativeId);
    if (!this.#ids.has(key)) this.#ids.set(key, this.#leaf);
    this.#renamed++;
  }

  end(): void {
    this.#turnTo({});
    const { ref } = this.#options;
    if (this.#title !== undefined && this.#title !== "" && !this.#isTitled)
      this.#entitle(this.#title, ref.titleFrom);
    // The last record is where the talk ends, whatever branches came before it.
    if (this.#last !== this.#leaf) this.#system("asp_leaf", {});
    if (this.#renamed > 0)
      this.#ledger.note({ axis: "ids", level: "evidence-only", reason: "generated", count: this.#renamed });
    if (this.#aside > 0)
      this.#ledger.note({ axis: "branches", level: "partial", reason: "re-encoded", count: this.#aside });
    if (ref.parent?.relation === "subagent") this.#ledger.keep("subagents");
    else if (ref.parent)
      this.#ledger.note({ axis: "lineage", level: "evidence-only", reason: "no-counterpart" });
  }

  #turnTo({ branch, branchFrom }: Pick<SessionEvent, "branch" | "branchFrom">): void {
    if (branch === this.#branch) return;
    if (this.#branch === undefined) this.#main = this.#leaf;
    this.#branch = branch;
    this.#calls = new Calls();
    if (branch !== undefined) this.#ledger.keep("branches");
    const from = branchFrom === undefined ? undefined : this.#ids.get(keyOf(branchFrom));
    this.#leaf = branch === undefined ? this.#main : (from ?? NONE);
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
        if (this.#result(event)) this.#ledger.mapped(event, "tool-results");
        else this.#leave(event, "tool-results", "orphan-result");
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
    // The answers name it; the program asks its settings which one goes on.
    if (model !== undefined && !this.#native) this.#note("models", "no-counterpart");
    if (git?.branch !== undefined) this.#ledger.keep("git");
    if (git && (git.commit !== undefined || git.repository !== undefined))
      this.#note("git", "no-counterpart");
    if (harnessVersion !== undefined) this.#note("side-records", "generated");
  }

  #bound(event: EventOf<"session.bound">): void {
    const { title, titleBy, cwd } = event.payload;
    // The program takes the last title in the file, and branches stand last: there one would win that did not.
    if (event.branch !== undefined || title === undefined) {
      const axis = title === undefined && cwd !== undefined ? "cwd" : "title";
      this.#leave(event, event.branch === undefined ? axis : "branches", "superseded");
      return;
    }
    this.#entitle(oneLine(title), titleBy);
    this.#ledger.mapped(event, "title");
    if (cwd !== undefined) this.#note("cwd", "no-counterpart");
  }

  #entitle(customTitle: string, by: SessionRef["titleFrom"]): void {
    this.#isTitled = true;
    this.#system("custom_title", { customTitle, titleSource: by === "agent" ? "auto" : "manual" });
  }

  #message(event: Message): void {
    const { injected, audience } = event.payload;
    if (injected === "harness") {
      this.#ledger.leave(event, { axis: "injected-context", level: "dropped", reason: "harness-preamble" });
      return;
    }
    const axis = injected === undefined ? "messages" : "injected-context";
    if (audience && !audience.includes("assistant")) this.#leave(event, "errors", "no-counterpart");
    else if (this.#say(event)) this.#ledger.mapped(event, axis);
    else this.#leave(event, axis, "empty");
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
    const { model, usage, stopReason } = payload;
    const parts = answerParts(payload, {
      ...this.#saying,
      isNative: this.#native,
      callId: (toolCallId, name) => this.#called(toolCallId, name),
    });
    if (parts.length === 0) return false;
    if (model !== undefined) this.#ledger.keep("models");
    if (stopReason !== undefined) this.#note("turns", "no-counterpart");
    const body = {
      ...(model !== undefined && { model }),
      ...(usage && { usageMetadata: usageFor(usage, this.#saying) }),
    };
    this.#turn("model", parts, {}, body, nativeId);
    return true;
  }

  #called(toolCallId: string, name: string): string {
    const id = this.#calls.begin(toolCallId, name);
    if (id === toolCallId) this.#ledger.keep("ids");
    else this.#ledger.note({ axis: "ids", level: "partial", reason: "duplicate-id" }, this.#record);
    return id;
  }

  /** @returns false: no such call waits for an answer. */
  #result({ payload, nativeId }: EventOf<"tool.completed">): boolean {
    const { toolCallId, result, isError, detail } = payload;
    const call = this.#calls.answer(toolCallId);
    if (!call) return false;
    const { response, text, beside } = responseFor(call, result, isError, this.#saying);
    const own = this.#native ? fields(detail) : undefined;
    if (own) this.#ledger.keep("tool-details");
    else if (detail !== undefined) this.#note("tool-details", "no-counterpart");
    const parts = beside.length === 0 ? {} : { parts: beside };
    const functionResponse = { ...fields(response.functionResponse), ...parts };
    const status = isError ? "error" : "success";
    const shown = own ?? { resultDisplay: text };
    if (this.#history) this.#history.push({ role: "user", parts: [{ functionResponse }] });
    else
      this.#put(
        "tool_result",
        {
          message: { role: "user", parts: [{ functionResponse }] },
          toolCallResult: { callId: call.id, status, ...shown },
        },
        nativeId,
      );
    return true;
  }

  #status(event: EventOf<"status.changed">): void {
    const { status, context, reason, trigger } = event.payload;
    if (status === "rewound") this.#leave(event, "branches", "abandoned-branch");
    else if (status !== "compacted") this.#leave(event, "side-records", "no-counterpart");
    else if (!context) this.#leave(event, "compaction", "not-in-source");
    else {
      const compressedHistory = this.#historyOf(context);
      const info = {
        originalTokenCount: 0,
        newTokenCount: 0,
        compressionStatus: 1,
        triggerReason: trigger ?? "manual",
      };
      this.#system("chat_compression", { info, compressedHistory }, event.nativeId);
      if (reason !== undefined) this.#note("compaction", "no-counterpart");
      this.#ledger.mapped(event, "compaction");
    }
  }

  #historyOf(context: readonly SessionEvent[]): readonly object[] {
    const turns: object[] = [];
    this.#history = turns;
    this.#calls = new Calls();
    for (const each of context) {
      if (each.type === "tool.completed") this.#result(each);
      else if (each.type !== "message.completed") continue;
      else if (each.payload.injected === "harness")
        this.#ledger.note(
          { axis: "injected-context", level: "dropped", reason: "harness-preamble" },
          this.#record,
        );
      else this.#say(each);
    }
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
    if (this.#history) this.#history.push({ ...message, ...own });
    else this.#put(role === "user" ? "user" : "assistant", { ...body, message, ...own }, nativeId);
  }

  #system(subtype: string, systemPayload: object, nativeId?: string): void {
    this.#put("system", { provenance: "system", subtype, systemPayload }, nativeId);
  }

  #put(type: string, { provenance: by, ...body }: Body, nativeId: string | undefined): void {
    const { seed, id, cwd, ref, agent } = this.#options;
    this.#isSaid ||= type === "user" || type === "assistant";
    const place = this.#made++;
    const uuidOf = (at: number) => uuidFrom(`${seed} ${at}`);
    const isFirst = place === 0;
    const branch = ref.git?.branch;
    const asp = isFirst ? { asp: { ...fields(body.asp), ...provenance(ref) } } : {};
    const record = {
      uuid: uuidOf(place),
      parentUuid: this.#leaf === NONE ? null : uuidOf(this.#leaf),
      sessionId: id,
      timestamp: this.#time,
      type,
      ...(by !== undefined && { provenance: by }),
      cwd,
      version: VERSION,
      ...(branch !== undefined && { gitBranch: branch }),
      ...body,
      ...asp,
      ...(agent !== undefined && { isSidechain: true, agentId: agent, agentName: "agent" }),
    };
    this.#text += `${JSON.stringify(record)}\n`;
    this.#leaf = place;
    this.#last = place;
    if (nativeId !== undefined) this.#ids.set(keyOf(nativeId), place);
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

const NONE = -1;

/** Of all ids that were met one must be found again, and there may be a million: a number is little to keep. */
function keyOf(nativeId: string): number {
  return Number.parseInt(digest(nativeId).slice(0, 12), 16);
}

const AXES: Readonly<Record<string, SessionAxis>> = {
  approval: "approvals",
  artifact: "documents",
  capabilities: "settings",
  run: "turns",
  turn: "turns",
  task: "plans",
};

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim();
}
