/**
 * A session's records → events. What the program would send to its model is what the events say: undone messages
 * are a branch, a finished compaction replaces what lay before it, messages with an error are shown only.
 */
import type { Origin, ReadContext, SessionEvent, SessionRef, SettingValues } from "@asp-convert/core";
import { defined, type Fields, fields, list, name, number, string } from "../json.js";
import { COMPACTION_PROMPT, isDefaultTitle, NATIVE } from "../native.js";
import type { Row } from "../rows/line.js";
import { type Located, recordsOf } from "../rows/records.js";
import { modelName, modelText, type SessionInfo, sessionInfo } from "./info.js";
import { assistantEvents, isLeftOut, type Message, sayUser } from "./say.js";
import { Sink } from "./sink.js";

export async function* readSession(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const { ledger } = context;
  const reader = new Reader(ref, await tailsOf(ref, context));
  for await (const located of recordsOf(ref, context)) {
    const record = ledger.record();
    if (located.invalidText) ledger.note({ axis: "raw", level: "partial", reason: "invalid-text" }, record);
    if (reader.wantsLast) reader.last = await lastMessageOf(ref, context);
    if (!located.row && reader.isBranched) {
      // On a branch nobody would tell of it.
      ledger.note({ axis: "raw", level: "evidence-only", reason: located.why ?? "unparsable" }, record);
    }
    reader.take(located, { record, ...located.origin });
    yield* reader.drain();
  }
  reader.end();
  yield* reader.drain();
}

/** Where kept tails begin: message → the compactions that keep what follows it. */
type Tails = ReadonlyMap<string, readonly string[]>;

async function tailsOf(ref: SessionRef, context: ReadContext): Promise<Tails> {
  const tails = new Map<string, string[]>();
  for await (const { row } of recordsOf(ref, context, '"tail_start_id"')) {
    const start = row?.table === "part" && row.data?.type === "compaction" && name(row.data.tail_start_id);
    const message = name(row?.columns.message_id);
    if (start && message !== undefined) tails.set(start, [...(tails.get(start) ?? []), message]);
  }
  return tails;
}

async function lastMessageOf(ref: SessionRef, context: ReadContext): Promise<string | undefined> {
  let last: string | undefined;
  for await (const { row } of recordsOf(ref, context, '"message"'))
    if (row?.table === "message") last = name(row.columns.id) ?? last;
  return last;
}

interface Compaction {
  asked: Message;
  part: Fields;
}

class Reader {
  readonly #ref: SessionRef;
  readonly #tails: Tails;
  readonly #sink = new Sink();
  readonly #settings: SettingValues = {};
  #info: SessionInfo | undefined;
  #started = false;
  #message: Message | undefined;
  #todos: { fields: Fields; origin: Origin }[] = [];
  /** Asked for, and not yet summed up. */
  #compaction: Compaction | undefined;
  /** Native id of the last message, the name of the branch that an undo left; null: not known yet. */
  last: string | undefined | null = null;
  isBranched = false;

  constructor(ref: SessionRef, tails: Tails) {
    this.#ref = ref;
    this.#tails = tails;
  }

  get wantsLast(): boolean {
    return this.#info?.revert !== undefined && this.last === null;
  }

  drain(): SessionEvent[] {
    return this.#sink.drain();
  }

  take(located: Located, origin: Origin): void {
    const { row } = located;
    if (!row) {
      this.#start();
      this.#raw(located.why ?? "unparsable", origin);
      return;
    }
    if (located.invalidText) this.#start();
    switch (row.table) {
      case "session":
        if (this.#started) this.#other(row, origin, "duplicate");
        else this.#start(row, origin);
        return;
      case "todo":
        this.#start();
        for (const todo of row.data ? list(row.data.todos) : [row.columns]) {
          const found = fields(todo);
          if (found) this.#todos.push({ fields: found, origin });
        }
        return;
      case "message":
        this.#start();
        this.#flush();
        if (!row.data) this.#raw("unparsable", origin);
        else this.#message = messageOf(row, row.data, origin);
        return;
      case "part":
        this.#start();
        this.#part(row, origin);
        return;
      default:
        this.#start();
        this.#other(row, origin, "no-counterpart");
    }
  }

  end(): void {
    this.#start();
    this.#flush();
    this.#giveUpCompaction();
    this.#tasks();
  }

  #part(row: Row, origin: Origin): void {
    const owner = name(row.columns.message_id);
    if (!row.data) this.#raw("unparsable", origin);
    else if (this.#message && (owner === undefined || owner === this.#message.id)) {
      const id = name(row.columns.id) ?? `${this.#message.id}/${this.#message.parts.length}`;
      this.#message.parts.push({ id, data: row.data, origin });
    } else this.#other(row, origin, "dangling-parent");
  }

