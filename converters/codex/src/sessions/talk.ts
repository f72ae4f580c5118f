/**
 * Records in, events out: the one place that knows what each native record means. The model's own stream (response
 * items and compactions) is the talk; the screen's records only say how it was shown, what a tool did beyond its
 * text, and what was never sent.
 */
import type { LossLedger, Origin, SettingValues } from "@asp-convert/core";
import { type Fields, fields, isoTime, name, string } from "@asp-convert/core/values";
import { Answered, type Fetch } from "./answered.js";
import { compactedContext, KeptTexts } from "./compacted.js";
import { glanceOf } from "./glance.js";
import { Heard } from "./heard.js";
import { OUTPUTS, spokenBlocks } from "./items.js";
import { nothingElsewhere, type Pairing, placeKey } from "./pairing.js";
import { Said } from "./said.js";
import { Screen } from "./screened.js";
import { changedSettings, settingsOf } from "./settings.js";
import type { Sink } from "./sink.js";
import { axisOf } from "./unread.js";
import { TurnUsage, usageOf } from "./usage.js";

export interface TalkOptions {
  pairing: Pairing;
  fetch: Fetch;
  /** A file of the first generation, older than the rule that a record has a time and a fixed shape. */
  lenient: boolean;
  /** Known before the first record. */
  settings?: SettingValues;
  /** Absent: what is missing is told elsewhere. */
  ledger?: LossLedger;
}

export class Talk {
  readonly #sink: Sink;
  readonly #pairing: Pairing;
  readonly #lenient: boolean;
  readonly #heard: Heard;
  readonly #answered: Answered;
  readonly #screen: Screen;
  readonly #settings: SettingValues;
  readonly #usage = new TurnUsage();
  readonly #kept = new KeptTexts();
  #said: Said | undefined;
  #turns = 0;
  #turnHeard = false;
  readonly #ledger: LossLedger | undefined;
  /** Something was said that stands in this file. */
  #spoken = false;

