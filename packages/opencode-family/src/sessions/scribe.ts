/** Events → rows, in one pass. A message is written when the next one begins, so that results get to their calls. */
import {
  type Axis,
  type Block,
  type EventOf,
  type Loss,
  type LossLedger,
  type MessagePayload,
  type Reason,
  type RowChange,
  reasons,
  type SessionAxis,
  type SessionEvent,
  type SessionInput,
  type SqlValue,
  sessionAxes,
  type Usage,
} from "@asp-convert/core";
import { madeId } from "../ids.js";
import { defined, type Fields, fields, list, msOf, name, string } from "../json.js";
import { COMPACTION_PROMPT, isDefaultTitle, NATIVE } from "../native.js";
import { isOfFamily, type Program } from "../program.js";
import { fitting, type TableName } from "../target/database.js";
import { fullName } from "../target/model.js";
import type { Draft, DraftPart } from "./draft.js";
import { rowsOf } from "./draft.js";
import { answer, assistantParts, CallNames, type Encoding, leaveOpen, note, userParts } from "./encode.js";
import type { ModelName } from "./info.js";
import type { Place } from "./place.js";
import { Totals, tokensOf } from "./totals.js";

export interface ScribeOptions {
  program: Program;
  input: SessionInput;
  place: Place;
  /** Of the session in the target. */
  id: string;
  seed: string;
  /** ms since 1970. */
  created: number;
  parent: string | undefined;
  /** Call of the source → the session in the target that it made. */
  childOf: ReadonlyMap<string, string>;
  /** Only the session and its messages can be kept: no list of tasks, no session besides. */
  alone: boolean;
}

interface OpenCall {
  part: DraftPart;
  /** Written already: the row has to change when the result comes. */
  written: boolean;
  session: string;
}

export class Scribe {
  readonly #o: ScribeOptions;
  readonly #ledger: LossLedger;
  readonly #encoding: Encoding;
  readonly #names = new CallNames();
  readonly #calls = new Map<string, OpenCall>();
  readonly #totals = new Totals();
  /** Source's message id → ours: what a compaction's tail, an undo, a question refer to. */
  readonly #ids = new Map<string, string>();
  #changes: RowChange[] = [];
  #draft: Draft | undefined;
  #count = 0;
  #lastTime = 0;
  #lastUser: string | undefined;
  #model: ModelName;
  /** What the session says it goes on with. A model that the person does not have would stop it. */
  #chosen: ModelName | undefined;
  #agent: string;
  #title: string | undefined;
  #plan: EventOf<"task.updated"> | undefined;
  #own: Fields = {};
  /** Ids of the source's that the rows here do not have. */
  #renamed = 0;
  /** Ids of messages that a foreign compaction put at the head. */
  #head: string[] = [];
  #archived = false;

  constructor(options: ScribeOptions) {
    const { ref, ledger } = options.input;
    this.#o = options;
    this.#ledger = ledger;
    this.#encoding = { ledger, native: isOfFamily(ref.harness), record: undefined };
    this.#model =
      ref.model === undefined ? { provider: "unknown", model: "unknown" } : fullName(ref.model, ref.harness);
    this.#agent = options.program.defaultAgent;
    this.#title = ref.title;
  }