  #start(row?: Row, origin?: Origin): void {
    if (this.#started) return;
    this.#started = true;
    const info = row ? sessionInfo(row) : undefined;
    this.#info = info;
    const { title = this.#ref.title, directory = this.#ref.cwd, created, version, model } = info ?? {};
    const at = { id: info?.id || this.#ref.id, origin: origin ? [origin] : [], time: created };
    const git = fields(info?.asp?.git);
    this.#sink.emit(
      "session.started",
      {
        nativeSessionId: at.id,
        ...(title !== undefined && !isDefaultTitle(title) && { title }),
        ...(directory !== undefined && { cwd: directory }),
        ...(git && {
          git: defined({
            branch: string(git.branch),
            commit: string(git.commit),
            repository: string(git.repository),
          }),
        }),
        ...(model && { model: modelText(model) }),
        ...(version !== undefined && { harnessVersion: version }),
      },
      at,
    );
    if (info && Object.keys(info.rest).length > 0) {
      this.#sink.emit(
        "unknown.observed",
        { nativeType: NATIVE.session, axis: "side-records", value: info.rest },
        at,
      );
    }
  }

  /** All parts of the message at hand are there. */
  #flush(): void {
    const message = this.#message;
    if (!message) return;
    this.#message = undefined;
    const { revert } = this.#info ?? {};
    if (revert?.message === message.id) {
      const at = revert.part === undefined ? 0 : message.parts.findIndex(({ id }) => id === revert.part);
      const kept = at > 0 ? { ...message, parts: message.parts.slice(0, at) } : undefined;
      if (kept) this.#say(kept);
      this.#tasks();
      this.#giveUpCompaction();
      this.isBranched = true;
      this.#sink.beginBranch(this.last ?? message.id);
      const left = kept
        ? { ...message, id: message.parts[at]?.id ?? message.id, parts: message.parts.slice(at) }
        : message;
      this.#say(left);
      return;
    }
    this.#say(message);
  }

  #say(message: Message): void {
    for (const compaction of this.#tails.get(message.id) ?? []) this.#sink.beginTail(compaction);
    if (this.#compaction && this.#sumUp(message, this.#compaction)) return;
    this.#set(message);
    if (message.data.role === "user") {
      const part = message.parts.find(({ data }) => data.type === "compaction");
      if (part) {
        this.#giveUpCompaction();
        this.#compaction = { asked: message, part: part.data };
        return;
      }
      this.#giveUpCompaction();
      this.#sink.turnId = message.id;
      sayUser(message, this.#sink);
    } else if (message.data.role === "assistant") {
      if (!isSummaryOf(message, this.#compaction)) this.#giveUpCompaction();
      this.#sink.turnId = name(message.data.parentID) ?? this.#sink.turnId;
      for (const event of assistantEvents(message, this.#sink)) this.#sink.add(event);
    } else {
      const origin = [message.origin, ...message.parts.map((part) => part.origin)];
      const value = { ...message.data, parts: message.parts.map(({ data }) => data) };
      this.#sink.emit(
        "unknown.observed",
        { nativeType: "opencode.role", axis: "messages", value },
        { id: message.id, origin, time: message.time },
      );
    }
  }

  /** @returns whether the message is the summary that was asked for. */
  #sumUp(message: Message, { asked, part }: Compaction): boolean {
    const { data } = message;
    if (!isSummaryOf(message, this.#compaction) || !name(data.finish) || isLeftOut(message)) return false;
    this.#compaction = undefined;
    const sink = this.#sink;
    const tail = sink.endTail(asked.id);
    const context = [...askEvents(asked, sink), ...assistantEvents(message, sink, "summary"), ...tail];
    const origin = [asked, message].flatMap(({ origin: own, parts }) => [
      own,
      ...parts.map((each) => each.origin),
    ]);
    sink.emit(
      "status.changed",
      {
        status: "compacted",
        trigger: part.auto === true ? "auto" : "manual",
        context: context.filter(isSaid),
      },
      { id: asked.id, origin, time: message.time },
    );
    for (const event of context) if (event.type === "unknown.observed") sink.add(event);
    // What a later compaction keeps may reach back over this one.
    for (const event of [...askEvents(asked, sink), ...assistantEvents(message, sink, "summary")])
      if (isSaid(event)) sink.keep(event);
    return true;
  }

  /** A compaction that came to nothing: its question is sent like any other text. */
  #giveUpCompaction(): void {
    const asked = this.#compaction?.asked;
    this.#compaction = undefined;
    if (!asked) return;
    this.#sink.endTail(asked.id);
    sayUser(asked, this.#sink);
  }

  /** Model, agent and effort, as a user message names them, where they change. */
  #set({ id, data, origin, time }: Message): void {
    if (data.role !== "user") return;
    const model = modelName(data.model);
    const values = defined({
      model: model && modelText(model),
      mode: name(data.agent),
      thought_level: model && (model.variant ?? "default"),
    });
    let changed: SettingValues | undefined;
    for (const [key, value] of Object.entries(values)) {
      if (this.#settings[key] === value || (value === "default" && this.#settings[key] === undefined))
        continue;
      this.#settings[key] = value;
      changed = { ...changed, [key]: value };
    }
    if (changed)
      this.#sink.emit("capabilities.changed", { settings: changed }, { id, origin: [origin], time });
  }

  #tasks(): void {
    const todos = this.#todos;
    this.#todos = [];
    const plan = todos.flatMap(({ fields: todo }) => {
      const content = string(todo.content);
      if (content === undefined) return [];
      const priority = todo.priority;
      return [
        {
          content,
          status: statusOf(todo.status),
          ...((priority === "high" || priority === "medium" || priority === "low") && {
            priority: priority as "high",
          }),
        },
      ];
    });
    if (todos.length === 0) return;
    const origin = [...new Map(todos.map(({ origin: each }) => [each.record, each])).values()];
    const time = number(todos[0]?.fields.time_updated);
    this.#sink.emit("task.updated", { plan }, { id: this.#ref.id, origin, time });
  }

  #raw(why: string, origin: Origin): void {
    this.#sink.emit(
      "unknown.observed",
      { nativeType: "opencode.raw", axis: "raw", reason: why },
      { id: `raw/${origin.file}/${origin.offset}`, origin: [origin] },
    );
  }

  #other({ table, columns, data }: Row, origin: Origin, reason: string): void {
    const id = name(columns.id) ?? `${table}/${origin.offset}`;
    this.#sink.emit(
      "unknown.observed",
      {
        nativeType: NATIVE.row,
        axis: "side-records",
        reason,
        value: { table, ...columns, ...(data && { data }) },
      },
      { id: `${table} ${id}`, origin: [origin], time: number(columns.time_created) },
    );
  }
}

