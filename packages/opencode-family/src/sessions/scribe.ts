/** Events → rows, in one pass. Every event is accounted for here. */
import {
  type EventOf,
  type LossLedger,
  type RowChange,
  type SessionAxis,
  type SessionEvent,
  type SessionInput,
  unplaced,
} from "@asp-convert/core";
import { madeId } from "../ids.js";
import { type Fields, fields, list, msOf, string } from "../json.js";
import { NATIVE } from "../native.js";
import { isOfFamily, type Program } from "../program.js";
import { fullName } from "../target/model.js";
import { Archive, ownCompaction } from "./compaction.js";
import type { Draft } from "./draft.js";
import { type Encoding, leave, note } from "./encoding.js";
import type { ModelName } from "./info.js";
import type { Place } from "./place.js";
import { sessionRow } from "./session-row.js";
import { Sheet } from "./sheet.js";
import { message, result } from "./speech.js";
import { Totals } from "./totals.js";

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

export class Scribe {
  readonly #o: ScribeOptions;
  readonly #ledger: LossLedger;
  readonly #encoding: Encoding;
  readonly #sheet: Sheet;
  readonly #archive: Archive;
  readonly #totals = new Totals();
  /** What the session says it goes on with. A model that the person does not have would stop it. */
  #chosen: ModelName | undefined;
  #title: string | undefined;
  #plan: EventOf<"task.updated"> | undefined;
  /** Of a session of this family: what of its row is in no other event. */
  #own: Fields = {};
  /** Ids of the source's that the rows here do not have. */
  #renamed = 0;

