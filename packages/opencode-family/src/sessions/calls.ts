/** Calls that wait for their results. A result goes into its call's part, also where that was written already. */
import type { RowChange, ToolResultPayload } from "@asp-convert/core";
import { fields } from "../json.js";
import { CallNames } from "./call-part.js";
import type { DraftPart } from "./draft.js";
import type { Encoding } from "./encoding.js";
import { answer, leaveOpen } from "./result.js";

export interface Call {
  part: DraftPart;
  /** As the source calls it. */
  id: string;
}

interface OpenCall {
  part: DraftPart;
  /** Written already: the row has to change when the result comes. */
  written: boolean;
  /** The session that it made. */
  child: string | undefined;
}

export interface CallsOptions {
  encoding: Encoding;
  /** The session they are of. */
  session: string;
  /** Call of the source → the session in the target that it made. */
  childOf: ReadonlyMap<string, string>;
}

export class Calls {
  readonly names = new CallNames();
  readonly #options: CallsOptions;
  readonly #open = new Map<string, OpenCall>();

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  add({ part, id }: Call): void {
    this.#open.set(id, { part, written: false, child: this.#options.childOf.get(id) });
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** `written`: its message was written already; `change`: what has to change of it then. */
  answer(result: ToolResultPayload, time: number): { written: boolean; change?: RowChange } {
    const call = this.#open.get(result.toolCallId);
    if (!call) return { written: false };
    this.#open.delete(result.toolCallId);
    answer(call.part, result, time, this.#options.encoding);
    this.#link(call);
    const { id, data } = call.part;
    if (!call.written) return { written: false };
    const change = id !== undefined && { table: "part", where: { id }, set: { data: JSON.stringify(data) } };
    return { written: true, ...(change && { change }) };
  }

  /** Their message is written now: what has no result yet says so. */
  leave(parts: readonly DraftPart[], time: number): void {
    for (const call of this.#open.values()) {
      if (!parts.includes(call.part)) continue;
      leaveOpen(call.part, time, this.#options.encoding);
      this.#link(call);
      call.written = true;
    }
  }

  /** The session that a call made, where the program looks for it. */
  #link({ part: { data }, child }: OpenCall): void {
    const state = fields(data.state);
    if (child === undefined || !state) return;
    const metadata = { ...fields(state.metadata), sessionId: child, parentSessionId: this.#options.session };
    data.state = { ...state, metadata };
  }
}
