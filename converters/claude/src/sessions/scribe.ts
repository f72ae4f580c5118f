/** Events in, records of Claude Code's own out: only shapes that 2.1.332 writes itself (`records.ts`). */
import type {
  Block,
  EventOf,
  LossLedger,
  MessagePayload,
  Reason,
  SessionAxis,
  SessionEvent,
  SessionRef,
} from "@asp-convert/core";
import { axes, isBlank, isTellingStop, legalId, legalToolName, reasons, Titles } from "@asp-convert/core";
import { reminder } from "./attachments.js";
import { encodeAll, encodeBlock, type Native, type Shortfall, toolInput, toolName } from "./encode.js";
import type { Lines } from "./lines.js";
import { ownTools, TOOL_LOADED } from "./models.js";

export interface ScribeOptions {
  ledger: LossLedger;
  /** The source is Claude Code: its details, signatures and ids are its own. */
  native: boolean;
  /** Moved to another folder: the session's own working directories are not kept. */
  rehomed: boolean;
  /** The session that is told. Its model is that of answers that name none. */
  ref: SessionRef;
}

interface Open {
  /** The id that the call was written with. */
  id: string;
  uuid: string;
}

type Loss = Parameters<LossLedger["leave"]>[1];

const LEGAL = /^[a-zA-Z0-9_-]+$/;
const IMAGE_KEYS = new Set(["type", "mimeType", "data", "uri"]);
const NO_RESULT = "[No result: the source holds none for this call]";
/** Modes that ask at least as much as Claude Code's own default. */
const CAREFUL = new Set(["default", "plan"]);
const EFFORTS = new Set(["low", "medium", "high", "xhigh", "max"]);

export class Scribe {
  readonly #lines: Lines;
  readonly #options: ScribeOptions;
  #ledger: LossLedger;
  /** Calls written whose result is still to come, by the source's id. */
  readonly #open = new Map<string, Open>();
  /** How often the source used a call's id: Claude Code takes the second call of one id out. */
  readonly #callIds = new Map<string, number>();
  /** The message that records are being written of, and the model they bear. */
  #group: { id: string; model: string } | undefined;
  #model: string | undefined;
  /** A model that was chosen, and which no answer bears yet. */
  #chosen: { model: string; event: SessionEvent } | undefined;
  #effort: string | undefined;
  #mode: string | undefined;
  #branch: string | undefined;
  #mainLeaf: string | null | undefined;
  /** Parents of the turns so far: where a rewind goes back to. */
  readonly #turns: (string | null)[] = [];
  #turn: string | undefined;
  /** A compaction waits for what follows it: a boundary must not be last. */
  #boundary: { event: EventOf<"status.changed">; logical: string | null; kept: string[] } | undefined;
  /** What is being written stands in the transcript already, before a compaction. */
  #copying = false;
  /** Where a turn begins or ends: the record before it. Nothing is written of the turn itself. */
  readonly #places = new Map<string, string | null>();
  #loose = 0;
  /** Results just written after which the program says that a tool was loaded. */
  #loaded = 0;
  readonly #ownTools: ReadonlySet<string>;
  readonly #titles: Titles;
  lastPrompt: string | undefined;

  constructor(lines: Lines, options: ScribeOptions) {
    this.#lines = lines;
    this.#options = options;
    this.#ledger = options.ledger;
    this.#model = options.ref.model;
    this.#ownTools = ownTools(options.ref.model);
    this.#titles = new Titles(options.ref, options.ledger);
  }

  /** The record that a resume goes on from. */
  get leaf(): string | null {
    return this.#mainLeaf === undefined ? this.#lines.parent : this.#mainLeaf;
  }

  get title(): string | undefined {
    return this.#titles.title;
  }

  /** Branches stand after the main line. */
  get branched(): boolean {
    return this.#mainLeaf !== undefined;
  }