  constructor(sink: Sink, { pairing, fetch, lenient, settings, ledger }: TalkOptions) {
    this.#sink = sink;
    this.#ledger = ledger;
    this.#pairing = pairing;
    this.#lenient = lenient;
    this.#heard = new Heard(sink, lenient, pairing.screen);
    this.#answered = new Answered(sink, pairing, fetch, lenient, ledger);
    this.#settings = settings ?? {};
    this.#screen = new Screen(sink, pairing, this.#heard, this.#answered, {
      said: () => this.#said,
      finish: () => this.#finish(),
      boundary: () => this.boundary(),
      unread: (...record) => this.#unread(...record),
      heard: () => {
        this.#turnHeard = true;
      },
    });
  }

  take(value: unknown, origin: Origin): void {
    const { type, sub, time: stamp } = glanceOf(value);
    const record = fields(value) ?? {};
    const time = isoTime(stamp);
    if (stamp === undefined && !this.#lenient && type !== "header") {
      // Codex drops a record without time.
      this.#unread(record, type === "" ? "record" : type, origin, undefined, record);
      return;
    }
    const payload = fields(record.payload) ?? {};
    switch (type) {
      case "response_item":
        this.#item(payload, origin, time);
        return;
      case "bare":
        if (this.#lenient) {
          this.#item(record, origin, time);
          return;
        }
        this.#unread(record, sub, origin, time, record);
        return;
      case "event_msg":
        this.#event(payload, sub, origin, time);
        return;
      case "turn_context":
        this.#context(payload, origin, time);
        return;
      case "compacted":
        this.#compacted(payload, origin, time);
        return;
      case "token_usage_record":
        this.#tokens(payload, origin, time);
        return;
      default:
        this.#unread(payload, type === "" ? "record" : type, origin, time);
        return;
    }
  }

  /** Items of a compaction's `replacement_history`: one record's worth, so all of one origin. */
  items(items: readonly unknown[], origin: Origin, time: string | undefined): void {
    // Their ids name nothing: the same messages had other ones before.
    for (const item of items) this.#item({ ...fields(item), id: undefined }, origin, time);
    this.end();
  }

  end(): void {
    this.boundary();
    this.#answered.end();
  }

  #item(payload: Fields, origin: Origin, time: string | undefined): void {
    const type = String(payload.type);
    if (type === "message" && (payload.role === "user" || payload.role === "developer")) {
      this.#finish();
      if (payload.role === "user") {
        this.#turnHeard = true;
        this.#spoken = true;
        this.#kept.keep(payload);
      }
      if (!this.#heard.hear(payload, origin, time)) this.#unread(payload, type, origin, time, payload);
      return;
    }
    if (type in OUTPUTS) {
      this.#heard.settle();
      this.#finish();
      const orphan = this.#pairing.orphans.size > 0 && this.#pairing.orphans.has(placeKey(origin));
      if (orphan || !this.#answered.answer(payload, origin, time)) {
        this.#unread(payload, type, origin, time, payload, "orphan-result");
      }
      return;
    }
    const blocks = spokenBlocks(payload, this.#lenient);
    if (blocks) {
      this.#heard.settle();
      this.#said ??= new Said(payload, origin, time);
      this.#spoken = true;
      this.#said.add(payload, blocks, origin, this.#screen.texts, this.#screen.thoughts);
      this.#answered.open(blocks);
      return;
    }
    if (type === "agent_message") {
      this.#heard.settle();
      this.#finish();
      const messageId = name(payload.id) ?? `agent-${origin.offset}`;
      const block = { type: "unknown", nativeType: "codex.agent_message", value: payload } as const;
      this.#sink.emit("message.completed", { messageId, role: "unknown", blocks: [block] }, [origin], time);
      return;
    }
    this.#answered.drop(payload);
    this.#unread(payload, type, origin, time, payload);
  }

  #event(payload: Fields, sub: string, origin: Origin, time: string | undefined): void {
    switch (sub) {
      case "task_started":
      case "turn_started":
        this.#turnStarted(payload, origin, time);
        return;
      case "task_complete":
      case "turn_complete":
      case "turn_aborted":
        this.#turnEnded(payload, sub, origin, time);
        return;
      case "thread_rolled_back":
        this.boundary();
        // None is left to take back: what it took is a branch by now (rewinds.ts). A count would take as many again.
        this.#sink.emit("status.changed", { status: "rewound", turns: 0 }, [origin], time);
        return;
      case "thread_name_updated": {
        const title = name(payload.thread_name);
        if (title === undefined) break;
        this.#sink.emit("session.bound", { title, titleBy: "user" }, [origin], time);
        return;
      }
      case "thread_settings_applied":
        this.#context(fields(payload.thread_settings) ?? {}, origin, time, sub);
        return;
      case "token_count":
        this.#usage.count(payload);
        break;
      default:
        if (this.#screen.take(payload, sub, origin, time)) return;
    }
    this.#unread(payload, sub, origin, time, axisOf(sub) === "usage" ? undefined : payload);
  }

  #turnStarted(payload: Fields, origin: Origin, time: string | undefined): void {
    this.boundary();
    this.#turnHeard = false;
    this.#usage.start();
    const turnId = name(payload.turn_id) ?? `turn-${++this.#turns}`;
    this.#sink.turnId = turnId;
    this.#sink.emit("turn.started", { turnId }, [origin], time);
  }

  #turnEnded(payload: Fields, sub: string, origin: Origin, time: string | undefined): void {
    this.boundary();
    const error = fields(payload.error);
    const message = error && (string(error.message) ?? JSON.stringify(error));
    const usage = this.#usage.end();
    this.#sink.emit(
      "turn.completed",
      {
        turnId: name(payload.turn_id) ?? this.#sink.turnId ?? `turn-${this.#turns}`,
        status: sub === "turn_aborted" ? "cancelled" : error ? "failed" : "completed",
        ...(message !== undefined && { error: message }),
        ...(usage && { usage }),
      },
      [origin],
      time,
    );
    this.#sink.turnId = undefined;
  }

  #context(context: Fields, origin: Origin, time: string | undefined, nativeType = "turn_context"): void {
    const settings = changedSettings(this.#settings, settingsOf(context));
    if (settings) this.#sink.emit("capabilities.changed", { settings }, [origin], time);
    else this.#unread(context, nativeType, origin, time);
  }

  #compacted(payload: Fields, origin: Origin, time: string | undefined): void {
    this.boundary();
    const context = compactedContext(payload, this.#kept, origin, time, (sink, items) =>
      new Talk(sink, {
        // What stands elsewhere in the file answers nothing in here.
        pairing: { ...this.#pairing, ...nothingElsewhere() },
        fetch: () => ({ value: undefined, origin }),
        lenient: this.#lenient,
        settings: { ...this.#settings },
      }).items(items, origin, time),
    );
    if (!this.#spoken) {
      // The program re-wrote its own file: what was said before stands nowhere any more.
      this.#ledger?.note(
        { axis: "messages", level: "not-in-source", reason: "not-in-source" },
        origin.record,
      );
    }
    this.#spoken = true;
    const summary = name(payload.message);
    this.#sink.emit(
      "status.changed",
      {
        status: "compacted",
        ...(this.#sink.turnId !== undefined && { trigger: this.#turnHeard ? "auto" : "manual" }),
        ...(summary !== undefined && { reason: summary }),
        context,
      },
      [origin],
      time,
    );
  }

  #tokens(payload: Fields, origin: Origin, time: string | undefined): void {
    this.#usage.record(payload);
    const usage = usageOf(payload.usage);
    if (!this.#said || !usage) {
      this.#unread(payload, "token_usage_record", origin, time);
      return;
    }
    // It ends one answer of the model.
    this.#said.usage = usage;
    this.#said.origin.push(origin);
    this.#finish();
  }

  /** The assistant's message is whole. */
  #finish(): void {
    const said = this.#said;
    if (!said) return;
    this.#said = undefined;
    said.send(this.#sink, string(this.#settings.model));
    this.#answered.afterMessage(said.blocks, said.first, said.time);
  }

  /** Nothing that comes now belongs to what was before. */
  boundary(): void {
    this.#heard.settle();
    this.#finish();
    this.#screen.settle();
  }

  #unread(
    payload: Fields,
    type: string,
    origin: Origin,
    time: string | undefined,
    value?: unknown,
    reason?: string,
  ): void {
    const axis = axisOf(type, payload);
    this.#sink.emit(
      "unknown.observed",
      {
        nativeType: `codex.${type}`,
        axis,
        ...(reason !== undefined && { reason }),
        ...(value !== undefined && { value }),
      },
      [origin],
      time,
    );
  }
}
