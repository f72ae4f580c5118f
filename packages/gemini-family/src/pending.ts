/** Calls on their way through a talk: each gets one answer, at its place. */
import type { LossLedger, SessionEvent, ToolCallBlock } from "@asp-convert/core";
import type { Fields } from "@asp-convert/core/values";
import { type Beside, told } from "./events.js";
import type { Answered } from "./parts.js";

export interface Call {
  id: string;
  /** As the program knows it: a talk that was brought back has the ids of the one that it was saved from. */
  native: string;
  name: string;
  /** Of the call itself: what the program shows of it, and how it ended. */
  shown: Fields | undefined;
  /** The message that made it. */
  caller: string;
}

export class Pending {
  #open: Call[] = [];
  readonly #called = new Set<string>();

  /** The call as it is told: an id that was used before becomes another one, and that is noted. */
  named(call: ToolCallBlock, caller: string, ledger: LossLedger, record: number | undefined): ToolCallBlock {
    const { toolCallId } = call;
    if (!this.#called.has(toolCallId)) {
      this.#called.add(toolCallId);
      return call;
    }
    ledger.note({ axis: "ids", level: "partial", reason: "duplicate-id" }, record);
    return { ...call, toolCallId: `${toolCallId}@${caller}` };
  }

  begin(call: Call): void {
    this.#open.push(call);
  }

  /** undefined: no such call waits. */
  take(answer: Pick<Answered, "id" | "name">): Call | undefined {
    const place = this.#open.findIndex((call) =>
      answer.id === undefined ? call.name === answer.name : call.native === answer.id,
    );
    return place === -1 ? undefined : this.#open.splice(place, 1)[0];
  }

  /** Was there a call of this id? If it does not wait, it has its answer. */
  isKnown(id: string | undefined): boolean {
    return this.#called.has(id ?? "");
  }

  /** What nothing has answered by now: it waits no more. */
  left(): Call[] {
    const left = this.#open;
    this.#open = [];
    return left;
  }
}

/** A result. @param detail what the program shows of it beside. */
export function completed(
  toolCallId: string,
  { result, isError }: Pick<Answered, "result" | "isError">,
  detail: Fields,
  beside: Beside & { nativeId: string },
): SessionEvent {
  const { status } = detail;
  return told(
    "tool.completed",
    {
      toolCallId,
      toolResultId: beside.nativeId,
      result,
      isError: isError || status === "error" || status === "cancelled",
      ...(Object.keys(detail).length > 0 && { detail }),
    },
    beside,
  );
}

/** In place of a result that the source does not have. @param text what the program itself would say. */
export function unanswered(call: Call, text: string, ledger: LossLedger): SessionEvent {
  ledger.note({ axis: "tool-results", level: "not-in-source", reason: "missing-result" });
  return told(
    "tool.completed",
    { toolCallId: call.id, result: [{ type: "text", text }], isError: true, synthetic: true },
    { origin: [], nativeId: `${call.caller}/${call.id}/none` },
  );
}