  /**
   * An event that stands in the transcript already. Nothing is written of it; what comes after goes on from there.
   * @param ledger its account, which is none of this writer's.
   */
  stand(event: SessionEvent, ledger: LossLedger): void {
    // Its name and its model are in its own records.
    if (event.branch !== undefined || event.type === "session.started") return;
    if (event.type === "session.bound" && event.payload.title !== undefined) return;
    this.#lines.standing = event.nativeId ?? this.#lines.parent ?? "";
    this.supply(event, ledger);
    this.#lines.standing = undefined;
    this.#chosen = undefined;
  }

  /** An event that the program would have told when it went on, written now. */
  supply(event: SessionEvent, ledger: LossLedger): void {
    const own = this.#ledger;
    this.#ledger = ledger;
    this.#take(event);
    this.#ledger = own;
  }

  take(event: SessionEvent): void {
    if (event.branch !== this.#branch) this.#switchTo(event);
    this.#take(event);
  }

  end(): void {
    this.#answerOpen();
    this.#titles.end();
    this.#choose(undefined);
    if (this.#boundary)
      this.#ledger.note(
        { axis: "compaction", level: "evidence-only", reason: "not-supported" },
        this.#boundary.event.origin[0]?.record,
      );
  }

  #take(event: SessionEvent): void {
    const ledger = this.#ledger;
    switch (event.type) {
      case "message.completed":
        this.#message(event);
        return;
      case "tool.completed":
        this.#result(event);
        return;
      case "status.changed":
        this.#status(event);
        return;
      case "session.bound":
        this.#bound(event);
        return;
      case "capabilities.changed":
        this.#settings(event);
        return;
      case "turn.started":
      case "turn.completed":
        if (event.nativeId !== undefined) this.#places.set(event.nativeId, this.#lines.parent);
        if (event.type === "turn.completed") this.#turnEnded(event);
        ledger.mapped(event, "turns");
        return;
      case "task.updated":
        // Claude's own list is kept by the calls that made it, and these are written.
        if (this.#options.native) ledger.mapped(event, "plans");
        else ledger.leave(event, { axis: "plans", level: "evidence-only", reason: "no-counterpart" });
        return;
      case "unknown.observed":
        ledger.leave(event, lossOf(event));
        return;
      case "approval.requested":
      case "approval.resolved":
        ledger.leave(event, { axis: "approvals", level: "evidence-only", reason: "no-counterpart" });
        return;
      case "artifact.observed":
        ledger.leave(event, { axis: "tool-details", level: "evidence-only", reason: "no-counterpart" });
        return;
      case "session.started":
        ledger.mapped(event);
        this.#titles.take(event);
        if (event.payload.model !== undefined) this.#choose({ model: event.payload.model, event });
        if (event.payload.harnessVersion !== undefined)
          this.#note(event, "side-records", "evidence-only", "generated");
        return;
      default:
        ledger.leave(event, { axis: "side-records", level: "evidence-only", reason: "no-counterpart" });
    }
  }

  // --- branches ----------------------------------------------------------------------------------------------

  #switchTo({ branch, branchFrom }: SessionEvent): void {
    if (this.#branch === undefined) {
      this.#answerOpen();
      this.#mainLeaf = this.#lines.parent;
    }
    if (branch !== undefined) this.#ledger.keep("branches");
    this.#open.clear();
    this.#group = undefined;
    this.#branch = branch;
    // With no place known it is a tree of its own: below the leaf it would be taken for what goes on from there.
    this.#lines.parent = branchFrom === undefined ? null : this.#lastOf(branchFrom);
    this.#lines.restart();
  }

