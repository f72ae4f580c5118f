/** One answer of the model on its way through the journal: its parts come one by one, and results before its end. */
import type { Block, Origin, ToolCallBlock, Usage } from "@asp-convert/core";
import { isBlank } from "@asp-convert/core";
import { type Fields, fields, name, number, string } from "@asp-convert/core/values";
import type { Rest } from "./event.js";
import { blocksOf } from "./parts.js";

export interface StepCall {
  /** As the program knows it. */
  native: string;
  block: ToolCallBlock;
  /** What the program shows of it. */
  display: unknown;
  /** Of the call itself. */
  origin: Origin;
}

export interface StepResult {
  result: Fields;
  record: Fields;
  rest: Rest;
}

export class Step {
  readonly id: string;
  readonly origins: Origin[] = [];
  /** Of the last thing said in it. */
  time: string | undefined;
  readonly model: string | undefined;
  readonly blocks: Block[] = [];
  readonly calls: StepCall[] = [];
  readonly results = new Map<string, StepResult>();
  usage: Usage | undefined;
  finish: string | undefined;

  constructor(event: Fields, id: string, { origin, time }: Rest, model: string | undefined) {
    this.id = name(event.uuid) ?? id;
    this.time = time;
    this.model = model;
    this.origins.push(...origin);
  }

  /** Nothing was said or called in it: the model is not sent it. */
  get isEmpty(): boolean {
    return this.calls.length === 0 && this.blocks.every(saysNothing);
  }

  part(event: Fields, rest: Rest): void {
    this.#more(rest);
    this.blocks.push(...blocksOf(event.part));
  }

  #more({ origin, time }: Rest): void {
    this.origins.push(...origin);
    this.time = time ?? this.time;
  }

  call(event: Fields, place: string, rest: Rest): void {
    this.#more(rest);
    const native = name(event.toolCallId) ?? place;
    const block: ToolCallBlock = {
      type: "tool-call",
      toolCallId: native,
      name: string(event.name) ?? "",
      arguments: event.args ?? {},
    };
    this.calls.push({ native, block, display: event.display, origin: rest.origin[0] as Origin });
    if (event.extras !== undefined)
      this.blocks.push({ type: "unknown", nativeType: "kimi.extras", value: event.extras });
  }

  /** @returns false: no call of this step waits for it. */
  answer(id: string | undefined, answer: StepResult): boolean {
    if (id === undefined || this.results.has(id) || !this.calls.some(({ native }) => native === id))
      return false;
    this.results.set(id, answer);
    return true;
  }

  end(event: Fields): void {
    this.finish = name(event.finishReason) ?? this.finish;
    this.usage = usageOf(event.usage) ?? this.usage;
  }
}

function saysNothing(block: Block): boolean {
  return (block.type === "text" || block.type === "thinking") && isBlank(block.text);
}

const COUNTS = {
  inputOther: "inputTokens",
  output: "outputTokens",
  inputCacheRead: "cacheReadTokens",
  inputCacheCreation: "cacheWriteTokens",
} as const;

export function usageOf(value: unknown): Usage | undefined {
  const given = fields(value) ?? {};
  const entries = Object.entries(COUNTS).flatMap(([native, own]) => {
    const count = number(given[native]);
    return count === undefined ? [] : [[own, count] as const];
  });
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Usage);
}

/** As a step's end has it; what has no place there stays behind. */
export function usageFor(usage: Usage): { usage: object; left: boolean } {
  const own: Record<string, number> = {};
  for (const [native, name] of Object.entries(COUNTS)) own[native] = usage[name] ?? 0;
  const { inputTokens: _, outputTokens: __, cacheReadTokens: ___, cacheWriteTokens: ____, ...rest } = usage;
  return { usage: own, left: Object.keys(rest).length > 0 };
}