function messageOf(row: Row, data: Fields, origin: Origin): Message {
  const time = number(fields(data.time)?.created) ?? number(row.columns.time_created);
  return { id: name(row.columns.id) ?? `message/${origin.offset}`, data, origin, time, parts: [] };
}

function isSummaryOf({ data }: Message, compaction: Compaction | undefined): boolean {
  return (
    compaction !== undefined &&
    data.role === "assistant" &&
    data.summary === true &&
    data.parentID === compaction.asked.id
  );
}

/** The question for a summary as the model is sent it. */
function askEvents(asked: Message, sink: Sink): SessionEvent[] {
  const texts = asked.parts.flatMap(({ data }) => {
    if (data.type === "compaction") return [COMPACTION_PROMPT];
    return data.type === "text" && data.ignored !== true && name(data.text) !== undefined
      ? [data.text as string]
      : [];
  });
  return [
    sink.make(
      "message.completed",
      {
        messageId: asked.id,
        role: "user",
        injected: "notice",
        blocks: texts.map((text) => ({ type: "text", text })),
      },
      { id: asked.id, origin: [asked.origin, ...asked.parts.map((part) => part.origin)], time: asked.time },
    ),
  ];
}

function isSaid({ type }: SessionEvent): boolean {
  return type === "message.completed" || type === "tool.completed";
}

/** `cancelled` is of this family only: for a plan it is done with. */
function statusOf(value: unknown): "pending" | "in_progress" | "completed" {
  return value === "in_progress" || value === "pending" ? value : "completed";
}
