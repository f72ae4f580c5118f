/** One message of the agent with all that belongs to it, held until nothing can change it any more. */
import type { Block, SessionEvent } from "@asp-convert/core";
import type { Json } from "./value.js";

/** One record of the message. */
export interface Part {
  record: number;
  native: Json;
  /** Calls last: the program sends them so. */
  said: Block[];
  calls: Call[];
}

export interface Call {
  block: Block & { type: "tool-call" };
  result?: Result;
}

export interface Result {
  id: string;
  record: number;
  native: Json;
  /** How-manieth result of its record. */
  nth: number;
  content: Block[];
  isError: boolean;
  /** Records whose text the program adds to this result. */
  added: number[];
  /** Made up: the source has none. */
  synthetic?: boolean;
}

export class Step {
  /** The number of the message (`message.id`), undefined before the first message. */
  readonly group: number | undefined;
  readonly parts: Part[] = [];
  /** In the order written; those whose call is not in this step stay orphans. */
  readonly results: Result[] = [];
  orphans: Result[] = [];
  /** Before the message: what changed with it. */
  readonly before: SessionEvent[] = [];
  /** Sent before the texts of the run, wherever they stand in it. */
  readonly hoisted: SessionEvent[] = [];
  readonly rest: SessionEvent[] = [];
  /** Someone's words follow the message. */
  hasText = false;
  turnId: string | undefined;

  constructor(group: number | undefined) {
    this.group = group;
  }

  /** Another record of the same message may still join: only texts without a result end it. */
  get open(): boolean {
    return !this.hasText || this.results.length > 0 || this.orphans.length > 0;
  }

  callOf(id: string): Call | undefined {
    for (const { calls } of this.parts)
      for (const call of calls) if (call.block.toolCallId === id) return call;
    return undefined;
  }

  /** Takes a result whose call is in this step and has none yet. */
  answer(result: Result): boolean {
    const call = this.callOf(result.id);
    if (!call || call.result) return false;
    call.result = result;
    this.results.push(result);
    return true;
  }
}
