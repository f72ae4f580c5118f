/**
 * Records of a journal as events, one after the other: what was said, called and answered, and what the model sees of
 * it. An answer is told when its step is over, with its results behind it; what was put in meanwhile comes after them.
 */
import { type Block, LossLedger, type Origin, type Payloads, type SessionEvent } from "@asp-convert/core";
import { type Fields, fields, isoOf, list, name, number, string } from "@asp-convert/core/values";
import { eventOf, isSent, type Rest } from "./event.js";
import { History } from "./history.js";
import { joined, type MessageEvent } from "./join.js";
import { bookkeeping } from "./keeping.js";
import { isOfContext, ownError, ownModel, ownOf, TRIGGER } from "./own.js";
import { blocksIn } from "./parts.js";
import type { Place } from "./scan.js";
import { Step } from "./step.js";
import { INTERRUPTED, NOT_AVAILABLE, sentResult } from "./wire.js";

type Message = Omit<Payloads["message.completed"], "messageId">;

export interface TalkContext {
  ledger: LossLedger;
  record: (place: Place) => Fields;
  origin: (place: Place) => Origin;
  /** Results that stand after what follows their call. */
  late: ReadonlyMap<string, Place>;
}

interface Open {
  native: string;
  id: string;
  name: string;
  caller: string;
}

export class Talk {
  readonly #context: TalkContext;
  readonly #history = new History();
  #step: Step | undefined;
  /** What was put in while calls of the step waited. */
  #after: { record: Fields; place: Place; rest: Rest }[] = [];
  /** Calls of an answer that was put in whole. */
  #open: Open[] = [];
  readonly #called = new Set<string>();
  readonly #said = new Set<string>();
  readonly #told = new Set<number>();
  /** What a person typed: the program sends it in one with what they typed next. What was told meanwhile waits too. */
  #typed: { events: [MessageEvent, ...MessageEvent[]]; held: SessionEvent[] } | undefined;
  #compacted: { event: SessionEvent & { type: "status.changed" }; talk: Talk } | undefined;
  #model: string | undefined;
  #trigger: "manual" | "auto" | undefined;
  /** The native id of the last thing said. */
  lastId: string | undefined;

  constructor(context: TalkContext) {
    this.#context = context;
  }

