/** Events in, messages of a Cline session out; every event is accounted for. */
import {
  type Axis,
  type EventOf,
  type LossLedger,
  legalId,
  noteBeneath,
  type Reason,
  reasons,
  type SessionAxis,
  type SessionEvent,
  type SessionRef,
  sessionAxes,
  Titles,
  uuidFrom,
} from "@asp-convert/core";
import { fields, isoTime } from "@asp-convert/core/values";
import { answerFor, besideAnswer, type CallFor, type Part, partsFor, type Said } from "./encode.js";
import { oneLine } from "./list.js";
import type { Own } from "./own.js";
import { fileOf, type Mode, sentText, shownText, storedText } from "./wire.js";

export interface ScribeOptions {
  id: string;
  /** ISO 8601. */
  created: string;
  seed: string;
  ref: SessionRef;
  ledger: LossLedger;
  /** The session that a subagent is of. */
  above?: SessionRef;
}

type Message = EventOf<"message.completed">;
type Row = { id: string; role: "user" | "assistant"; content: Part[]; ts: number; [key: string]: unknown };

/** A result longer than this is cut in its middle when it is sent. */
const LONGEST_RESULT = 8000;
const LONGEST_PROMPT = 2000;

export class Scribe {
  readonly #options: ScribeOptions;
  readonly #ledger: LossLedger;
  readonly #native: boolean;
  readonly #titles: Titles;
  #text = "";
  #rows = 0;
  #made = 0;
  #time: string;
  #record: number | undefined;
  #calls = new Map<string, CallFor>();
  readonly #used = new Set<string>();
  #mode: Mode = "act";
  #prompt: string | undefined;
  #renamed = 0;
  /** Messages that are sent: a compaction stands for so many of them. */
  #sent = 0;
  #lastSent: string | undefined;
  /** Where rows go instead of the session: what stands for it since it was compacted. */
  #list: Row[] | undefined;
  #compaction: { state: string; record: number | undefined } | undefined;

  constructor(options: ScribeOptions) {
    this.#options = options;
    this.#ledger = options.ledger;
    const { created, ref } = options;
    this.#native = ref.harness === "cline";
    this.#time = created;
    this.#titles = new Titles(ref, options.ledger);
  }

  get size(): number {
    return this.#text.length;
  }

  /** Of the last message: ISO 8601. */
  get time(): string {
    return this.#time;
  }

  /** The first words of a person's. */
  get prompt(): string | undefined {
    return this.#prompt;
  }

  get title(): string | undefined {
    const { title } = this.#titles;
    return title === undefined ? undefined : oneLine(title);
  }

  /** The file that says what is sent instead of the first messages; undefined where nothing was compacted. */
  get compaction(): string | undefined {
    return this.#compaction?.state;
  }

  /** Nobody said anything that is sent. */
  get isEmpty(): boolean {
    return this.#sent === 0;
  }

