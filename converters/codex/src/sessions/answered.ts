/** Calls and what came back: each result with what the screen showed of it beyond the text for the model. */
import type { Block, LossLedger, Origin, ToolCallBlock } from "@asp-convert/core";
import { type Fields, fields, list, name, string } from "@asp-convert/core/values";
import { failedByDetail, failedByText } from "./failed.js";
import { CALLS, type CodexCall, OUTPUTS, resultBlocks } from "./items.js";
import { callKey, type Pairing } from "./pairing.js";
import type { Place } from "./places.js";
import type { Sink } from "./sink.js";

/** What Codex sends for a call that has no output. */
export const ABORTED = "aborted";

export type Fetch = (place: Place) => { value: unknown; origin: Origin };

interface Detail {
  value: Fields;
  origin: Origin[];
}

export class Answered {
  readonly #sink: Sink;
  readonly #pairing: Pairing;
  readonly #fetch: Fetch;
  readonly #lenient: boolean;
  readonly #ledger: LossLedger | undefined;
  /** Calls that were said and not answered yet, by `callKey`. */
  readonly #open = new Map<string, { plan: boolean }>();
  readonly #dropped = new Set<string>();
  readonly #details = new Map<string, Detail>();

  constructor(sink: Sink, pairing: Pairing, fetch: Fetch, lenient: boolean, ledger?: LossLedger) {
    this.#sink = sink;
    this.#ledger = ledger;
    this.#pairing = pairing;
    this.#fetch = fetch;
    this.#lenient = lenient;
  }

  /** A message with these blocks is being told: what of it is a call is open now. */
  open(blocks: readonly Block[]): void {
    for (const block of blocks) {
      if (block.type === "tool-call") this.#open.set(keyOf(block), { plan: block.name === "update_plan" });
    }
  }

  /** A call that Codex would not take: what answers it is dropped too. */
  drop(payload: Fields): void {
    const callClass = CALLS[String(payload.type)];
    if (callClass !== undefined) this.#dropped.add(callKey(callClass, String(payload.call_id ?? payload.id)));
  }

  isOpen(id: string): boolean {
    return this.#open.has(callKey("function", id)) || this.#open.has(callKey("custom", id));
  }

