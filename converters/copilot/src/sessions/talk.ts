/** Records of one party as events: what was said, called and answered, as the model is sent it. */
import { createHash } from "node:crypto";
import type { Block, LossLedger, Origin, Payloads, SessionEvent } from "@asp-convert/core";
import { type Fields, fields, isoTime, name, string } from "@asp-convert/core/values";
import { answerBlocks, usageOf } from "./answer.js";
import { type Call, OpenCalls } from "./calls.js";
import { summaryText } from "./compaction.js";
import { type Noted, noted, unread } from "./notes.js";
import { type Own, ownOf } from "./own.js";
import { answered, attachmentBlocks } from "./parts.js";
import { isInjected, type Party, type Place, summaryIn } from "./scan.js";
import { isSent, told } from "./told.js";
import { unwrap } from "./unwrap.js";

type Message = Omit<Payloads["message.completed"], "messageId">;

export interface TalkContext {
  record: (place: Place) => Fields;
  /** Counts a record: asked once for each. */
  origin: (place: Place) => Origin;
  assets: ReadonlyMap<string, Place>;
  ledger: LossLedger;
}

interface Told extends Noted {
  place: Place;
  own: Own;
}

function triggerOf({ trigger }: Fields): { trigger?: "manual" | "auto" } {
  return trigger === "manual" || trigger === "auto" ? { trigger } : {};
}

interface Held {
  record: Told;
  message: Message;
  origin: Origin[];
}

/** What the program itself sends in place of a result that is not there: in the midst of a talk, and at its end. */
const INTERRUPTED = "The execution of this tool, or a previous tool was interrupted.";
const CUT_OFF =
  "Tool execution was interrupted before a result was recorded. Its effects may be absent, partial, or already " +
  "complete, and other tools may have completed successfully. Check the current state before retrying; do not assume " +
  "success or replay this operation blindly.";

export class Talk {
  readonly #context: TalkContext;
  readonly #party: Party;
  readonly #calls = new OpenCalls<Told>();
  /** Offsets of the results that were told, some before their place. */
  readonly #answers = new Set<number>();
  /** Results that no call has waited for yet. */
  readonly #early = new Map<number, Told>();
  readonly #assets = new Map<string, { origin: Origin; used: boolean }>();
  /** Ids that were met, as numbers: of a million of them that is little to keep. */
  readonly #ids = new Set<number>();
  /** Where a skill's words are, by the sum of their bytes. */
  readonly #skills = new Map<string, Place>();
  /** Where prompts are, offset and length in turn: a compaction quotes them. */
  readonly #prompts: number[] = [];
  /** A message that may go on in the next record. */
  #held: Held | undefined;
  #usage: Told | undefined;
  /** A clearing of ours, and what is said again after it. */
  #cleared: { record: Told; origin: Origin[]; context: SessionEvent[] } | undefined;
  #turn = "";

  constructor(party: Party, context: TalkContext) {
    this.#party = party;
    this.#context = context;
  }

