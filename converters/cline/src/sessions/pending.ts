/** Calls on their way through a talk: each gets one answer, at its place. */
import type { LossLedger, ToolCallBlock } from "@asp-convert/core";

export interface Call {
  id: string;
  /** As the program knows it. */
  native: string;
  name: string;
  /** The message that made it. */
  caller: string;
}

export class Pending {
  #open: Call[] = [];
  readonly #called = new Set<string>();

  /** The call as it is told: an id that was used before becomes another one, and that is noted. */
  begin(call: ToolCallBlock, caller: string, ledger: LossLedger, record: number | undefined): ToolCallBlock {
    const native = call.toolCallId;
    const isAgain = this.#called.has(native);
    this.#called.add(native);
    if (isAgain) ledger.note({ axis: "ids", level: "partial", reason: "duplicate-id" }, record);
    const id = isAgain ? `${native}@${caller}` : native;
    this.#open.push({
      id,
      native,
      name: call.namespace === undefined ? call.name : `${call.namespace}__${call.name}`,
      caller,
    });
    return isAgain ? { ...call, toolCallId: id } : call;
  }

  /** undefined: no such call waits. */
  take(native: string | undefined): Call | undefined {
    const place = this.#open.findIndex((call) => call.native === native);
    return place === -1 ? undefined : this.#open.splice(place, 1)[0];
  }

  /** Was there a call of this id? If it does not wait, it has its answer. */
  isKnown(native: string | undefined): boolean {
    return this.#called.has(native ?? "");
  }

  /** What nothing has answered by now: it waits no more. */
  left(): Call[] {
    const left = this.#open;
    this.#open = [];
    return left;
  }
}
