/** Events in, records of a journal out; every event is accounted for. */
import {
  type EventOf,
  type LossLedger,
  legalToolName,
  noteBeneath,
  type Payloads,
  type SessionEvent,
  type SessionRef,
  Titles,
  uuidFrom,
  WriterAccount,
} from "@asp-convert/core";
import { PROTOCOL } from "../version.js";
import { Calls } from "./calls.js";
import { argumentsFor, clean, type Part, partsFor, type Said, toolName } from "./encode.js";
import { type Body, Lines } from "./lines.js";
import { TRIGGER } from "./own.js";
import { usageFor } from "./step.js";
import { bareResult } from "./wire.js";

export interface ScribeOptions {
  /** `main`, or a subagent's name. */
  agent: string;
  /** ISO 8601. */
  created: string;
  seed: string;
  ref: SessionRef;
  ledger: LossLedger;
  /** Agents that this one's calls started, by the source's id of the call. */
  spawns: ReadonlyMap<string, { agent: string; title: string | undefined }>;
  /** The session that a subagent is of. */
  above: SessionRef | undefined;
  /** It goes on with a journal of so many lines. */
  after?: number;
}

type Message = EventOf<"message.completed">;

/** An answer that is not over: results come before its end. */
interface Open {
  uuid: string;
  step: number;
  usage: object | undefined;
  finish: string;
  /** Ids of the source that stand in it. */
  ids: string[];
}

export class Scribe {
  readonly #options: ScribeOptions;
  readonly #account: WriterAccount;
  readonly #titles: Titles;
  readonly #lines: Lines;
  #calls = new Calls();
  #open: Open | undefined;
  #turn = -1;
  #steps = 0;
  #made = 0;
  /** The last message is a person's: the program would send the next one in one with it. */
  #isTyped = false;
  #branch: string | undefined;

  constructor(options: ScribeOptions) {
    const { ref, ledger, created, agent } = options;
    this.#options = options;
    this.#account = new WriterAccount({ ref, ledger, created, isNative: ref.harness === "kimi", name() {} });
    this.#titles = new Titles(ref, ledger);
    this.#lines = new Lines(agent, Date.parse(created), options.after);
    if (options.after !== undefined) return;
    this.#lines.line({ type: "metadata", protocol_version: PROTOCOL, created_at: Date.parse(created) });
  }

  get size(): number {
    return this.#lines.size;
  }

