/** Calls on their way through a talk that is read: each gets one answer, and a name of its own. */
import type { LossLedger } from "@asp-convert/core";

export interface Call {
  /** As it is told. */
  id: string;
  /** As the program has it. */
  native: string;
  /** The event that made it. */
  caller: string;
}

/** Answers are told in the order of their calls: so the program sends them, whichever came first. */
export class OpenCalls<A> {
  #open: { call: Call; answer?: A }[] = [];
  readonly #called = new Set<string>();

  /** @returns the id to tell: another one where it was used before. */
  begin(native: string, caller: string, ledger: LossLedger, record: number | undefined): string {
    const isNew = !this.#called.has(native);
    const id = isNew ? native : `${native}@${caller}`;
    if (isNew) this.#called.add(native);
    else ledger.note({ axis: "ids", level: "partial", reason: "duplicate-id" }, record);
    this.#open.push({ call: { id, native, caller } });
    return id;
  }

  /** @returns false: no such call waits. */
  answer(native: string, answer: A): boolean {
    const open = this.#open.find((each) => each.call.native === native && each.answer === undefined);
    if (open) open.answer = answer;
    return open !== undefined;
  }

  /** What is answered, up to the first call that is not. */
  ready(): { call: Call; answer: A }[] {
    const waiting = this.#open.findIndex(({ answer }) => answer === undefined);
    const count = waiting === -1 ? this.#open.length : waiting;
    return this.#open.splice(0, count) as { call: Call; answer: A }[];
  }

  /** All that is left, answered or not: it waits no more. */
  left(): { call: Call; answer?: A }[] {
    const left = this.#open;
    this.#open = [];
    return left;
  }
}
