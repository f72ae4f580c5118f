/** The messages of a session on their way to rows: one at a time, each written when the next one begins. */
import type { Reason, RowChange, SessionAxis, SessionEvent, SqlValue } from "@asp-convert/core";
import { madeId } from "../ids.js";
import { msOf } from "../json.js";
import { fitting, type TableName } from "../target/database.js";
import { Calls } from "./calls.js";
import { type Draft, rowsOf } from "./draft.js";
import { type Encoding, note } from "./encoding.js";
import type { ModelName } from "./info.js";
import type { Place } from "./place.js";

export interface SheetOptions {
  place: Place;
  /** Of the session in the target. */
  id: string;
  seed: string;
  /** ms since 1970. */
  created: number;
  /** Call of the source → the session in the target that it made. */
  childOf: ReadonlyMap<string, string>;
  encoding: Encoding;
  /** In force at first. */
  model: ModelName;
  agent: string;
}

export class Sheet {
  readonly encoding: Encoding;
  readonly place: Place;
  readonly calls: Calls;
  /** Source's message id → ours: what a compaction's tail, an undo, a question refer to. */
  readonly ids = new Map<string, string>();
  /** In force for what is said next. */
  model: ModelName;
  agent: string;
  /** ms since 1970, of the last message: the next one is later. */
  lastTime = 0;
  /** Our id of the last message of a person's. */
  lastUser: string | undefined;
  readonly #o: SheetOptions;
  #changes: RowChange[] = [];
  #draft: Draft | undefined;
  #count = 0;

  constructor(options: SheetOptions) {
    const { encoding, place, id: session, childOf } = options;
    this.#o = options;
    this.encoding = encoding;
    this.place = place;
    this.calls = new Calls({ encoding, session, childOf });
    this.model = options.model;
    this.agent = options.agent;
  }

  /** The message that is being written. */
  get draft(): Draft | undefined {
    return this.#draft;
  }

  /** How many messages were begun. */
  get count(): number {
    return this.#count;
  }

  drain(): RowChange[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  put(table: TableName, row: Readonly<Record<string, SqlValue>>): void {
    const shared = table === "project";
    this.change({ table, row: fitting(row, this.place.columns(table)), ...(shared && { shared }) });
  }

  change(...changes: readonly RowChange[]): void {
    this.#changes.push(...changes);
  }

  /** Ids of the messages that `work` wrote. */
  messagesOf(work: () => void): string[] {
    const from = this.#changes.length;
    work();
    return this.#changes
      .slice(from)
      .flatMap((change) => ("row" in change && change.table === "message" ? [String(change.row.id)] : []));
  }

  begin(event: SessionEvent, role: Draft["role"], data: Record<string, unknown>): Draft {
    this.flush();
    const own = msOf(event.time);
    const time = Math.max(own ?? 0, this.lastTime + 1);
    if (own === undefined) this.note("times", "time-inferred");
    else if (own !== time) this.note("times", "re-encoded");
    this.lastTime = time;
    const id = madeId("msg", time, 0, `${this.#o.seed} ${this.#count++}`);
    const draft: Draft = { id, role, time, data, parts: [] };
    if (role === "user") {
      draft.data.time = { created: time };
      this.lastUser = id;
    }
    this.#draft = draft;
    return draft;
  }

  flush(): void {
    const draft = this.#draft;
    this.#draft = undefined;
    if (!draft) return;
    if (draft.role === "assistant") closeStep(draft);
    this.calls.leave(draft.parts, draft.time);
    const { rows, mended } = rowsOf(draft, this.#o.id, this.#o.seed);
    if (mended) this.note("messages", "invalid-text");
    for (const { table, row } of rows) this.put(table, row);
  }

  note(axis: SessionAxis, reason: Reason): void {
    note(this.encoding, axis, "partial", reason);
  }

  /** Whom an answer answers. One that comes first answers nobody; the program wants a name there all the same. */
  question(): string {
    return this.lastUser ?? madeId("msg", this.#o.created, 0, `${this.#o.seed} nobody`);
  }
}

/** Each message is one step: without its marks, the program glues texts before and after a call together. */
function closeStep(draft: Draft): void {
  if (draft.parts.some(({ data }) => data.type === "step-start") || draft.parts.length === 0) return;
  const { finish = "stop", cost, tokens } = draft.data;
  draft.parts.unshift({ data: { type: "step-start" } });
  if (draft.data.error === undefined)
    draft.parts.push({ data: { type: "step-finish", reason: finish, cost, tokens } });
}