  /** The last record written of an event with this native id. */
  #lastOf(nativeId: string): string | null {
    const [answered, said] = [
      this.#written("tool.completed", nativeId),
      this.#written("message.completed", nativeId),
    ];
    return answered.at(-1) ?? said.at(-1) ?? this.#places.get(nativeId) ?? null;
  }

  /** The records written of an event. */
  #written(type: SessionEvent["type"], nativeId: string): string[] {
    const uuids: string[] = [];
    for (;;) {
      const uuid = this.#lines.known(seedOf(type, nativeId, uuids.length));
      if (uuid === undefined) return uuids;
      uuids.push(uuid);
    }
  }

  // --- messages ----------------------------------------------------------------------------------------------

  #message(event: EventOf<"message.completed">): void {
    const { payload } = event;
    const { role, blocks, injected, audience } = payload;
    if (injected === "harness") {
      this.#ledger.leave(event, { axis: "injected-context", level: "dropped", reason: "harness-preamble" });
    } else if (audience && !audience.includes("assistant")) this.#shownOnly(event);
    else if (role === "assistant") this.#assistant(event);
    else if (this.#loaded > 0 && isToolLoaded(event.payload)) {
      // The program will say it by itself.
      this.#loaded--;
      this.#ledger.mapped(event, "injected-context");
    } else if (this.#queued(event)) return;
    else if (blocks.length === 0)
      this.#ledger.leave(event, { axis: "messages", level: "dropped", reason: "empty" });
    else this.#user(event);
  }

  #shownOnly(event: EventOf<"message.completed">): void {
    const { blocks, messageId, model, stopReason } = event.payload;
    const [error] = blocks;
    // Its words went along at the end of a result, as the model was sent them.
    if (event.payload.kind === "queued" && this.#options.native) {
      this.#ledger.mapped(event, "messages");
      return;
    }
    if (error?.type !== "error") {
      this.#ledger.leave(event, { axis: "side-records", level: "evidence-only", reason: "no-counterpart" });
      return;
    }
    const text = blocks.map((block) => (block.type === "error" ? block.message : "")).join("\n");
    if (this.#open.size > 0) this.#answerOpen();
    this.#begin(event);
    this.#group = undefined;
    this.#write(event, 0, {
      type: "assistant",
      message: {
        ...messageFrame(
          `msg_${tokenOf(messageId)}`,
          this.#own(model) ?? "<synthetic>",
          this.#own(stopReason) ?? "stop_sequence",
        ),
        content: [{ type: "text", text: isBlank(text) ? "API Error" : text }],
        usage: usageOf(undefined),
      },
      isApiErrorMessage: true,
      ...(error.code !== undefined && { error: error.code }),
    });
    this.#foreignStop(event);
    if (blocks.some((block) => block.type === "error" && block.detail !== undefined))
      this.#note(event, "errors", "evidence-only", "no-counterpart");
    if (model !== undefined && !this.#options.native)
      this.#note(event, "models", "evidence-only", "no-counterpart");
    this.#ledger.mapped(event, "errors");
  }

  #foreignStop(event: EventOf<"message.completed">): void {
    if (!this.#options.native && isTellingStop(event.payload.stopReason))
      this.#note(event, "turns", "evidence-only", "no-counterpart");
  }

  #user(event: EventOf<"message.completed">): void {
    const { payload } = event;
    if (this.#open.size > 0) this.#answerOpen();
    const results = payload.blocks.filter((block) => block.type === "tool-result");
    for (const result of results) this.#resultBlock(event, result);
    const told = payload.blocks.filter(({ type }) => type !== "tool-result");
    const { natives: content, short } = encodeAll(payload.role === "system" ? told.map(asReminder) : told);
    if (content.length === 0 && results.length === 0) {
      this.#leaveShort(event, short);
      return;
    }
    this.#noteShort(event, short);
    this.#unseen(event);
    for (const block of told) if (block.type !== "text") this.#keepBlock(block, event);
    if (content.length === 0) {
      this.#ledger.mapped(event, "tool-results");
      return;
    }
    this.#begin(event);
    this.#group = undefined;
    const typed = payload.injected === undefined && payload.role === "user" && payload.kind !== "summary";
    if (typed) this.#startTurn(event, payload);
    const [only] = content;
    this.#write(event, 0, {
      type: "user",
      message: {
        role: "user",
        content: content.length === 1 && only?.type === "text" ? only.text : content,
      },
      ...(payload.kind === "summary" && { isVisibleInTranscriptOnly: true, isCompactSummary: true }),
      ...(!typed && payload.kind !== "summary" && this.#isMeta(payload) && { isMeta: true }),
      ...(typed && this.#mode !== undefined && { permissionMode: this.#mode }),
    });
    this.#ledger.mapped(
      event,
      payload.injected !== undefined
        ? "injected-context"
        : payload.kind === "summary"
          ? "compaction"
          : "messages",
    );
  }

  /** A message that Claude Code took in while a turn ran is an attachment; what it was sent as stands beside it. */
  #queued(event: EventOf<"message.completed">): boolean {
    const { kind, blocks, display } = event.payload;
    const [only] = blocks;
    if (
      !this.#options.native ||
      kind !== "queued" ||
      blocks.length !== 1 ||
      only?.type !== "text" ||
      display === undefined
    )
      return false;
    if (this.#open.size > 0) this.#answerOpen();
    this.#begin(event);
    const reminded = only.text.startsWith("<system-reminder>");
    this.#write(event, 0, {
      type: "attachment",
      attachment: {
        type: "queued_command",
        prompt: display,
        commandMode: "prompt",
        ...(!reminded && { hostsOwnTurn: true }),
      },
      rendered: [{ content: reminded ? only.text : reminder(only.text) }],
      renderedRole: "system",
    });
    this.#ledger.mapped(event, "messages");
    return true;
  }

  #startTurn(event: SessionEvent, payload: MessagePayload): void {
    const words =
      payload.display ??
      payload.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    if (this.#branch === undefined && !isBlank(words)) this.lastPrompt = words;
    if (event.turnId === undefined || event.turnId !== this.#turn) this.#turns.push(this.#lines.parent);
    this.#turn = event.turnId;
  }

  /** The event as a whole came to nothing: for the first of the reasons, the others counted beside it. */
  #leaveShort(event: SessionEvent, [first, ...rest]: readonly Shortfall[]): void {
    this.#ledger.leave(event, first ?? { axis: "messages", level: "dropped", reason: "empty" });
    this.#noteShort(event, rest);
  }

  #noteShort(event: SessionEvent, short: readonly Shortfall[]): void {
    for (const { axis, level, reason } of short) this.#note(event, axis, level, reason);
  }

  #keepBlock(block: Block, event: SessionEvent): void {
    if (block.type === "image") {
      this.#ledger.keep("images");
      const more = Object.keys(block).some((key) => !IMAGE_KEYS.has(key));
      if (more) this.#note(event, "images", "partial", "no-counterpart");
      // Where the source's own program sent its model a picture or words in its place, Claude's is sent the address.
      if (!this.#options.native && block.data === undefined && block.uri?.startsWith("http"))
        this.#note(event, "images", "partial", "re-encoded");
    } else if (block.type === "reference") this.#ledger.keep("documents");
  }

  /** Claude's own texts are meta where they were; what another program put in is. */
  #isMeta({ injected, role, audience }: MessagePayload): boolean {
    if (injected === undefined && role === "user") return false;
    return !this.#options.native || (audience !== undefined && !audience.includes("user"));
  }

  /** The program shows what it sends; in its own messages it finds by itself what a person is to see of them. */
  #unseen(event: EventOf<"message.completed">): void {
    if (event.payload.display !== undefined && !this.#options.native)
      this.#note(event, "side-records", "evidence-only", "no-counterpart");
  }

  #assistant(event: EventOf<"message.completed">): void {
    const { payload } = event;
    this.#unseen(event);
    const said = payload.blocks.filter(({ type }) => type !== "tool-call" && type !== "thinking");
    const thoughts = payload.blocks.filter((block) => block.type === "thinking");
    const calls = payload.blocks.filter((block) => block.type === "tool-call");
    // Between a call and its result only records of the same message may stand: another id loses the result.
    const joins = this.#open.size > 0 && this.#group !== undefined;
    const model = payload.model ?? (joins ? this.#group?.model : undefined) ?? this.#model ?? "<synthetic>";
    const group = joins && this.#group ? this.#group : { id: this.#messageId(payload), model };
    const stop = this.#own(payload.stopReason) ?? (calls.length > 0 ? "tool_use" : "end_turn");
    const usage = usageOf(payload.usage);
    this.#begin(event);
    let written = 0;
    const short: Shortfall[] = [];
    const effort = this.#effort === undefined ? {} : { effort: this.#effort };
    const record = (id: string, native: Native): void => {
      // What is used is told once a message: a thought under an id of its own used nothing.
      const told = id === group.id ? usage : usageOf(undefined);
      const message = { ...messageFrame(id, model, stop), content: [native], usage: told };
      this.#write(event, written++, { type: "assistant", message, ...effort });
    };
    for (const thought of thoughts) short.push(...this.#thought(thought, group.id, joins, record));
    for (const block of said) {
      const encoded = encodeBlock(block);
      if ("native" in encoded) {
        record(group.id, encoded.native);
        this.#keepBlock(block, event);
        if (block.type === "unknown") this.#ledger.keep("opaque-reasoning");
      } else short.push(encoded);
    }
    // The program puts what is said between a call and its result before the call.
    if (joins && written > 0) this.#note(event, "tool-calls", "partial", "merged");
    for (const call of calls) this.#call(event, call, group.id, record);
    if (written === 0) {
      this.#leaveShort(event, short);
      return;
    }
    this.#noteShort(event, short);
    this.#group = group;
    if (payload.usage) this.#ledger.keep("usage");
    if (payload.model !== undefined) this.#ledger.keep("models");
    if (model === this.#chosen?.model) this.#chosen = undefined;
    this.#foreignStop(event);
    this.#ledger.mapped(event, "messages");
  }

  /**
   * Claude Code's own go back as they were: it sends them to the model that signed them and to no other. Another
   * program's stand under an id of their own, which is never sent.
   */
  #thought(
    { text, signature }: Block & { type: "thinking" },
    id: string,
    joins: boolean,
    record: (id: string, native: Native) => void,
  ): Shortfall[] {
    const signed = signature !== undefined && signature !== "";
    if (this.#options.native) {
      record(id, { type: "thinking", thinking: text, signature: signature ?? "" });
      this.#ledger.keep("thinking");
      if (signed) this.#ledger.keep("opaque-reasoning");
      return [];
    }
    const short: Shortfall[] = [];
    if (signed) short.push({ axis: "opaque-reasoning", level: "evidence-only", reason: "foreign-signature" });
    if (isBlank(text)) return short;
    if (joins) return [...short, { axis: "thinking", level: "evidence-only", reason: "not-supported" }];
    record(`${id}_thought`.slice(-64), { type: "thinking", thinking: text, signature: "" });
    return [...short, { axis: "thinking", level: "partial", reason: "shown-not-sent" }];
  }

  #call(
    event: SessionEvent,
    call: Block & { type: "tool-call" },
    group: string,
    record: (id: string, native: Native) => void,
  ): void {
    const id = this.#callId(event, call.toolCallId);
    const input = toolInput(call.arguments);
    if (input !== call.arguments) this.#note(event, "tool-calls", "partial", "re-encoded");
    const name = legalToolName(toolName(call.name, call.namespace), this.#ledger, event.origin[0]?.record);
    record(group, { type: "tool_use", id, name, input });
    this.#open.set(call.toolCallId, { id, uuid: this.#lines.parent as string });
    this.#ledger.keep("tool-calls");
  }

  #callId(event: SessionEvent, original: string): string {
    let id = legalId(original, LEGAL);
    if (id !== original) this.#note(event, "ids", "partial", "id-not-legal");
    else this.#ledger.keep("ids");
    const uses = (this.#callIds.get(original) ?? 0) + 1;
    this.#callIds.set(original, uses);
    if (uses > 1) {
      if (!this.#copying) this.#note(event, "ids", "partial", "duplicate-id");
      id = legalId(`${original} ${uses}`, LEGAL);
    }
    return id;
  }

  /** Claude's own ids stay. What is written twice gets another one: the program joins records of one id. */
  #messageId({ messageId }: MessagePayload): string {
    if (this.#copying) return `msg_${tokenOf(`kept ${messageId}`)}`;
    const own = this.#options.native && messageId.startsWith("msg_") && LEGAL.test(messageId);
    return own ? messageId : `msg_${tokenOf(messageId)}`;
  }

  // --- results -----------------------------------------------------------------------------------------------

  #result(event: EventOf<"tool.completed">): void {
    const { toolCallId, result, isError, detail } = event.payload;
    const open = this.#open.get(toolCallId);
    if (!open) {
      this.#orphan(event);
      return;
    }
    this.#open.delete(toolCallId);
    const content = this.#resultContent(result, event);
    this.#begin(event);
    this.#write(event, 0, {
      type: "user",
      message: {
        role: "user",
        content: [{ tool_use_id: open.id, type: "tool_result", content, ...(isError && { is_error: true }) }],
      },
      ...(detail !== undefined && this.#options.native && { toolUseResult: detail }),
      sourceToolAssistantUUID: open.uuid,
    });
    if (detail !== undefined) {
      if (this.#options.native) this.#ledger.keep("tool-details");
      else this.#note(event, "tool-details", "evidence-only", "no-counterpart");
    }
    this.#ledger.mapped(event, "tool-results");
  }

  /** One text alone is written as a string, as Claude does. */
  #resultContent(blocks: readonly Block[], event: SessionEvent): string | Native[] {
    const [only] = blocks;
    if (blocks.length === 0) return "";
    if (blocks.length === 1 && only?.type === "text") {
      return only.text;
    }
    const { natives, short } = encodeAll(blocks);
    if (
      natives.some(
        ({ type, tool_name }) => type === "tool_reference" && this.#ownTools.has(String(tool_name)),
      )
    )
      this.#loaded++;
    for (const block of blocks) this.#keepBlock(block, event);
    this.#noteShort(
      event,
      short.map((each) => (each.axis === "messages" ? { ...each, axis: "tool-results" } : each)),
    );
    return natives;
  }

  #resultBlock(event: SessionEvent, block: Block & { type: "tool-result" }): void {
    const open = this.#open.get(block.toolCallId);
    if (!open) return;
    this.#open.delete(block.toolCallId);
    this.#write(event, 100, {
      type: "user",
      message: {
        role: "user",
        content: [
          {
            tool_use_id: open.id,
            type: "tool_result",
            content: this.#resultContent(block.content, event),
            ...(block.isError && { is_error: true }),
          },
        ],
      },
      sourceToolAssistantUUID: open.uuid,
    });
  }

  /** A result without its call, or a second one of a call: the program would drop it, so it becomes words. */
  #orphan(event: EventOf<"tool.completed">): void {
    const { toolCallId, result, detail } = event.payload;
    const { natives: content, short } = encodeAll(result);
    this.#noteShort(event, short);
    const again = this.#callIds.has(toolCallId);
    const label = {
      type: "text",
      text: again
        ? `[Another result of the tool call ${toolCallId}]`
        : `[Result of the tool call ${toolCallId}, which the source does not hold]`,
    };
    if (this.#open.size > 0) this.#answerOpen();
    this.#begin(event);
    this.#group = undefined;
    this.#write(event, 0, {
      type: "user",
      message: { role: "user", content: [label, ...content] },
      isMeta: true,
    });
    this.#note(event, "tool-results", "partial", again ? "re-encoded" : "orphan-result");
    if (detail !== undefined) this.#note(event, "tool-details", "evidence-only", "no-counterpart");
    this.#ledger.mapped(event, "tool-results");
  }

  /** Calls that will get no result: without one the program drops them, and their record with them. */
  #answerOpen(): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    if (this.#branch !== undefined) return;
    for (const { id, uuid } of open) {
      this.#lines.chain(`no result ${id}`, undefined, {
        type: "user",
        message: {
          role: "user",
          content: [{ tool_use_id: id, type: "tool_result", content: NO_RESULT, is_error: true }],
        },
        sourceToolAssistantUUID: uuid,
      });
      this.#ledger.note({ axis: "tool-results", level: "not-in-source", reason: "missing-result" });
    }
  }

  // --- what changes ------------------------------------------------------------------------------------------

  #status(event: EventOf<"status.changed">): void {
    const { status, context, turns, reason } = event.payload;
    if (status === "rewound") {
      this.#answerOpen();
      this.#group = undefined;
      const back = Math.min(turns ?? 1, this.#turns.length);
      const [parent] = back === 0 ? [] : this.#turns.splice(this.#turns.length - back);
      if (parent !== undefined) this.#lines.parent = parent;
      this.#ledger.mapped(event, "branches");
      return;
    }
    if (status !== "compacted") {
      this.#ledger.leave(event, { axis: "side-records", level: "evidence-only", reason: "no-counterpart" });
      return;
    }
    if (context === undefined) {
      this.#ledger.leave(event, { axis: "compaction", level: "evidence-only", reason: "encrypted" });
      return;
    }
    this.#answerOpen();
    this.#group = undefined;
    const kept = this.#keptBefore(context);
    this.#boundary = { event, logical: this.#lines.parent, kept: kept?.uuids ?? [] };
    this.#ledger.mapped(event, "compaction");
    if (reason !== undefined) this.#note(event, "compaction", "partial", "no-counterpart");
    this.#copying = true;
    for (const each of context)
      if (kept?.events.has(each)) this.#ledger.mapped(each);
      else this.#take(each);
    this.#copying = false;
  }

  /** What the compaction kept word for word, if all of it stands in the transcript already. */
  #keptBefore(context: readonly SessionEvent[]): { events: Set<SessionEvent>; uuids: string[] } | undefined {
    const events = new Set<SessionEvent>();
    const uuids: string[] = [];
    for (const each of context) {
      if (each.type !== "message.completed" && each.type !== "tool.completed") continue;
      if (
        each.type === "message.completed" &&
        (each.payload.kind === "summary" || each.payload.injected === "harness")
      )
        continue;
      const found = each.nativeId === undefined ? [] : this.#written(each.type, each.nativeId);
      if (found.length === 0) return undefined;
      events.add(each);
      uuids.push(...found);
    }
    return events.size === 0 ? undefined : { events, uuids };
  }

  /** Before the first record of a message: the boundary that waits for it. */
  #begin(event: SessionEvent): void {
    const waiting = this.#boundary;
    if (!waiting) return;
    this.#boundary = undefined;
    const { kept, logical } = waiting;
    const seed = `boundary ${waiting.event.nativeId ?? ++this.#loose}`;
    const summary = event.type === "message.completed" && event.payload.kind === "summary";
    const anchorUuid = this.#lines.next(summary ? this.#seedOf(event, 0) : seed);
    const { trigger = "auto" } = waiting.event.payload;
    this.#lines.chain(
      seed,
      waiting.event.time ?? event.time,
      {
        type: "system",
        subtype: "compact_boundary",
        content: "Conversation compacted",
        isMeta: false,
        level: "info",
        compactMetadata: {
          trigger,
          preTokens: 0,
          ...(kept.length > 0 && { preservedMessages: { anchorUuid, uuids: kept, allUuids: kept } }),
        },
      },
      { logicalParentUuid: logical },
    );
  }

  #bound(event: EventOf<"session.bound">): void {
    const { title, cwd } = event.payload;
    if (title !== undefined) this.#titles.take(event);
    else if (cwd !== undefined && !this.#options.rehomed) {
      this.#lines.cwd = cwd;
      this.#ledger.mapped(event, "cwd");
    } else this.#ledger.leave(event, { axis: "cwd", level: "evidence-only", reason: "superseded" });
  }

  #settings(event: EventOf<"capabilities.changed">): void {
    const left: Reason[] = [];
    let kept = false;
    for (const [id, value] of Object.entries(event.payload.settings)) {
      const reason = this.#setting(id, value);
      if (id === "model" && typeof value === "string") this.#choose({ model: value, event });
      if (reason) left.push(reason);
      else kept = true;
    }
    if (kept) this.#ledger.mapped(event, "settings");
    else
      this.#ledger.leave(event, {
        axis: "settings",
        level: "evidence-only",
        reason: left.shift() ?? "no-equal",
      });
    for (const reason of left) this.#note(event, "settings", "evidence-only", reason);
  }

  /** Takes a setting for the records that follow; or says why it does not. */
  #setting(id: string, value: unknown): Reason | undefined {
    if (id === "mode") this.#mode = undefined;
    if (typeof value !== "string") return "no-equal";
    if (id === "model") this.#model = value;
    else if (id === "thought_level" && EFFORTS.has(value)) this.#effort = value;
    else if (id === "mode" && CAREFUL.has(value)) this.#mode = value;
    else return id === "mode" ? "unsafe" : "no-equal";
    return undefined;
  }

  /** Every answer names its model, and nothing else does: what was chosen for none is in no record. */
  #choose(next: { model: string; event: SessionEvent } | undefined): void {
    const unused = this.#chosen;
    if (unused && unused.model !== next?.model)
      this.#note(unused.event, "models", "evidence-only", "no-counterpart");
    this.#chosen = next;
  }

  #turnEnded(event: EventOf<"turn.completed">): void {
    const { status, error, usage } = event.payload;
    if (status !== "completed" || error !== undefined)
      this.#note(event, "turns", "evidence-only", "no-counterpart");
    if (usage) this.#note(event, "usage", "evidence-only", "no-counterpart");
  }

  // --- writing -----------------------------------------------------------------------------------------------

  /** One record. The first of an event bears the uuid that a branch can find it by. */
  #write(event: SessionEvent, n: number, record: Native): void {
    const seed = this.#seedOf(event, n);
    const { late, repaired } = this.#lines.chain(seed, event.time, record);
    if (repaired)
      this.#note(
        event,
        event.type === "tool.completed" ? "tool-results" : "messages",
        "partial",
        "invalid-text",
      );
    if (n > 0) return;
    if (event.time === undefined || event.timeInferred)
      this.#note(event, "times", "partial", "time-inferred");
    else if (late > 0) this.#note(event, "times", "partial", "re-encoded");
    else this.#ledger.keep("times");
  }

  /** A word of Claude Code's own goes back as it is; another harness's is not written. */
  #own(word: string | undefined): string | undefined {
    return this.#options.native ? word : undefined;
  }

  #seedOf(event: SessionEvent, n: number): string {
    return seedOf(event.type, event.nativeId ?? `#${++this.#loose}`, n);
  }

  #note(
    event: SessionEvent,
    axis: SessionAxis,
    level: Exclude<Loss["level"], "preserved">,
    reason: Reason,
  ): void {
    this.#ledger.note({ axis, level, reason }, event.origin[0]?.record);
  }
}