  *take(record: Fields, place: Place): Generator<SessionEvent> {
    if (this.#told.has(place.offset)) return;
    const time = isoOf(number(record.time));
    const rest: Rest = {
      origin: [this.#context.origin(place)],
      ...(time !== undefined && { time }),
    };
    if (this.#compacted) {
      if (isOfContext(record)) {
        this.#follow(record, place, rest);
        return;
      }
      yield* this.#leaveCompaction();
    }
    switch (record.type) {
      case "context.append_message":
        if (this.#step) this.#after.push({ record, place, rest });
        else yield* this.#message(record, place, rest);
        return;
      case "context.append_loop_event":
        yield* this.#loop(record, fields(record.event) ?? {}, place, rest);
        return;
      case "context.apply_compaction":
      case "context.clear":
        yield* this.settle();
        yield* this.#compaction(record, place, rest);
        return;
      case "context.undo":
      case "agent.switched":
        yield* this.settle();
        yield eventOf("status.changed", { status: "rewound", turns: 0 }, rest);
        return;
      case "turn.step.interrupted":
      case "turn.ended":
        yield* this.#endStep();
        break;
      case "llm.request":
        if (record.kind === "loop") this.#model = name(record.model) ?? this.#model;
        break;
      case "full_compaction.begin":
        this.#trigger = record.source === "manual" || record.source === "auto" ? record.source : undefined;
    }
    for (const event of bookkeeping(record, place, rest)) yield* this.#tell(event);
  }

  /** Nothing more comes that could belong to what was begun. */
  *settle(): Generator<SessionEvent> {
    yield* this.#endStep();
    yield* this.#unanswered();
    yield* this.#endTyped();
    yield* this.#leaveCompaction();
  }

  *#tell(event: SessionEvent): Generator<SessionEvent> {
    if (this.#typed) this.#typed.held.push(event);
    else yield event;
  }

  *#say(event: SessionEvent): Generator<SessionEvent> {
    yield* this.#endTyped();
    const said = event.type === "message.completed" ? this.#once(event) : event;
    if (said.nativeId !== undefined) this.lastId = said.nativeId;
    yield said;
  }

  /** An id that was used before, as in a file whose lines came twice, becomes another one, and that is noted. */
  #once(event: MessageEvent): MessageEvent {
    const { nativeId, origin, payload } = event;
    if (nativeId === undefined) return event;
    if (!this.#said.has(nativeId)) {
      this.#said.add(nativeId);
      return event;
    }
    this.#context.ledger.note({ axis: "ids", level: "partial", reason: "duplicate-id" }, origin[0]?.record);
    const id = `${nativeId}@${origin[0]?.offset}`;
    return { ...event, nativeId: id, payload: { ...payload, messageId: id } };
  }

  *#endTyped(): Generator<SessionEvent> {
    if (!this.#typed) return;
    const { events, held } = this.#typed;
    this.#typed = undefined;
    const event = this.#once(joined(events));
    this.lastId = event.nativeId;
    yield event;
    yield* held;
  }

  *#message(record: Fields, place: Place, rest: Rest): Generator<SessionEvent> {
    const message = fields(record.message) ?? {};
    if (message.role === "tool") {
      yield* this.#answer(message, record, place, rest);
      return;
    }
    yield* this.#unanswered();
    const id = name(message.id) ?? `@${place.offset}`;
    if (message.role === "assistant") {
      yield* this.#whole(message, record, id, rest);
      this.#history.add(place);
      return;
    }
    if (message.role !== "user" && message.role !== "system") {
      yield* this.#tell(unknown("kimi.message", "side-records", "unparsable", rest));
      return;
    }
    const origin = fields(message.origin);
    const said = {
      role: message.role,
      blocks: blocksIn(message.content),
      ...meaningOf(origin, record),
    } as const;
    const event = eventOf("message.completed", { messageId: id, ...said }, { ...rest, nativeId: id });
    const isJoined = said.role === "user" && origin?.kind === "user";
    this.#history.add(place, isKept(message, origin), isJoined);
    if (!isJoined) yield* this.#say(event);
    else if (!this.#typed) this.#typed = { events: [event], held: [] };
    else {
      this.#typed.events.push(event);
      this.#context.ledger.note({ axis: "ids", level: "partial", reason: "merged" }, rest.origin[0]?.record);
    }
  }

  /** An answer that stands in one record. */
  *#whole(message: Fields, record: Fields, id: string, rest: Rest): Generator<SessionEvent> {
    const blocks = blocksIn(message.content);
    const made = list(message.toolCalls).map((value, at): Open => {
      const call = fields(value) ?? {};
      // Until 1.1 the name and the arguments stood one deeper.
      const said = fields(call.function) ?? call;
      const native = name(call.id) ?? `${id}/${at}`;
      const callId = this.#callId(native, id, rest.origin);
      blocks.push({
        type: "tool-call",
        toolCallId: callId,
        name: string(said.name) ?? "",
        arguments: argumentsOf(said.arguments),
      });
      return { native, id: callId, name: string(said.name) ?? "", caller: id };
    });
    const model = ownModel(record);
    yield* this.#say(
      eventOf(
        "message.completed",
        { messageId: id, role: "assistant", blocks, ...(model !== undefined && { model }) },
        { ...rest, nativeId: id },
      ),
    );
    this.#open.push(...made);
  }

  *#answer(message: Fields, record: Fields, place: Place, rest: Rest): Generator<SessionEvent> {
    const native = string(message.toolCallId);
    const at = this.#open.findIndex((call) => call.native === native);
    const [call] = at === -1 ? [] : this.#open.splice(at, 1);
    this.#history.add(place);
    if (!call) yield* this.#tell(unknown("kimi.result", "tool-results", "orphan-result", rest));
    else yield* this.#say(resultEvent(call, message, message.content, record, rest));
  }

  *#loop(record: Fields, event: Fields, place: Place, rest: Rest): Generator<SessionEvent> {
    const step = this.#step;
    switch (event.type) {
      case "step.begin":
        yield* this.#endStep();
        yield* this.#unanswered();
        this.#step = new Step(event, `@${place.offset}`, rest, ownModel(record));
        this.#history.begin(place);
        return;
      case "step.end":
        if (!step) break;
        step.end(event);
        step.origins.push(...rest.origin);
        this.#history.more(place);
        if (event.finishReason !== "interrupted" && event.finishReason !== "error") yield* this.#endStep();
        return;
      case "content.part":
      case "tool.call":
        if (!step || (name(event.stepUuid) ?? step.id) !== step.id) break;
        if (event.type === "tool.call") step.call(event, `@${place.offset}`, rest);
        else step.part(event, rest);
        this.#history.more(place);
        return;
      case "tool.result": {
        const result = fields(event.result) ?? {};
        if (!step?.answer(string(event.toolCallId), { result, record, rest })) {
          yield* this.#tell(unknown("kimi.result", "tool-results", "orphan-result", rest));
          return;
        }
        this.#history.more(place, 1);
        return;
      }
    }
    yield* this.#tell(unknown(`kimi.${name(event.type) ?? "event"}`, "side-records", "no-counterpart", rest));
  }

  *#endStep(): Generator<SessionEvent> {
    const step = this.#step;
    if (!step) return;
    this.#step = undefined;
    const rest: Rest = { origin: step.origins, ...(step.time !== undefined && { time: step.time }) };
    if (step.isEmpty) {
      this.#history.drop();
      yield* this.#tell(unknown("kimi.step", "side-records", "empty", rest));
    } else yield* this.#stepEvents(step, rest);
    const after = this.#after;
    this.#after = [];
    for (const each of after) yield* this.#message(each.record, each.place, each.rest);
  }

  *#stepEvents(step: Step, rest: Rest): Generator<SessionEvent> {
    const { id, usage, finish } = step;
    const model = step.model ?? this.#model;
    const calls = step.calls.map(({ block, ...call }) => {
      const toolCallId = this.#callId(call.native, id, rest.origin);
      return { ...call, block: { ...block, toolCallId } };
    });
    yield* this.#say(
      eventOf(
        "message.completed",
        {
          messageId: id,
          role: "assistant",
          blocks: [...step.blocks, ...calls.map(({ block }) => block)],
          ...(model !== undefined && { model }),
          ...(usage && { usage }),
          ...(finish !== undefined && { stopReason: finish }),
        },
        { ...rest, nativeId: id },
      ),
    );
    for (const { native, block, display, origin } of calls) {
      const call: Open = { native, id: block.toolCallId, name: block.name, caller: id };
      const answer = step.results.get(native);
      if (answer) {
        const { result, record, rest: own } = answer;
        // What is shown of a call stands with the call.
        const both = display === undefined ? own : { ...own, origin: [...own.origin, origin] };
        yield* this.#say(resultEvent(call, result, result.output, record, both, display));
      } else yield* this.#say(this.#missing(call, failedResult(INTERRUPTED)));
    }
  }

  /** Calls that nothing has answered by now: with what answers them later, or with what the program would say. */
  *#unanswered(): Generator<SessionEvent> {
    const open = this.#open;
    this.#open = [];
    for (const call of open) {
      const place = this.#context.late.get(call.native);
      if (!place || this.#told.has(place.offset)) {
        yield* this.#say(this.#missing(call, [{ type: "text", text: NOT_AVAILABLE }]));
        continue;
      }
      this.#told.add(place.offset);
      const record = this.#context.record(place);
      const message = fields(record.message) ?? {};
      const time = isoOf(number(record.time));
      const rest = { origin: [this.#context.origin(place)], ...(time !== undefined && { time }) };
      yield* this.#say(resultEvent(call, message, message.content, record, rest));
    }
  }

  #missing(call: Open, result: Block[]): SessionEvent {
    this.#context.ledger.note({ axis: "tool-results", level: "not-in-source", reason: "missing-result" });
    return eventOf(
      "tool.completed",
      { toolCallId: call.id, result, isError: true, synthetic: true },
      { origin: [], nativeId: `${call.caller}/${call.id}/none` },
    );
  }

  /** An id that was used before becomes another one, and that is noted. */
  #callId(native: string, caller: string, origin: readonly Origin[]): string {
    if (!this.#called.has(native)) {
      this.#called.add(native);
      return native;
    }
    this.#context.ledger.note({ axis: "ids", level: "partial", reason: "duplicate-id" }, origin[0]?.record);
    return `${native}@${caller}`;
  }

  *#compaction(record: Fields, place: Place, rest: Rest): Generator<SessionEvent> {
    const isCleared = record.type === "context.clear";
    // Told before, so counted before: what is noted here is noted to nobody.
    const quiet: TalkContext = {
      ledger: new LossLedger(""),
      record: this.#context.record,
      origin: (at) => ({ record: 0, file: 0, ...at }),
      late: new Map(),
    };
    const context = isCleared
      ? this.#history.clear()
      : this.#history.compact(record, place, (places) => eventsOf(places, quiet));
    const trigger = isCleared ? "manual" : this.#trigger;
    this.#trigger = undefined;
    const event = eventOf(
      "status.changed",
      { status: "compacted", ...(trigger && { trigger }), context: context.filter(isSent).map(bare) },
      { ...rest, nativeId: `@${place.offset}` },
    );
    if (isOfContext(record)) this.#compacted = { event, talk: new Talk(quiet) };
    else yield* this.#say(event);
  }

  /** What a compaction of ours left stands behind it. */
  #follow(record: Fields, place: Place, { origin }: Rest): void {
    const compacted = this.#compacted;
    if (!compacted) return;
    const message = fields(record.message) ?? {};
    const kind = fields(message.origin)?.kind;
    this.#history.add(
      place,
      isKept(message, fields(message.origin)),
      message.role === "user" && kind === "user",
    );
    compacted.event.origin = [...compacted.event.origin, ...origin];
    const { payload } = compacted.event;
    payload.context = [
      ...(payload.context ?? []),
      ...[...compacted.talk.take(record, place)].filter(isSent).map(bare),
    ];
  }

  *#leaveCompaction(): Generator<SessionEvent> {
    const compacted = this.#compacted;
    if (!compacted) return;
    this.#compacted = undefined;
    const { event, talk } = compacted;
    const last = [...talk.settle()].filter(isSent).map(bare);
    yield* this.#say({
      ...event,
      payload: { ...event.payload, context: [...(event.payload.context ?? []), ...last] },
    });
  }
}