  *record(record: Fields, place: Place): Generator<SessionEvent> {
    if (this.#answers.has(place.offset)) return;
    const type = string(record.type) ?? "";
    const data = fields(record.data) ?? {};
    if (type === "session.binary_asset" && this.#asset(data, place)) return;
    const own = ownOf(data);
    if (this.#cleared && !own.kept) yield* this.#compacted();
    const time = isoTime(record.timestamp);
    const beside = {
      origin: [this.#context.origin(place)],
      nativeId: this.#unique(name(record.id), place),
      ...(time !== undefined && { time }),
    };
    const cleared = this.#cleared;
    if (cleared) cleared.origin.push(...beside.origin);
    const events = this.#told({ type, data, place, own, beside });
    if (!cleared) yield* events;
    else for (const event of events) if (isSent(event)) cleared.context.push(event);
  }

  /** What was waiting for more. */
  *end(): Generator<SessionEvent> {
    if (this.#cleared) yield* this.#compacted();
    yield* this.#flush();
    yield* this.#unanswered(CUT_OFF);
    yield* this.#leftUsage();
    for (const { beside } of this.#early.values())
      yield told(
        "unknown.observed",
        { nativeType: "copilot.tool.execution_complete", axis: "tool-results", reason: "orphan-result" },
        beside,
      );
    for (const { origin, used } of this.#assets.values())
      if (!used)
        yield told(
          "unknown.observed",
          { nativeType: "copilot.session.binary_asset", axis: "side-records", reason: "no-counterpart" },
          { origin: [origin], nativeId: `@${origin.offset}` },
        );
  }

  *#told(record: Told): Generator<SessionEvent> {
    const { type, data } = record;
    const isMessage = type === "user.message" || type === "assistant.message";
    if (isMessage && record.own.continues && this.#held) {
      this.#continued(record, this.#held);
      return;
    }
    yield* this.#flush();
    switch (type) {
      case "user.message":
        yield* this.#prompt(record);
        return;
      case "assistant.message":
        yield* this.#unanswered(INTERRUPTED);
        this.#hold(record, this.#answer(record));
        return;
      case "tool.execution_complete":
        yield* this.#result(record);
        return;
      case "session.usage_record":
        yield* this.#leftUsage();
        this.#usage = record;
        return;
      case "session.compaction_complete":
      case "session.context_cleared":
        yield* this.#unanswered(INTERRUPTED);
        yield* this.#compaction(record);
        return;
      case "skill.invoked":
        this.#skill(record);
        yield unread(record, "index-only");
        return;
      case "skill.context_delivered":
      case "skill.context_delivered_ref":
      case "system.notification":
      case "session.mode_notice_delivered":
      case "system.message":
      case "session.error":
      case "session.info":
        yield* this.#other(record);
        return;
      case "assistant.turn_start":
        this.#turn = `${string(data.interactionId) ?? ""}/${string(data.turnId) ?? ""}`;
    }
    yield noted(record, this.#turn);
  }

  *#prompt(record: Told): Generator<SessionEvent> {
    yield* this.#unanswered(INTERRUPTED);
    const { data, own, place, beside } = record;
    if (!isInjected(data) && !own.injected) this.#prompts.push(place.offset, place.length);
    const message = this.#said(record);
    const typed = string(data.content) ?? "";
    const { wrapping } = unwrap(string(data.transformedContent) ?? typed, typed);
    if (wrapping.length > 0)
      yield this.#message(
        { ...record, beside: { ...beside, nativeId: `${beside.nativeId}/wrapping` } },
        { role: "user", blocks: wrapping.map((text) => ({ type: "text", text })), injected: "harness" },
      );
    this.#hold(record, message);
  }

  #said({ data, own, beside }: Told): Message {
    const typed = string(data.content) ?? "";
    const sent = string(data.transformedContent) ?? typed;
    const { text } = unwrap(sent, typed);
    const blocks: Block[] = text === "" || own.filler ? [] : [{ type: "text", text }];
    blocks.push(...attachmentBlocks(data.attachments, (id) => this.#bytes(id, beside)));
    const by = typeof data.source === "string" ? /^[a-z]+/.exec(data.source)?.[0] : undefined;
    const injected =
      own.injected ??
      (isInjected(data) && !own.role && !own.hidden && !own.kind
        ? by === "skill" || by === "command"
          ? by
          : "notice"
        : undefined);
    const isQueued = data.delivery === "steering" || data.delivery === "queued";
    const kind = own.kind ?? (isQueued && injected === undefined ? "queued" : undefined);
    return {
      role: own.role ?? "user",
      blocks,
      ...(injected && { injected }),
      ...(kind && { kind }),
      ...(own.hidden && { audience: ["assistant"] }),
      ...(text !== typed && { display: typed }),
    };
  }

  #answer(record: Told): Message {
    const { data, beside } = record;
    const { ledger } = this.#context;
    const blocks = answerBlocks(data).map((block) =>
      block.type === "tool-call"
        ? {
            ...block,
            toolCallId: this.#calls.begin(
              block.toolCallId,
              beside.nativeId,
              ledger,
              beside.origin[0]?.record,
            ),
          }
        : block,
    );
    const model = name(data.model);
    const spent = this.#spent(data);
    const usage = spent && usageOf(fields(spent.data.usage) ?? {});
    const stopReason = name(fields(spent?.data.usage)?.finishReason);
    if (spent) beside.origin = [...beside.origin, ...spent.beside.origin];
    return {
      role: "assistant",
      blocks,
      ...(model !== undefined && { model }),
      ...(usage && Object.keys(usage).length > 0 && { usage }),
      ...(stopReason !== undefined && { stopReason }),
    };
  }

  /** What was counted for this answer, if that stands before it. */
  #spent({ apiCallId }: Fields): Told | undefined {
    const usage = this.#usage;
    if (!usage || fields(usage.data.usage)?.apiCallId !== apiCallId) return undefined;
    this.#usage = undefined;
    return usage;
  }

  *#leftUsage(): Generator<SessionEvent> {
    if (this.#usage) yield unread(this.#usage);
    this.#usage = undefined;
  }

  #hold(record: Told, message: Message): void {
    this.#held = { record, message, origin: [...record.beside.origin] };
  }

  #continued(record: Told, held: Held): void {
    const more = record.type === "user.message" ? this.#said(record) : this.#answer(record);
    held.message = { ...held.message, blocks: [...held.message.blocks, ...more.blocks] };
    held.origin.push(...record.beside.origin);
  }

  *#flush(): Generator<SessionEvent> {
    const held = this.#held;
    if (!held) return;
    this.#held = undefined;
    const { record, message, origin } = held;
    yield this.#message({ ...record, beside: { ...record.beside, origin } }, message);
  }