function seedOf(type: SessionEvent["type"], nativeId: string, n: number): string {
  return `${type} ${nativeId}${n === 0 ? "" : ` ${n}`}`;
}

/** Claude Code tells what is neither the person's nor the agent's in reminders. */
function asReminder(block: Block): Block {
  if (block.type !== "text" || isBlank(block.text) || block.text.startsWith("<system-reminder>"))
    return block;
  return { type: "text", text: reminder(block.text) };
}

function isToolLoaded({ injected, blocks }: MessagePayload): boolean {
  const [only] = blocks;
  return injected === "tool" && blocks.length === 1 && only?.type === "text" && only.text === TOOL_LOADED;
}

/** Letters and digits that stand for any id. */
function tokenOf(id: string): string {
  return legalId(id, /^[A-Za-z0-9]+$/, 24)
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(-24);
}

function messageFrame(id: string, model: string, stop_reason: string): Native {
  return { id, type: "message", role: "assistant", model, stop_reason, stop_sequence: null };
}

function usageOf(usage: MessagePayload["usage"]): Native {
  return {
    input_tokens: usage?.inputTokens ?? 0,
    cache_creation_input_tokens: usage?.cacheWriteTokens ?? 0,
    cache_read_input_tokens: usage?.cacheReadTokens ?? 0,
    output_tokens: usage?.outputTokens ?? 0,
    service_tier: "standard",
  };
}

function lossOf({ payload }: EventOf<"unknown.observed">): Loss {
  const axis: SessionAxis = Object.hasOwn(axes, payload.axis)
    ? (payload.axis as SessionAxis)
    : "side-records";
  if (axis === "injected-context") return { axis, level: "dropped", reason: "harness-preamble" };
  const known = payload.reason !== undefined && Object.hasOwn(reasons, payload.reason);
  return { axis, level: "evidence-only", reason: known ? (payload.reason as Reason) : "no-counterpart" };
}