  /** After the message: results that stand elsewhere in the file, and those that stand nowhere. */
  afterMessage(blocks: readonly Block[], origin: Origin, time: string | undefined): void {
    let part = 0;
    for (const block of blocks) {
      if (block.type !== "tool-call") continue;
      if (block.name === "update_plan") this.#plan(block, origin, time, part++);
      const key = keyOf(block);
      const places = this.#pairing.results.get(key);
      if (places) {
        this.#pairing.results.delete(key);
        for (const place of places) {
          const { value, origin: found } = this.#fetch(place);
          const record = fields(value) ?? {};
          const payload = fields(record.payload) ?? record;
          const when = string(record.timestamp) ?? time;
          if (!this.answer(payload, found, when)) this.#unclaimed(payload, found, when);
        }
      } else if (this.#pairing.unanswered.has(key)) {
        this.#tell(block.toolCallId, [{ type: "text", text: ABORTED }], true, [], time, {
          synthetic: true,
          first: origin,
          part: part++,
        });
        this.#open.delete(key);
      }
    }
  }

  /** An output record. False: it belongs to no call, and Codex drops it. */
  answer(payload: Fields, origin: Origin, time: string | undefined): boolean {
    const id = name(payload.call_id);
    const callClass = OUTPUTS[String(payload.type)];
    if (id === undefined || callClass === undefined) return false;
    const key = callKey(callClass, id);
    if (this.#dropped.has(key)) return false;
    this.#open.delete(key);
    const result = resultBlocks(payload.output, this.#lenient);
    const origins = [origin];
    const detail = this.#details.get(id);
    if (detail) {
      this.#details.delete(id);
      origins.push(...detail.origin);
    }
    let value = detail?.value;
    const late = this.#pairing.details.get(id);
    if (late) {
      this.#pairing.details.delete(id);
      const found = this.#fetch(late);
      origins.push(found.origin);
      value ??= detailIn(found.value);
    }
    if (result) {
      const [first] = result;
      const text = first?.type === "text" ? first.text : "";
      const failed = ownFlag(payload) ?? failedByDetail(value) ?? failedByText(text);
      this.#tell(id, result, failed, origins, time, value ? { detail: value } : {});
    } else {
      const aborted: Block[] = [{ type: "text", text: ABORTED }];
      this.#tell(id, aborted, true, origins, time, { synthetic: true, detail: payload.output });
    }
    return true;
  }

  /** What the screen showed of a call that is still open; held until its output comes. */
  hold(id: string, value: Fields, origin: Origin): void {
    const known = this.#details.get(id);
    if (known) {
      known.value = value;
      known.origin.push(origin);
    } else this.#details.set(id, { value, origin: [origin] });
  }

  /** The end: details whose output never came, and records kept for a call that never came. */
  end(): void {
    for (const { value, origin } of this.#details.values()) {
      const nativeType = `codex.${name(value.type) ?? "item"}`;
      this.#sink.emit("unknown.observed", { nativeType, axis: "tool-details", value }, origin, undefined);
    }
    this.#details.clear();
    this.#open.clear();
    for (const place of [...[...this.#pairing.results.values()].flat(), ...this.#pairing.details.values()]) {
      const { value, origin } = this.#fetch(place);
      const record = fields(value) ?? {};
      const payload = detailIn(value) ?? record;
      this.#unclaimed(payload, origin, string(record.timestamp));
    }
    this.#pairing.results.clear();
    this.#pairing.details.clear();
  }

  #unclaimed(payload: Fields, origin: Origin, time: string | undefined): void {
    const type = name(payload.type) ?? "record";
    const axis = type in OUTPUTS ? "tool-results" : "tool-details";
    this.#sink.emit(
      "unknown.observed",
      { nativeType: `codex.${type}`, axis, reason: "orphan-result", value: payload },
      [origin],
      time,
    );
  }

  #tell(
    toolCallId: string,
    result: Block[],
    isError: boolean,
    origin: Origin[],
    time: string | undefined,
    more: { detail?: unknown; synthetic?: true; first?: Origin; part?: number },
  ): void {
    const { first, part, ...rest } = more;
    if (more.synthetic) {
      const loss = { axis: "tool-results", level: "not-in-source", reason: "missing-result" } as const;
      this.#ledger?.note(loss, (first ?? origin[0])?.record);
    }
    this.#sink.emit("tool.completed", { toolCallId, result, isError, ...rest }, origin, time, {
      first,
      ...(part !== undefined && { part }),
    });
  }

  #plan({ arguments: value }: ToolCallBlock, origin: Origin, time: string | undefined, part: number): void {
    const plan = planOf(value);
    if (plan) this.#sink.emit("task.updated", { plan }, [origin], time, { part });
  }
}

function keyOf(block: ToolCallBlock): string {
  const custom = block.freeform === true && (block as CodexCall).item !== "function_call";
  return callKey(custom ? "custom" : "function", block.toolCallId);
}

/** The screen's record inside an event: the item, or the payload of an older kind of event. */
export function detailIn(value: unknown): Fields | undefined {
  const payload = fields(fields(value)?.payload);
  return fields(payload?.item) ?? payload;
}

function ownFlag(payload: Fields): boolean | undefined {
  const flag = fields(payload.asp)?.isError;
  return typeof flag === "boolean" ? flag : undefined;
}

type PlanStep = { content: string; status: "pending" | "in_progress" | "completed" };

function planOf(value: unknown): PlanStep[] | undefined {
  const steps = list(fields(value)?.plan);
  const plan: PlanStep[] = [];
  for (const step of steps) {
    const content = string(fields(step)?.step);
    const status = fields(step)?.status;
    if (content === undefined) return undefined;
    plan.push({ content, status: status === "completed" || status === "in_progress" ? status : "pending" });
  }
  return plan.length > 0 ? plan : undefined;
}