/** @param places pairs of offset and length. */
function eventsOf(places: readonly number[], context: TalkContext): SessionEvent[] {
  const talk = new Talk(context);
  const events: SessionEvent[] = [];
  for (let i = 0; i < places.length; i += 2) {
    const place = { offset: places[i] as number, length: places[i + 1] as number };
    events.push(...talk.take(context.record(place), place));
  }
  events.push(...talk.settle());
  return events;
}

/** In a context it stands for itself, whatever record it came from. */
function bare(event: SessionEvent): SessionEvent {
  return { ...event, origin: [] };
}

function resultEvent(
  call: Open,
  result: Fields,
  output: unknown,
  record: Fields,
  rest: Rest,
  display?: unknown,
): SessionEvent {
  const { output: _, role: __, content: ___, toolCalls: ____, toolCallId: _____, ...detail } = result;
  const isFailed = result.isError === true;
  const shown = { ...detail, ...(display !== undefined && { display }) };
  const nativeId = `${call.caller}/${call.id}`;
  return eventOf(
    "tool.completed",
    {
      toolCallId: call.id,
      toolResultId: nativeId,
      result: sentResult({
        blocks: blocksIn(output),
        isError: isFailed,
        note: string(result.note),
        durationMs: number(result.durationMs),
        tool: call.name,
      }),
      isError: isFailed || ownError(record),
      ...(Object.keys(shown).length > 0 && { detail: shown }),
    },
    { ...rest, nativeId },
  );
}