  #message({ beside }: Pick<Told, "beside">, message: Message): SessionEvent {
    return told("message.completed", { messageId: beside.nativeId, ...message }, beside);
  }

  *#result(record: Told): Generator<SessionEvent> {
    if (this.#calls.answer(string(record.data.toolCallId) ?? "", record)) {
      this.#answers.add(record.place.offset);
      for (const { call, answer } of this.#calls.ready()) yield this.#completed(call, answer);
    }
    // Its call may be yet to come; if none does, that is said at the end.
    else this.#early.set(record.place.offset, record);
  }

  #completed({ id }: Call, { data, place, beside }: Pick<Told, "data" | "place" | "beside">): SessionEvent {
    this.#answers.add(place.offset);
    const { result, isError, detail } = answered(data, (asset) => this.#bytes(asset, beside));
    return told(
      "tool.completed",
      {
        toolCallId: id,
        toolResultId: beside.nativeId,
        result,
        isError,
        ...(Object.keys(detail).length > 0 && { detail }),
      },
      beside,
    );
  }

  /** Calls that nothing has answered by now: with what answers them elsewhere in the file, as the program does it. */
  *#unanswered(otherwise: string): Generator<SessionEvent> {
    for (const { call, answer } of this.#calls.left()) {
      if (answer) {
        yield this.#completed(call, answer);
        continue;
      }
      const place = this.#party.results.get(call.native)?.find(({ offset }) => !this.#answers.has(offset));
      const early = place && this.#early.get(place.offset);
      if (place && early) {
        this.#early.delete(place.offset);
        yield this.#completed(call, early);
      } else if (place) {
        const record = this.#context.record(place);
        const time = isoTime(record.timestamp);
        const beside = {
          origin: [this.#context.origin(place)],
          nativeId: this.#unique(name(record.id), place),
          ...(time !== undefined && { time }),
        };
        yield this.#completed(call, { data: fields(record.data) ?? {}, place, beside });
      } else {
        this.#context.ledger.note({
          axis: "tool-results",
          level: "not-in-source",
          reason: "missing-result",
        });
        yield told(
          "tool.completed",
          {
            toolCallId: call.id,
            result: [{ type: "text", text: otherwise }],
            isError: true,
            synthetic: true,
          },
          { origin: [], nativeId: `${call.caller}/${call.id}/none` },
        );
      }
    }
  }

  *#compaction(record: Told): Generator<SessionEvent> {
    const { data, beside } = record;
    if (record.type === "session.context_cleared") {
      if (fields(data.asp)?.compaction === true)
        this.#cleared = { record, origin: [...beside.origin], context: [] };
      else yield told("status.changed", { status: "compacted", context: [] }, beside);
      return;
    }
    const summary = summaryIn(data);
    if (summary === undefined) {
      yield unread(record);
      return;
    }
    const by = triggerOf(data);
    if (record.place.offset !== this.#party.compaction?.offset) {
      // Each quotes all prompts since the beginning: told again and again, they would grow without end.
      yield told("status.changed", { status: "compacted", ...by }, beside);
      return;
    }
    const text = summaryText(this.#typed(), summary, name(data.activeWorkflowSummary));
    const messageId = `${beside.nativeId}/summary`;
    const said = told(
      "message.completed",
      { messageId, role: "user", blocks: [{ type: "text", text }], kind: "summary", audience: ["assistant"] },
      { origin: [], nativeId: messageId },
    );
    yield told("status.changed", { status: "compacted", ...by, context: [said] }, beside);
  }

  *#compacted(): Generator<SessionEvent> {
    const cleared = this.#cleared;
    if (!cleared) return;
    for (const event of [...this.#flush(), ...this.#unanswered(INTERRUPTED)])
      if (isSent(event)) cleared.context.push(event);
    this.#cleared = undefined;
    yield told(
      "status.changed",
      {
        status: "compacted",
        ...triggerOf(fields(cleared.record.data.asp) ?? {}),
        context: cleared.context,
      },
      { ...cleared.record.beside, origin: cleared.origin },
    );
  }

  /** Prompts, as the person typed them. */
  *#typed(): Generator<string> {
    for (let i = 0; i < this.#prompts.length; i += 2) {
      const place = { offset: this.#prompts[i] as number, length: this.#prompts[i + 1] as number };
      yield string(fields(this.#context.record(place).data)?.content) ?? "";
    }
  }

  /** Texts that are no prompts and no answers: the model is sent some, the person is shown others. */
  *#other(record: Told): Generator<SessionEvent> {
    const message = this.#otherMessage(record);
    if (!message) {
      yield noted(record, this.#turn);
      return;
    }
    if (message.injected !== "harness") yield* this.#unanswered(INTERRUPTED);
    yield this.#message(record, message);
  }

  #otherMessage(record: Told): Message | undefined {
    const { type, data, own } = record;
    const text = (words: string): Block[] => [{ type: "text", text: words }];
    const content = string(data.content);
    switch (type) {
      case "skill.context_delivered":
        this.#skill(record);
        return content === undefined
          ? undefined
          : { role: "user", blocks: text(content), injected: own.injected ?? "skill" };
      case "skill.context_delivered_ref": {
        const place = this.#skills.get(string(data.contentId) ?? "");
        const words = place && string(fields(this.#context.record(place).data)?.content);
        if (words === undefined) return undefined;
        const whole = `${string(data.prefix) ?? ""}${words}${string(data.suffix) ?? ""}`;
        return { role: "user", blocks: text(whole), injected: "skill" };
      }
      case "system.notification":
        // A file of instructions was found: the program sends it with what the tool said, and not again.
        return fields(data.kind)?.type === "instruction_discovered" || content === undefined
          ? undefined
          : { role: "user", blocks: text(content), injected: "notice" };
      case "session.mode_notice_delivered":
        return content === undefined
          ? undefined
          : { role: "user", blocks: text(content), injected: "notice" };
      case "system.message":
        return { role: "system", blocks: text(content ?? ""), injected: "harness" };
      case "session.error": {
        const { message, errorType, asp: _, ...rest } = data;
        const code = name(errorType);
        return {
          role: "assistant",
          blocks: [
            {
              type: "error",
              message: string(message) ?? "",
              ...(code !== undefined && { code }),
              ...(Object.keys(rest).length > 0 && { detail: rest }),
            },
          ],
          audience: ["user"],
        };
      }
      default: {
        const shown = string(data.message);
        return own.shown && shown !== undefined
          ? { role: own.shown, blocks: text(shown), audience: ["user"] }
          : undefined;
      }
    }
  }

  #skill({ data, place }: Told): void {
    const content = string(data.content);
    if (content === undefined) return;
    this.#skills.set(`sha256:${createHash("sha256").update(content).digest("hex")}`, place);
  }

  /** @returns true if nothing is left to say of it: it is told with what shows it, or at the end. */
  #asset(data: Fields, place: Place): boolean {
    const id = string(data.assetId) ?? "";
    if (this.#context.assets.get(id)?.offset !== place.offset) return false; // one of the same bytes came before
    if (!this.#assets.has(id)) this.#assets.set(id, { origin: this.#context.origin(place), used: false });
    return true;
  }

  /** The bytes of an asset, and that its record is a part of what shows it. */
  #bytes(id: string, beside: Told["beside"]): string | undefined {
    const place = this.#context.assets.get(id);
    const data = place && string(fields(this.#context.record(place).data)?.data);
    if (!place || data === undefined) {
      this.#context.ledger.note(
        { axis: "images", level: "not-in-source", reason: "missing-file" },
        beside.origin[0]?.record,
      );
      return undefined;
    }
    const asset = this.#assets.get(id) ?? { origin: this.#context.origin(place), used: false };
    this.#assets.set(id, asset);
    asset.used = true;
    beside.origin = [...beside.origin, asset.origin];
    return data;
  }

  /** An id that no event of this talk has yet. */
  #unique(id: string | undefined, { offset }: Place): string {
    if (id === undefined) return `@${offset}`;
    const key = Number.parseInt(id.slice(-12), 16);
    const isKnown = this.#ids.has(key);
    this.#ids.add(key);
    return isKnown || Number.isNaN(key) ? `${id}@${offset}` : id;
  }
}