  drain(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  take(event: SessionEvent): void {
    this.#record = event.origin[0]?.record;
    if (event.branch !== undefined) {
      this.#leave(event, "branches", "abandoned-branch");
      return;
    }
    this.#date(event);
    this.#take(event);
    if (event.nativeId !== undefined) this.#renamed++;
  }

  end(): void {
    const { ref } = this.#options;
    this.#titles.end();
    if (this.#renamed > 0)
      this.#ledger.note({ axis: "ids", level: "evidence-only", reason: "generated", count: this.#renamed });
    if (ref.parent?.relation === "subagent") this.#ledger.keep("subagents");
    else if (ref.parent)
      this.#ledger.note({ axis: "lineage", level: "evidence-only", reason: "no-counterpart" });
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
        this.#titles.take(event);
        if (event.payload.title === undefined)
          this.#leave(event, event.payload.cwd === undefined ? "title" : "cwd", "superseded");
        else if (event.payload.cwd !== undefined) this.#note("cwd", "no-counterpart");
        return;
      case "message.completed":
        this.#message(event);
        return;
      case "tool.completed":
        if (this.#answered(event)) this.#ledger.mapped(event, "tool-results");
        else this.#leave(event, "tool-results", "orphan-result");
        return;
      case "capabilities.changed":
        this.#settings(event);
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
    const { model, git, harnessVersion } = event.payload;
    this.#titles.take(event);
    this.#ledger.mapped(event, "cwd");
    // The answers name it; Cline asks its settings which one goes on.
    if (model !== undefined && !this.#native) this.#note("models", "no-counterpart");
    const { above, ref } = this.#options;
    if (above) noteBeneath(ref, above, this.#ledger);
    else if (git?.branch !== undefined) this.#ledger.keep("git");
    if (git && (git.commit !== undefined || git.repository !== undefined))
      this.#note("git", "no-counterpart");
    if (harnessVersion !== undefined) this.#note("side-records", "generated");
  }

  /** The mode is written down with each prompt; the others are nowhere in a session. */
  #settings(event: EventOf<"capabilities.changed">): void {
    const { mode, ...others } = event.payload.settings;
    const isKnown = mode === "plan" || (this.#native && (mode === "act" || mode === "yolo"));
    this.#mode = isKnown ? mode : "act";
    if (isKnown) this.#ledger.mapped(event, "settings");
    else this.#leave(event, "settings", "no-counterpart");
    if (isKnown && Object.keys(others).length > 0) this.#note("settings", "no-counterpart");
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
    if (audience && !audience.includes("assistant")) return this.#shown(event);
    return role === "assistant" ? this.#answer(event) : this.#said(event);
  }

  #said({ payload, nativeId }: Message): boolean {
    const { role, blocks, injected, kind, audience, display } = payload;
    const axis = injected === undefined ? "messages" : "injected-context";
    const parts = partsFor(blocks, axis, this.#saying);
    if (parts.length === 0) return false;
    const isPersons = injected === undefined && kind !== "summary" && role !== "system" && !this.#isSubagent;
    const content = parts.map((part) => this.#stored(part, isPersons, axis));
    const shown = content.flatMap(({ type, text }) =>
      type === "text" && typeof text === "string" ? [shownText(text)] : [],
    );
    const isSeen = display === undefined || display === shown.join("\n");
    if (isPersons)
      this.#prompt ??= (isSeen ? shown.join(" ") : display).slice(0, LONGEST_PROMPT).toWellFormed();
    const own: Own = {
      ...(injected && { injected }),
      ...(kind && { kind }),
      ...(audience && !audience.includes("user") && { sent: true }),
      ...(role === "system" && { role }),
      ...(!isSeen && { display: display.toWellFormed() }),
    };
    this.#put("user", content, {}, own, kind === "summary" ? SUMMARY : {}, nativeId);
    return true;
  }

  get #isSubagent(): boolean {
    return this.#options.ref.parent?.relation === "subagent";
  }

  /** As the program writes down what a person said; it takes its marks off when it sends it. */
  #stored(part: Part, isPersons: boolean, axis: Axis): Part {
    const { type, text } = part;
    if (type !== "text" || typeof text !== "string") return part;
    const file = this.#native ? fileOf(text) : undefined;
    if (file) return { type: "file", ...file };
    // Marks around it also keep those inside of it.
    const stored = isPersons || sentText(text) !== text.trim() ? storedText(text, this.#mode) : text;
    if (sentText(stored) !== text.trim())
      // It holds marks like the program's own, which are taken off wherever they stand.
      this.#ledger.note({ axis, level: "partial", reason: "not-supported" }, this.#record);
    return { type, text: stored };
  }

  /** The program shows these and sends them to nobody. */
  #shown({ payload, nativeId }: Message): boolean {
    const { role, blocks, injected } = payload;
    const isError = blocks.some(({ type }) => type === "error");
    const parts = partsFor(blocks, "errors", this.#saying);
    const texts = parts.filter(({ type }) => type === "text");
    if (texts.length < parts.length) this.#note("images", "shown-not-sent");
    if (texts.length === 0) return false;
    const own: Own = { ...(injected && { injected }), ...(role === "system" && { role }) };
    this.#put(
      role === "user" || role === "system" ? "user" : "assistant",
      texts,
      besideAnswer(payload, this.#saying),
      own,
      { displayOnly: true, displayRole: isError ? "error" : "system" },
      nativeId,
    );
    return true;
  }

  #answer({ payload, nativeId }: Message): boolean {
    const said = this.#saying;
    const content = answerFor(payload.blocks, (id, tool) => this.#called(id, tool), said);
    if (content.length === 0) return false;
    const own: Own = payload.injected ? { injected: payload.injected } : {};
    this.#put("assistant", content, besideAnswer(payload, said), own, {}, nativeId);
    return true;
  }

  #called(toolCallId: string, tool: string): CallFor {
    const stem = legalId(toolCallId);
    let id = stem;
    for (let i = 2; this.#used.has(id); i++) id = `${stem}_${i}`;
    this.#used.add(id);
    if (id === toolCallId) this.#ledger.keep("ids");
    else
      this.#ledger.note(
        { axis: "ids", level: "partial", reason: stem === toolCallId ? "duplicate-id" : "id-not-legal" },
        this.#record,
      );
    const call = { id, name: tool };
    this.#calls.set(toolCallId, call);
    return call;
  }

  #answered({ payload, nativeId }: EventOf<"tool.completed">): boolean {
    const { toolCallId, result, isError, detail } = payload;
    const call = this.#calls.get(toolCallId);
    if (!call) return false;
    this.#calls.delete(toolCallId);
    const own = this.#native ? fields(detail)?.content : undefined;
    if (own !== undefined) this.#ledger.keep("tool-details");
    else if (detail !== undefined) this.#note("tool-details", "no-counterpart");
    const content = own ?? this.#resultFor(partsFor(result, "tool-results", this.#saying));
    const block: Part = {
      type: "tool_result",
      tool_use_id: call.id,
      name: call.name,
      content,
      ...(isError && { is_error: true }),
    };
    this.#put("user", [block], {}, {}, {}, nativeId === undefined ? undefined : `${nativeId}/${call.id}`);
    return true;
  }

  /** Texts are one text: a list of them would be sent as JSON. Pictures stand beside theirs. */
  #resultFor(parts: readonly Part[]): string | Part[] {
    const texts = parts.flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
    const pictures = parts.filter(({ type }) => type === "image");
    if (texts.length + pictures.length < parts.length)
      this.#ledger.note({ axis: "documents", level: "evidence-only", reason: "not-supported" }, this.#record);
    const text = texts.join("\n");
    if (text.length > LONGEST_RESULT)
      this.#ledger.note({ axis: "tool-results", level: "partial", reason: "target-limit" }, this.#record);
    if (texts.length > 1)
      this.#ledger.note({ axis: "tool-results", level: "partial", reason: "merged" }, this.#record);
    if (pictures.length === 0) return text;
    return [...(text === "" ? [] : [{ type: "text", text }]), ...pictures];
  }

  #status(event: EventOf<"status.changed">): void {
    const { status, context, reason } = event.payload;
    if (status === "rewound") this.#leave(event, "branches", "abandoned-branch");
    else if (status !== "compacted") this.#leave(event, "side-records", "no-counterpart");
    else if (!context) this.#leave(event, "compaction", "not-in-source");
    else {
      this.#compacted(context);
      if (reason !== undefined) this.#note("compaction", "no-counterpart");
      this.#ledger.mapped(event, "compaction");
    }
  }

  /** What was said before stays in the session; a file beside it says what is sent instead. */
  #compacted(context: readonly SessionEvent[]): void {
    if (this.#compaction)
      this.#ledger.note(
        { axis: "compaction", level: "evidence-only", reason: "superseded" },
        this.#compaction.record,
      );
    this.#calls = new Map();
    const rows: Row[] = [];
    const before = { time: this.#time, count: this.#sent, last: this.#lastSent };
    // With nothing before it that is sent, it is just what was said.
    if (before.last !== undefined) this.#list = rows;
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
    this.#list = undefined;
    this.#time = before.time;
    if (before.last === undefined) return;
    const state = {
      version: 1,
      updated_at: before.time,
      conversation_id: this.#options.id,
      // No hash of the messages: it would be one over the program's own form of them.
      source_message_count: before.count,
      source_last_message_key: `id:${before.last}`,
      messages: rows,
    };
    this.#compaction = { state: JSON.stringify(state), record: this.#record };
  }

  #put(
    role: Row["role"],
    content: Part[],
    beside: object,
    own: Own,
    metadata: object,
    nativeId: string | undefined,
  ): void {
    const { ref, seed } = this.#options;
    const place = this.#made++;
    const id = uuidFrom(`${seed} ${nativeId === undefined || this.#list ? `#${place}` : nativeId}`);
    const call = place === 0 && this.#isSubagent ? ref.parent?.toolCallId : undefined;
    const asp = { ...own, ...(call !== undefined && { call: legalId(call) }) };
    const all = { ...metadata, ...(Object.keys(asp).length > 0 && { asp }) };
    const row: Row = {
      id,
      role,
      content,
      ts: Date.parse(this.#time),
      ...beside,
      ...(Object.keys(all).length > 0 && { metadata: all }),
    };
    if (this.#list) {
      this.#list.push(row);
      return;
    }
    if (!("displayOnly" in metadata)) {
      this.#sent++;
      this.#lastSent = id;
    }
    this.#text += `${this.#rows++ === 0 ? "" : ","}\n${JSON.stringify(row)}`;
  }

  get #saying(): Said {
    return { ledger: this.#ledger, record: this.#record, isNative: this.#native };
  }

  #note(axis: Axis, reason: Reason): void {
    this.#ledger.note({ axis, level: "evidence-only", reason }, this.#record);
  }

  #leave(event: SessionEvent, axis: Axis, reason: Reason): void {
    this.#ledger.leave(event, { axis, level: "evidence-only", reason });
  }
}

const SUMMARY = { kind: "compaction_summary", displayRole: "system" };

const AXES: Readonly<Record<string, SessionAxis>> = {
  approval: "approvals",
  artifact: "documents",
  capabilities: "settings",
  run: "turns",
  turn: "turns",
  task: "plans",
};