  constructor(options: ScribeOptions) {
    const { input, program, id, created, seed } = options;
    const { ref, ledger } = input;
    this.#o = options;
    this.#ledger = ledger;
    this.#encoding = { ledger, native: isOfFamily(ref.harness), record: undefined };
    this.#sheet = new Sheet({
      ...options,
      encoding: this.#encoding,
      model:
        ref.model === undefined
          ? { provider: "unknown", model: "unknown" }
          : fullName(ref.model, ref.harness),
      agent: program.defaultAgent,
    });
    this.#archive = new Archive(this.#sheet, id, madeId("ses", created, 1, `${seed} before`));
    this.#title = ref.title;
  }

  async *rows(): AsyncGenerator<RowChange> {
    const { project } = this.#o.place;
    const { created } = this.#o;
    this.#sheet.put("project", {
      id: project.id,
      worktree: project.worktree,
      ...(project.vcs && { vcs: project.vcs }),
      time_created: created,
      time_updated: created,
      sandboxes: "[]",
    });
    for await (const event of this.#o.input.events()) {
      this.#take(event);
      yield* this.#sheet.drain();
    }
    this.#end();
    yield* this.#sheet.drain();
  }

  #take = (event: SessionEvent): void => {
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
        message(this.#sheet, event, this.#o.input.ref.harness, this.#totals);
        return;
      case "tool.completed":
        result(this.#sheet, event);
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
        if (this.#isOwn(event)) return;
    }
    const { axis, reason } = unplaced(event);
    this.#leave(event, axis, reason);
  };

  /** What an undo of this family took back stays in its place: the undo itself goes along. */
  #isUndone(event: SessionEvent): boolean {
    return this.#encoding.native && event.branch !== undefined && fields(this.#own.revert) !== undefined;
  }

  #started(event: EventOf<"session.started">): void {
    const { title, git, model } = event.payload;
    const { ref } = this.#o.input;
    if (model !== undefined) {
      this.#sheet.model = fullName(model, ref.harness);
      if (ref.harness === this.#o.program.id) this.#chosen = this.#sheet.model;
      // Named as what to go on with, a model that the person does not have would stop the session.
      else this.#sheet.note("models", "no-equal");
    }
    if (title !== undefined && !this.#named(title))
      note(this.#encoding, "title", "evidence-only", "superseded");
    this.#ledger.mapped(event, "cwd", ...(this.#title === undefined ? [] : ["title" as const]));
    if (git ?? ref.git) this.#ledger.keep("git");
    if (event.payload.harnessVersion !== undefined)
      note(this.#encoding, "side-records", "evidence-only", "generated");
  }

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
    const sheet = this.#sheet;
    if (typeof model === "string") {
      const { variant } = sheet.model;
      sheet.model = {
        ...fullName(model, this.#o.input.ref.harness),
        ...(variant !== undefined && this.#encoding.native && { variant }),
      };
    }
    if (!this.#encoding.native) {
      this.#leave(event, "settings", "no-equal");
      return;
    }
    if (typeof mode === "string") {
      // An agent that Kilo does not have stops the session; OpenCode's own are not all Kilo's.
      if (this.#o.input.ref.harness === this.#o.program.id) sheet.agent = mode;
      else sheet.note("settings", "no-equal");
    }
    if (typeof thought_level === "string") {
      const { variant: _, ...bare } = sheet.model;
      sheet.model = thought_level === "default" ? bare : { ...bare, variant: thought_level };
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
    this.#sheet.flush();
    if (!(this.#encoding.native && ownCompaction(this.#sheet, event, context, this.#take))) {
      this.#archive.compact(event, context, this.#take);
      if (this.#o.alone && this.#archive.used)
        this.#ledger.note({ axis: "compaction", level: "evidence-only", reason: "not-supported" });
    }
    this.#ledger.mapped(event, "compaction");
  }

  /** Takes up again what only this family reads. */
  #isOwn(event: EventOf<"unknown.observed">): boolean {
    const { nativeType, value } = event.payload;
    const own = fields(value);
    const { draft } = this.#sheet;
    if (!this.#encoding.native) return false;
    if (nativeType === NATIVE.session && own) {
      this.#own = own;
      this.#ledger.mapped(event, "side-records");
      return true;
    }
    if (nativeType === NATIVE.snapshots && draft?.role === "assistant") {
      mark(draft, list(value));
      this.#ledger.mapped(event, "file-snapshots");
      this.#sheet.note("file-snapshots", "missing-file");
      return true;
    }
    if (nativeType === NATIVE.message && own && draft) {
      Object.assign(draft.data, own);
      this.#ledger.mapped(event, unplaced(event).axis);
      return true;
    }
    return false;
  }

  #leave(event: SessionEvent, axis: SessionAxis, reason: Parameters<typeof leave>[3]): void {
    leave(this.#encoding, event, axis, reason);
  }

  #end(): void {
    this.#sheet.flush();
    this.#todos();
    const { input, parent, id } = this.#o;
    if (this.#renamed > 0)
      this.#ledger.note({ axis: "ids", level: "evidence-only", reason: "generated", count: this.#renamed });
    if (input.children.length > 0) this.#ledger.keep("subagents", input.children.length);
    if (input.ref.parent && parent === undefined) {
      this.#ledger.note({ axis: "lineage", level: "partial", reason: "missing-parent" });
    }
    const title = this.#title ?? `New session - ${new Date(this.#o.created).toISOString()}`;
    if (this.#archive.used && !this.#o.alone)
      this.#session(this.#archive.id, id, `${title} (before the compaction)`, false);
    this.#session(id, parent, title, true);
  }

  #session(id: string, parent: string | undefined, title: string, main: boolean): void {
    const { program, input, place, created } = this.#o;
    const { model, agent, lastTime, ids } = this.#sheet;
    const row = sessionRow({
      ...{ id, parent, title, main, program, ref: input.ref, place, created, lastTime, agent, ids },
      model: this.#chosen
        ? { ...(model.variant !== undefined && { variant: model.variant }), ...this.#chosen }
        : place.model,
      own: this.#encoding.native ? this.#own : undefined,
      totals: this.#totals.columns(),
    });
    this.#sheet.put("session", row);
  }

  #todos(): void {
    const event = this.#plan;
    if (!event) return;
    if (this.#o.alone) {
      this.#leave(event, "plans", "not-supported");
      return;
    }
    const time = msOf(event.time) ?? this.#sheet.lastTime;
    for (const [position, { content, status, priority = "medium" }] of event.payload.plan.entries()) {
      this.#sheet.put("todo", {
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

/** The marks of a step where the program puts them: one before it, the others after it. */
function mark(draft: Draft, marks: readonly unknown[]): void {
  const parts = marks.map((one) => ({ data: { ...fields(one) } }));
  const start = parts.filter(({ data }) => string(data.type) === "step-start");
  const rest = parts.filter(({ data }) => string(data.type) !== "step-start");
  draft.parts.unshift(...start);
  draft.parts.push(...rest);
}