  /** Of the last record: ms since 1970. */
  get time(): number {
    return Date.parse(this.#account.time);
  }

  /** That was given on the way; the program keeps one, apart from the talk. */
  get title(): string | undefined {
    return this.#titles.title;
  }

  drain(): string {
    return this.#lines.drain();
  }

  take(event: SessionEvent): void {
    this.#account.begin(event);
    this.#turnTo(event);
    this.#date();
    this.#take(event);
    if (event.nativeId === undefined) return;
    if (this.#open) this.#open.ids.push(event.nativeId);
    else this.#lines.place([event.nativeId]);
  }

  end(): void {
    this.#endStep();
    this.#lines.end();
    this.#account.end();
    this.#titles.end();
  }

  #turnTo({ branch, branchFrom }: Pick<SessionEvent, "branch" | "branchFrom">): void {
    if (branch === this.#branch) return;
    this.#branch = branch;
    this.#endStep();
    this.#isTyped = false;
    this.#lines.branch(branchFrom);
    this.#account.ledger.keep("branches");
  }

  #date(): void {
    this.#lines.at(Date.parse(this.#account.time));
  }

  #take(event: SessionEvent): void {
    switch (event.type) {
      case "session.started":
        this.#started(event);
        return;
      case "session.bound":
        if (event.branch === undefined && event.payload.title !== undefined) this.#titles.take(event);
        else this.#account.bound(event);
        return;
      case "message.completed":
        this.#message(event);
        return;
      case "tool.completed":
        if (this.#result(event)) this.#account.ledger.mapped(event, "tool-results");
        else this.#account.leave(event, "tool-results", "orphan-result");
        return;
      case "status.changed": {
        const context = this.#account.compacted(event);
        if (context) this.#compacted(context);
        return;
      }
      default:
        this.#account.leaveUnplaced(event);
    }
  }

  #started(event: EventOf<"session.started">): void {
    const { model, git, harnessVersion } = event.payload;
    this.#account.ledger.mapped(event, "cwd");
    this.#titles.take(event);
    const { above, ref } = this.#options;
    if (above) noteBeneath(ref, above, this.#account.ledger);
    // The answers name it; whoever resumes says which one goes on.
    if (model !== undefined && !this.#account.isNative) this.#account.note("models", "no-counterpart");
    if (git) this.#account.note("git", "no-counterpart");
    if (harnessVersion !== undefined) this.#account.note("side-records", "generated");
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
    if (payload.role !== "assistant") return this.#said(payload, nativeId);
    return this.#lines.inContext ? this.#whole(payload, nativeId) : this.#answer(payload, nativeId);
  }

  #said(payload: Payloads["message.completed"], nativeId: string | undefined): boolean {
    const { role, blocks, injected, kind, audience, display } = payload;
    const content = partsFor(blocks, injected === undefined ? "messages" : "injected-context", this.#saying);
    if (content.length === 0) return false;
    this.#endStep();
    const isSentOnly = audience !== undefined && !audience.includes("user");
    const asp = {
      ...(injected && { injected }),
      ...(kind && { kind }),
      ...(display !== undefined && { display: clean(display, this.#saying) }),
      ...(isSentOnly && { sent: true }),
      ...(role === "system" && { role }),
    };
    const isTyped = injected === undefined && kind !== "summary" && !isSentOnly && role !== "system";
    if (isTyped && !this.#lines.inContext) {
      this.#turn++;
      this.#steps = 0;
    }
    // Of two that the program has from a person, one after the other, it would make one.
    const origin = !isTyped ? { origin: TRIGGER } : this.#isTyped ? {} : { origin: { kind: "user" } };
    this.#isTyped = isTyped && "origin" in origin;
    this.#append({ role: "user", content, toolCalls: [], ...origin }, asp, nativeId);
    return true;
  }

  #append(message: object, asp: Body, nativeId: string | undefined): void {
    this.#lines.record("context.append_message", { message }, asp);
    this.#lines.sends(nativeId);
  }

  #answer(payload: Payloads["message.completed"], nativeId: string | undefined): boolean {
    const parts = partsFor(payload.blocks, "messages", this.#saying);
    const calls = payload.blocks.filter((block) => block.type === "tool-call");
    if (parts.length === 0 && calls.length === 0) return false;
    this.#endStep();
    const { model, usage, display } = payload;
    if (model !== undefined) this.#account.ledger.keep("models");
    if (display !== undefined) this.#account.note("side-records", "no-counterpart");
    const open: Open = {
      uuid: this.#uuid(),
      step: ++this.#steps,
      usage: usage && this.#usage(usage),
      finish: this.#finish(payload, calls.length > 0),
      ids: [],
    };
    const place = { turnId: this.#turnId, step: open.step };
    this.#loop({ type: "step.begin", uuid: open.uuid, ...place }, model === undefined ? {} : { model });
    for (const part of parts)
      this.#loop({ type: "content.part", uuid: this.#uuid(), ...place, stepUuid: open.uuid, part });
    this.#lines.sends(nativeId);
    for (const { toolCallId, arguments: args, ...call } of calls) {
      const uuid = this.#uuid();
      const id = this.#called(toolCallId, uuid);
      const name = this.#toolName(call);
      this.#loop({
        type: "tool.call",
        uuid,
        ...place,
        stepUuid: open.uuid,
        toolCallId: id,
        name,
        args: argumentsFor(args),
      });
      this.#account.ledger.keep("tool-calls");
      this.#spawned(toolCallId, id);
    }
    this.#open = open;
    if (calls.length === 0) this.#endStep();
    return true;
  }

  /** A step that ended otherwise is none that is over. */
  #finish({ stopReason }: Payloads["message.completed"], hasCalls: boolean): string {
    const isEnd = stopReason !== undefined && stopReason !== "error" && stopReason !== "interrupted";
    if (this.#account.isNative && isEnd) return stopReason;
    if (stopReason !== undefined) this.#account.note("turns", "no-counterpart");
    return hasCalls ? "tool_use" : "end_turn";
  }

  #usage(usage: NonNullable<Payloads["message.completed"]["usage"]>): object {
    const { usage: own, left } = usageFor(usage);
    if (left) this.#account.note("usage", "no-counterpart");
    this.#account.ledger.keep("usage");
    return own;
  }

  #called(toolCallId: string, uuid: string): string {
    return this.#account.called(this.#calls.begin(toolCallId, uuid), toolCallId);
  }

  /** The call started an agent, which has a journal of its own. */
  #spawned(toolCallId: string, id: string): void {
    const spawned = this.#options.spawns.get(toolCallId);
    if (!spawned) return;
    const { agent, title } = spawned;
    this.#lines.record("subagent.spawned", {
      subagentId: agent,
      subagentName: "agent",
      parentToolCallId: id,
      parentAgentId: this.#options.agent,
      ...(title !== undefined && { description: title }),
      runInBackground: false,
    });
  }

  /** An answer in one record, as a context holds it. */
  #toolName(call: Parameters<typeof toolName>[0]): string {
    const { ledger, record } = this.#account;
    return legalToolName(toolName(call), ledger, record);
  }

  #whole(payload: Payloads["message.completed"], nativeId: string | undefined): boolean {
    const content = partsFor(payload.blocks, "messages", this.#saying);
    const toolCalls = payload.blocks.flatMap((block) => {
      if (block.type !== "tool-call") return [];
      const id = this.#called(block.toolCallId, "");
      this.#account.ledger.keep("tool-calls");
      return [
        {
          type: "function",
          id,
          name: this.#toolName(block),
          arguments: JSON.stringify(argumentsFor(block.arguments)),
        },
      ];
    });
    if (content.length === 0 && toolCalls.length === 0) return false;
    const { model, usage, stopReason } = payload;
    if (model !== undefined) this.#account.ledger.keep("models");
    if (usage) this.#account.note("usage", "no-counterpart");
    if (stopReason !== undefined) this.#account.note("turns", "no-counterpart");
    this.#isTyped = false;
    this.#append({ role: "assistant", content, toolCalls }, model === undefined ? {} : { model }, nativeId);
    return true;
  }

  /** @returns false: no such call waits for an answer. */
  #result({ payload, nativeId }: EventOf<"tool.completed">): boolean {
    const { toolCallId, isError, detail } = payload;
    const call = this.#calls.answer(toolCallId);
    if (!call) return false;
    if (detail !== undefined) this.#account.note("tool-details", "no-counterpart");
    const { blocks, failed } = bareResult(payload.result, isError);
    const parts = partsFor(blocks, "tool-results", this.#saying);
    // The program would put its own words before what failed; where they are not there, they are not said.
    const asp = isError && !failed ? { error: true } : {};
    const error = failed ? { isError: true } : {};
    if (this.#lines.inContext)
      this.#append(
        { role: "tool", content: parts, toolCalls: [], toolCallId: call.id, ...error },
        asp,
        nativeId,
      );
    else {
      this.#loop(
        {
          type: "tool.result",
          parentUuid: call.uuid,
          toolCallId: call.id,
          result: { output: outputOf(parts), ...error },
        },
        asp,
      );
      this.#lines.sends(nativeId);
      if (nativeId !== undefined) this.#open?.ids.push(nativeId);
      if (this.#calls.waiting === 0) this.#endStep();
    }
    return true;
  }

  /** With its last result it is over; calls that none came for get the program's own words. */
  #endStep(): void {
    const open = this.#open;
    if (!open) {
      this.#calls.abandon();
      return;
    }
    this.#open = undefined;
    const { uuid, step, usage, finish, ids } = open;
    const left = this.#calls.abandon();
    this.#loop({
      type: "step.end",
      uuid,
      turnId: this.#turnId,
      step,
      finishReason: finish,
      ...(usage && { usage }),
    });
    for (let i = 0; i < left; i++) this.#lines.sends(undefined);
    this.#isTyped = false;
    this.#lines.place(ids);
  }

  #loop(event: object, asp: Body = {}): void {
    this.#lines.record("context.append_loop_event", { event }, asp);
  }

  /**
   * What is left: a summary in the source's own words and the last messages where they stand; where it is anything
   * else, all of it once more.
   */
  #compacted(context: readonly SessionEvent[]): void {
    this.#endStep();
    const [first, ...rest] = context;
    // How many messages there were before is not known of a journal that is gone on with.
    const isCounted = this.#options.after === undefined;
    const summary =
      isCounted && first?.type === "message.completed" && first.payload.kind === "summary"
        ? first
        : undefined;
    const isKept = summary !== undefined && this.#lines.endsWith(rest.map(({ nativeId }) => nativeId));
    const again = isKept ? [] : summary ? rest : context;
    const content: Part[] = summary ? partsFor(summary.payload.blocks, "compaction", this.#saying) : [];
    const kept = isKept ? rest.length : 0;
    const asp = again.length > 0 ? { context: true } : {};
    if (content.length > 0) {
      const count = this.#lines.messages - kept;
      const message = { role: "user", content, toolCalls: [], origin: { kind: "compaction_summary" } };
      this.#lines.record("context.apply_compaction", { summary: message, count, compactedCount: count }, asp);
    } else this.#lines.record("context.clear", {}, asp);
    this.#lines.forget(kept, content.length > 0);
    this.#isTyped = false;
    this.#lines.inContext = true;
    this.#calls = new Calls();
    for (const each of this.#account.kept(again)) {
      this.#date();
      if (each.type === "message.completed") this.#say(each);
      else this.#result(each);
    }
    this.#date();
    this.#lines.inContext = false;
    this.#calls = new Calls();
  }

  get #turnId(): string {
    return String(Math.max(0, this.#turn));
  }

  #uuid(): string {
    return uuidFrom(`${this.#options.seed} ${this.#made++}`);
  }

  get #saying(): Said {
    const { ledger, record, isNative } = this.#account;
    return { ledger, record, isNative };
  }
}

function outputOf(parts: readonly Part[]): string | readonly Part[] {
  const [only, more] = parts;
  if (only === undefined) return "";
  return more === undefined && only.type === "text" ? String(only.text) : parts;
}