function failedResult(text: string): Block[] {
  return sentResult({
    blocks: [{ type: "text", text }],
    isError: true,
    note: undefined,
    durationMs: undefined,
    tool: undefined,
  });
}

/** Whose words they are. */
function meaningOf(origin: Fields | undefined, record: Fields): Partial<Message> {
  const own = ownOf(record);
  if (own) return own;
  switch (origin?.kind) {
    case undefined:
      return {};
    case "user":
      return origin.inTurn === true ? { kind: "queued" } : {};
    case "injection":
      return { injected: "harness", audience: ["assistant"] };
    case "skill_activation":
      return { injected: "skill" };
    case "plugin_command":
    case "shell_command":
    case "hook_result":
      return { injected: "command" };
    case "compaction_summary":
      return { kind: "summary" };
    case "system_trigger":
      // What a subagent was asked, and what came of ours.
      return origin.name === "subagent" || origin.name === TRIGGER.name ? {} : { injected: "notice" };
    default:
      return { injected: "notice" };
  }
}

/** Does a compaction keep it word for word? */
function isKept({ role }: Fields, origin: Fields | undefined): boolean {
  if (role !== "user") return false;
  if (origin === undefined || origin.kind === "user") return true;
  const isCalled = origin.kind === "skill_activation" || origin.kind === "plugin_command";
  return isCalled && origin.trigger === "user-slash";
}

function argumentsOf(value: unknown): unknown {
  if (typeof value !== "string") return value ?? {};
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export function unknown(nativeType: string, axis: string, reason: string, rest: Rest): SessionEvent {
  return eventOf("unknown.observed", { nativeType, axis, reason }, rest);
}