  async *rows(): AsyncGenerator<RowChange> {
    const { project } = this.#o.place;
    const { created } = this.#o;
    this.#put("project", {
      id: project.id,
      worktree: project.worktree,
      ...(project.vcs && { vcs: project.vcs }),
      time_created: created,
      time_updated: created,
      sandboxes: "[]",
    });
    for await (const event of this.#o.input.events()) {
      this.#take(event);
      yield* this.#drain();
    }
    this.#end();
    yield* this.#drain();
  }

  #drain(): RowChange[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  #put(table: TableName, row: Readonly<Record<string, SqlValue>>): void {
    const shared = table === "project";
    this.#changes.push({ table, row: fitting(row, this.#o.place.columns(table)), ...(shared && { shared }) });
  }

  #take(event: SessionEvent): void {
    this.#encoding.record = event.origin[0]?.record;
    if (event.nativeId !== undefined) this.#renamed++;
    if (event.branch !== undefined && !this.#isUndone(event)) {
      this.#leave(event, "branches", "abandoned-branch");
      return;
    }
    switch (event.type) {
      case "session.started":
        this.#started(event);
        return;
      case "message.completed":
        this.#message(event);
        return;
      case "tool.completed":
        this.#result(event);
        return;
      case "session.bound":
        this.#bound(event);
        return;
      case "capabilities.changed":
        this.#settings(event);
        return;
      case "task.updated":
        if (this.#plan) this.#leave(this.#plan, "plans", "superseded");
        this.#plan = event;
        return;
      case "status.changed":
        this.#status(event);
        return;
      case "unknown.observed":
        this.#unknown(event);
        return;
      default:
        this.#leave(
          event,
          AXES[event.type.slice(0, event.type.indexOf("."))] ?? "side-records",
          "no-counterpart",
        );
    }
  }

  /** What an undo of this family took back stays in its place: the undo itself goes along. */
  #isUndone(event: SessionEvent): boolean {
    return this.#encoding.native && event.branch !== undefined && fields(this.#own.revert) !== undefined;
  }

  #started(event: EventOf<"session.started">): void {
    const { title, git, model } = event.payload;
    const { ref } = this.#o.input;
    if (model !== undefined) {
      this.#model = fullName(model, ref.harness);
      if (ref.harness === this.#o.program.id) this.#chosen = this.#model;
      // Named as what to go on with, a model that the person does not have would stop the session.
      else this.#note("models", "no-equal");
    }
    if (title !== undefined && !this.#named(title))
      this.#ledger.note(
        { axis: "title", level: "evidence-only", reason: "superseded" },
        this.#encoding.record,
      );
    this.#ledger.mapped(event, "cwd", ...(this.#title === undefined ? [] : ["title" as const]));
    if (git ?? ref.git) this.#ledger.keep("git");
    if (event.payload.harnessVersion !== undefined) {
      this.#ledger.note(
        { axis: "side-records", level: "evidence-only", reason: "generated" },
        this.#encoding.record,
      );
    }
  }

  // --- messages ----------------------------------------------------------------------------------------------

  #message(event: EventOf<"message.completed">): void {
    const { payload } = event;
    const { role, injected } = payload;
    if (injected === "harness" || role === "system") {
      this.#ledger.leave(event, { axis: "injected-context", level: "dropped", reason: "harness-preamble" });
      return;
    }
    if (role === "assistant") this.#answer(event);
    else if (role === "tool") this.#results(event, payload.blocks);
    else this.#said(event);
  }

  #said(event: EventOf<"message.completed">): void {
    const { role, blocks, audience, display, messageId } = event.payload;
    // Who else speaks, another agent for one, is told as a note.
    const injected = event.payload.injected ?? (role === "user" ? undefined : "notice");
    const hidden = audience !== undefined && !audience.includes("assistant");
    const asp = {
      ...(injected !== undefined && !this.#encoding.native && { injected }),
      ...(display !== undefined && { display: true }),
    };
    const parts = userParts(
      blocks,
      {
        ...((injected !== undefined || display !== undefined || (audience && !audience.includes("user"))) && {
          synthetic: true as const,
        }),
        ...(hidden && { ignored: true as const }),
        ...(Object.keys(asp).length > 0 && { metadata: { asp } }),
      },
      this.#encoding,
    );
    if (display !== undefined) {
      parts.push({
        data: { type: "text", text: display, ignored: true, metadata: { asp: { display: true } } },
      });
    }
    this.#ledger.mapped(event, injected === undefined ? "messages" : "injected-context");
    if (parts.length === 0 && !this.#encoding.native) return;
    // Beside what a person said stand, in the same message, the texts that the program put there.
    // Of texts that were shown otherwise than sent, a message has one: the next one begins another.
    const beside =
      (injected !== undefined || hidden) && display === undefined && this.#draft?.role === "user";
    const draft = beside && this.#draft ? this.#draft : this.#begin(event, "user", this.#userInfo());
    draft.parts.push(...parts);
    this.#ids.set(messageId, draft.id);
  }

  #answer(event: EventOf<"message.completed">): void {
    const { blocks, model, usage, stopReason, messageId, audience, kind } = event.payload;
    if (model !== undefined) this.#model = fullName(model, this.#o.input.ref.harness);
    const draft = this.#begin(event, "assistant", {});
    const { parts, calls, error } = assistantParts(blocks, this.#names, draft.time, this.#encoding);
    const unsent = audience !== undefined && !audience.includes("assistant");
    const finish = this.#finish(stopReason, calls.length > 0);
    if (stopReason !== undefined && stopReason !== finish) this.#note("turns", "re-encoded");
    draft.data = this.#assistantInfo(draft.time, usage, finish);
    draft.parts.push(...parts);
    if (unsent || error) this.#fail(draft, error, unsent);
    if (stopReason === "aborted" && this.#encoding.native) {
      draft.data.error = { name: "MessageAbortedError", data: { message: "Aborted" } };
      draft.data.time = { created: draft.time, completed: draft.time };
    }
    if (kind === "summary" && this.#encoding.native)
      Object.assign(draft.data, { summary: true, mode: "compaction", agent: "compaction" });
    for (const { part, id } of calls) {
      this.#calls.set(id, { part, written: false, session: this.#o.id });
      const child = this.#o.childOf.get(id);
      if (child !== undefined) this.#link(part, child);
    }
    this.#ids.set(messageId, draft.id);
    this.#ledger.mapped(event, "messages", ...(model === undefined ? [] : ["models" as const]));
    if (usage) {
      this.#ledger.keep("usage");
      this.#totals.add(usage);
    }
  }

  /** Why an answer ended, in the program's words. One that was cut off by its own program did not end. */
  #finish(reason: string | undefined, calls: boolean): string | undefined {
    if (this.#encoding.native) return reason === "aborted" ? undefined : reason;
    if (reason === "length" || reason === "max_tokens") return "length";
    return calls ? "tool-calls" : "stop";
  }

  /** A message with an error is shown, and sent to no model. */
  #fail(draft: Draft, error: (Block & { type: "error" }) | undefined, unsent: boolean): void {
    if (!unsent) {
      this.#ledger.note(
        { axis: "errors", level: "evidence-only", reason: "not-supported" },
        this.#encoding.record,
      );
      return;
    }
    const known = this.#encoding.native && error?.code !== undefined;
    const message = error?.message ?? "Shown by the source program only; no model was sent this.";
    draft.data.error = known
      ? { name: error?.code, data: error?.detail ?? { message } }
      : { name: "UnknownError", data: { message } };
    delete draft.data.finish;
    if (error) this.#ledger.keep("errors");
    if (!known && (error?.code ?? error?.detail) !== undefined)
      note(this.#encoding, "errors", "evidence-only", "no-counterpart");
  }

  /** The session that a call made, where the program looks for it. */
  #link(part: DraftPart, child: string): void {
    part.data.asp_child = child;
  }

  #result(event: EventOf<"tool.completed">): void {
    const { payload } = event;
    const call = this.#calls.get(payload.toolCallId);
    if (!call) {
      this.#orphan(event);
      return;
    }
    this.#calls.delete(payload.toolCallId);
    const time = Math.max(msOf(event.time) ?? 0, this.#draft?.time ?? this.#lastTime);
    answer(call.part, payload, time, this.#encoding);
    this.#linked(call.part);
    if (call.written) this.#rewrite(call);
    else if (this.#draft?.role === "assistant") this.#completed(this.#draft, time);
    this.#ledger.mapped(event, "tool-results");
  }

  /** A result that comes after its message was written. */
  #rewrite({ part }: OpenCall): void {
    if (part.id === undefined) return;
    this.#changes.push({ table: "part", where: { id: part.id }, set: { data: JSON.stringify(part.data) } });
  }

  #results(event: SessionEvent, blocks: readonly Block[]): void {
    for (const block of blocks) {
      if (block.type !== "tool-result") continue;
      const call = this.#calls.get(block.toolCallId);
      if (!call) continue;
      this.#calls.delete(block.toolCallId);
      const payload = {
        toolCallId: block.toolCallId,
        result: block.content,
        isError: block.isError ?? false,
      };
      answer(call.part, payload, this.#lastTime, this.#encoding);
      this.#linked(call.part);
      if (call.written) this.#rewrite(call);
    }
    this.#ledger.mapped(event, "tool-results");
  }

  /** A result without its call has no place: its words stand beside the person's. */
  #orphan(event: EventOf<"tool.completed">): void {
    this.#ledger.note(
      { axis: "tool-results", level: "partial", reason: "orphan-result" },
      this.#encoding.record,
    );
    const label: Block = {
      type: "text",
      text: `[Result of the tool call ${event.payload.toolCallId}, which the source does not hold]`,
    };
    const draft = this.#draft?.role === "user" ? this.#draft : this.#begin(event, "user", this.#userInfo());
    draft.parts.push(...userParts([label, ...event.payload.result], { synthetic: true }, this.#encoding));
    this.#ledger.mapped(event, "tool-results");
  }

  #linked({ data }: DraftPart): void {
    const { asp_child: child, ...rest } = data;
    if (child === undefined) return;
    for (const key of Object.keys(data)) delete data[key];
    const state = fields(rest.state);
    const metadata = { ...fields(state?.metadata), sessionId: child, parentSessionId: this.#o.id };
    Object.assign(data, rest, state && { state: { ...state, metadata } });
  }

  #completed(draft: Draft, time: number): void {
    const known = fields(draft.data.time);
    if (draft.data.finish === undefined) return;
    draft.data.time = { ...known, completed: Math.max(time, Number(known?.completed ?? 0)) };
  }

  // --- one message after the other ---------------------------------------------------------------------------

  #begin(event: SessionEvent, role: Draft["role"], data: Record<string, unknown>): Draft {
    this.#flush();
    const own = msOf(event.time);
    const time = Math.max(own ?? 0, this.#lastTime + 1);
    if (own === undefined) this.#note("times", "time-inferred");
    else if (own !== time) this.#note("times", "re-encoded");
    this.#lastTime = time;
    const id = madeId("msg", time, 0, `${this.#o.seed} ${this.#count++}`);
    const draft: Draft = { id, role, time, data, parts: [] };
    if (role === "user") {
      draft.data.time = { created: time };
      this.#lastUser = id;
    }
    this.#draft = draft;
    return draft;
  }

  #note(axis: SessionAxis, reason: Reason): void {
    this.#ledger.note({ axis, level: "partial", reason }, this.#encoding.record);
  }

  #flush(): void {
    const draft = this.#draft;
    this.#draft = undefined;
    if (!draft) return;
    if (draft.role === "assistant") this.#closeSteps(draft);
    for (const call of this.#calls.values()) {
      if (!draft.parts.includes(call.part)) continue;
      leaveOpen(call.part, draft.time, this.#encoding);
      this.#linked(call.part);
      call.written = true;
    }
    const { rows, mended } = rowsOf(draft, this.#o.id, this.#o.seed);
    if (mended) this.#note("messages", "invalid-text");
    for (const { table, row } of rows) this.#put(table, row);
  }

  /** Each message is one step: without its marks, the program glues texts before and after a call together. */
  #closeSteps(draft: Draft): void {
    if (draft.parts.some(({ data }) => data.type === "step-start") || draft.parts.length === 0) return;
    const { finish = "stop", cost, tokens } = draft.data;
    draft.parts.unshift({ data: { type: "step-start" } });
    if (draft.data.error === undefined)
      draft.parts.push({ data: { type: "step-finish", reason: finish, cost, tokens } });
  }

  #userInfo(): Record<string, unknown> {
    const { provider, model, variant } = this.#model;
    return {
      role: "user",
      agent: this.#agent,
      model: { providerID: provider, modelID: model, ...(variant !== undefined && { variant }) },
    };
  }

  #assistantInfo(
    time: number,
    usage: Usage | undefined,
    finish: string | undefined,
  ): Record<string, unknown> {
    const { cwd, project } = this.#o.place;
    const { provider, model, variant } = this.#model;
    return {
      role: "assistant",
      // An answer that comes first answers nobody; the program wants a name there all the same.
      parentID: this.#lastUser ?? madeId("msg", this.#o.created, 0, `${this.#o.seed} nobody`),
      mode: this.#agent,
      agent: this.#agent,
      ...(variant !== undefined && { variant }),
      path: { cwd, root: project.worktree },
      cost: usage?.costUsd ?? 0,
      tokens: tokensOf(usage),
      modelID: model,
      providerID: provider,
      time: { created: time, ...(finish !== undefined && { completed: time }) },
      ...(finish !== undefined && { finish }),
    };
  }

  // --- what changes ------------------------------------------------------------------------------------------

  #bound(event: EventOf<"session.bound">): void {
    const { title, cwd } = event.payload;
    if (title === undefined) this.#leave(event, cwd === undefined ? "side-records" : "cwd", "superseded");
    else if (this.#named(title)) this.#ledger.mapped(event, "title");
    else this.#leave(event, "title", "superseded");
  }

  /** @returns whether this is the title that the session has in the end. */
  #named(title: string): boolean {
    if (this.#o.input.ref.title === undefined) this.#title = title;
    return this.#title === title;
  }

  #settings(event: EventOf<"capabilities.changed">): void {
    const { model, mode, thought_level } = event.payload.settings;
    if (typeof model === "string") {
      const { variant } = this.#model;
      this.#model = {
        ...fullName(model, this.#o.input.ref.harness),
        ...(variant !== undefined && this.#encoding.native && { variant }),
      };
    }
    if (!this.#encoding.native) {
      this.#leave(event, "settings", "no-equal");
      return;
    }
    if (typeof mode === "string") this.#agent = mode;
    if (typeof thought_level === "string") {
      const { variant: _, ...bare } = this.#model;
      this.#model = thought_level === "default" ? bare : { ...bare, variant: thought_level };
    }
    this.#ledger.mapped(event, "settings");
  }

  #status(event: EventOf<"status.changed">): void {
    const { status, context } = event.payload;
    if (status === "rewound") {
      this.#leave(event, "branches", "abandoned-branch");
      return;
    }
    if (status !== "compacted") {
      this.#leave(event, "side-records", "no-counterpart");
      return;
    }
    if (!context) {
      this.#leave(event, "compaction", "not-in-source");
      return;
    }
    this.#flush();
    if (!(this.#encoding.native && this.#ownCompaction(event, context)))
      this.#foreignCompaction(event, context);
    this.#ledger.mapped(event, "compaction");
  }

  /** Question and summary as the program has them, and what it keeps by name. */
  #ownCompaction(event: EventOf<"status.changed">, context: readonly SessionEvent[]): boolean {
    const [asked, ...rest] = context;
    if (asked?.type !== "message.completed" || !asksForSummary(asked.payload)) return false;
    const summary = rest.filter(({ type }, at) => type !== "message.completed" || isSummary(rest[at]));
    const tail = rest.slice(summary.length);
    const first = tail.find(({ type }) => type === "message.completed");
    const start = first?.type === "message.completed" ? this.#ids.get(first.payload.messageId) : undefined;
    if (tail.length > 0 && start === undefined) return false;
    const part = {
      type: "compaction",
      auto: event.payload.trigger === "auto",
      ...(start !== undefined && { tail_start_id: start }),
    };
    const draft = this.#begin(asked, "user", this.#userInfo());
    draft.parts.push({ data: part }, ...userParts(asked.payload.blocks.slice(1), {}, this.#encoding));
    this.#ids.set(asked.payload.messageId, draft.id);
    for (const each of summary) this.#take(each);
    this.#flush();
    return true;
  }

  /**
   * Another program's compaction kept what it kept in its own words. Those are now the session; what was said before
   * goes to a session below it, where a person finds it and no model does.
   */
  #foreignCompaction(event: EventOf<"status.changed">, context: readonly SessionEvent[]): void {
    const archive = this.#archiveId();
    // What an earlier one kept stands in the archive already, where it was said.
    for (const id of this.#head) {
      this.#changes.push({ table: "part", drop: { message_id: id } }, { table: "message", drop: { id } });
    }
    for (const table of ["part", "message"] as const) {
      this.#changes.push({ table, where: { session_id: this.#o.id }, set: { session_id: archive } });
    }
    this.#archived ||= this.#count > 0;
    this.#note("compaction", "re-encoded");
    if (this.#o.alone && this.#archived)
      this.#ledger.note({ axis: "compaction", level: "evidence-only", reason: "not-supported" });
    const from = this.#changes.length;
    const before = this.#lastTime;
    // What was kept is older than what follows: it keeps its own times.
    if (event.time !== undefined) this.#lastTime = 0;
    this.#lastUser = undefined;
    for (const each of context)
      this.#take(
        each.time === undefined && event.time !== undefined
          ? ({ ...each, time: event.time } as SessionEvent)
          : each,
      );
    this.#flush();
    this.#lastTime = Math.max(before, this.#lastTime);
    this.#head = this.#changes
      .slice(from)
      .flatMap((change) => ("row" in change && change.table === "message" ? [String(change.row.id)] : []));
  }

  #archiveId(): string {
    return madeId("ses", this.#o.created, 1, `${this.#o.seed} before`);
  }

  #unknown(event: EventOf<"unknown.observed">): void {
    const { nativeType, axis, reason, value } = event.payload;
    const known = axis in sessionAxes ? (axis as SessionAxis) : "side-records";
    const own = fields(value);
    if (this.#encoding.native) {
      if (nativeType === NATIVE.session && own) {
        this.#own = own;
        this.#ledger.mapped(event, "side-records");
        return;
      }
      if (nativeType === NATIVE.snapshots && this.#draft?.role === "assistant") {
        this.#marks(this.#draft, list(value));
        this.#ledger.mapped(event, "file-snapshots");
        this.#note("file-snapshots", "missing-file");
        return;
      }
      if (nativeType === NATIVE.message && own && this.#draft) {
        Object.assign(this.#draft.data, own);
        this.#ledger.mapped(event, known);
        return;
      }
    }
    this.#leave(
      event,
      known,
      reason !== undefined && reason in reasons ? (reason as Reason) : "no-counterpart",
    );
  }

  /** The marks of a step where the program puts them: one before it, the others after it. */
  #marks(draft: Draft, marks: readonly unknown[]): void {
    const parts = marks.map((mark) => ({ data: { ...fields(mark) } }));
    const start = parts.filter(({ data }) => string(data.type) === "step-start");
    const rest = parts.filter(({ data }) => string(data.type) !== "step-start");
    draft.parts.unshift(...start);
    draft.parts.push(...rest);
  }

  #leave(event: SessionEvent, axis: Axis, reason: Reason): void {
    const level: Loss["level"] = axis === "raw" ? "dropped" : "evidence-only";
    this.#ledger.leave(event, { axis, level, reason });
  }

  // --- the session itself ------------------------------------------------------------------------------------

  #end(): void {
    this.#flush();
    this.#todos();
    const { input, parent, id } = this.#o;
    if (this.#renamed > 0)
      this.#ledger.note({ axis: "ids", level: "evidence-only", reason: "generated", count: this.#renamed });
    if (input.children.length > 0) this.#ledger.keep("subagents", input.children.length);
    if (input.ref.parent && parent === undefined) {
      this.#ledger.note({ axis: "lineage", level: "partial", reason: "missing-parent" });
    }
    const title = this.#title ?? `New session - ${new Date(this.#o.created).toISOString()}`;
    if (this.#archived && !this.#o.alone)
      this.#session(this.#archiveId(), id, `${title} (before the compaction)`, false);
    this.#session(id, parent, title, true);
  }

  #session(id: string, parent: string | undefined, title: string, main: boolean): void {
    const { program, input, place, created } = this.#o;
    const { ref } = input;
    const updated = Math.max(msOf(ref.updatedAt) ?? 0, created, main ? 0 : this.#lastTime);
    const chosen = this.#chosen ? { variant: this.#model.variant, ...this.#chosen } : place.model;
    const asp = defined({
      from: defined({ harness: ref.harness, id: ref.id, version: ref.harnessVersion }),
      ...(!main && { before: parent }),
      git: ref.git,
    });
    const own = this.#encoding.native ? this.#ownColumns() : {};
    this.#put("session", {
      id,
      project_id: place.project.id,
      ...(parent !== undefined && { parent_id: parent }),
      slug: (this.#encoding.native ? name(this.#own.slug) : undefined) ?? `from-${ref.harness}`,
      directory: place.cwd,
      ...(place.project.path !== undefined && { path: place.project.path }),
      title: isDefaultTitle(title) ? title : title.toWellFormed(),
      version: program.verified[0] ?? "",
      ...(main && own),
      metadata: JSON.stringify({ ...fields(this.#own.metadata), asp }),
      ...(main && this.#totals.columns()),
      agent: this.#agent,
      ...(chosen && {
        model: JSON.stringify({
          id: chosen.model,
          providerID: chosen.provider,
          variant: chosen.variant ?? "default",
        }),
      }),
      time_created: created,
      time_updated: updated,
      ...(main && ref.archived && { time_archived: updated }),
    });
  }

  /** Of a session of this family: rules in force, an undo that may still be taken back, the sum of its changes. */
  #ownColumns(): Record<string, SqlValue> {
    const { permission, revert, summary } = this.#own;
    const undo = fields(revert);
    const message = this.#ids.get(name(undo?.partID) ?? name(undo?.messageID) ?? "");
    const sum = fields(summary);
    const number = (value: unknown) => (typeof value === "number" ? value : null);
    return {
      ...(Array.isArray(permission) && { permission: JSON.stringify(permission) }),
      ...(undo &&
        message !== undefined && {
          revert: JSON.stringify({ ...undo, partID: undefined, messageID: message }),
        }),
      ...(sum && {
        summary_additions: number(sum.additions),
        summary_deletions: number(sum.deletions),
        summary_files: number(sum.files),
      }),
    };
  }

  #todos(): void {
    const event = this.#plan;
    if (!event) return;
    if (this.#o.alone) {
      this.#leave(event, "plans", "not-supported");
      return;
    }
    const time = msOf(event.time) ?? this.#lastTime;
    for (const [position, { content, status, priority = "medium" }] of event.payload.plan.entries()) {
      this.#put("todo", {
        session_id: this.#o.id,
        content: content.toWellFormed(),
        status,
        priority,
        position,
        time_created: time,
        time_updated: time,
      });
    }
    this.#ledger.mapped(event, "plans");
  }
}

const AXES: Readonly<Record<string, SessionAxis>> = {
  approval: "approvals",
  artifact: "documents",
  turn: "turns",
  run: "turns",
};

function asksForSummary({ role, injected, blocks }: MessagePayload): boolean {
  const [first] = blocks;
  return (
    role === "user" && injected === "notice" && first?.type === "text" && first.text === COMPACTION_PROMPT
  );
}

function isSummary(event: SessionEvent | undefined): boolean {
  return event?.type === "message.completed" && event.payload.kind === "summary";
}
