/** Token counts in the program's own form. */
import type { SqlValue, Usage } from "@asp-convert/core";

export function tokensOf(usage: Usage | undefined): Record<string, unknown> {
  return {
    ...(usage?.totalTokens !== undefined && { total: usage.totalTokens }),
    input: usage?.inputTokens ?? 0,
    output: usage?.outputTokens ?? 0,
    reasoning: usage?.reasoningTokens ?? 0,
    cache: { read: usage?.cacheReadTokens ?? 0, write: usage?.cacheWriteTokens ?? 0 },
  };
}

/** Sums over all answers, as the session's row has them. */
export class Totals {
  #cost = 0;
  #input = 0;
  #output = 0;
  #reasoning = 0;
  #read = 0;
  #write = 0;

  add(usage: Usage): void {
    this.#cost += usage.costUsd ?? 0;
    this.#input += usage.inputTokens ?? 0;
    this.#output += usage.outputTokens ?? 0;
    this.#reasoning += usage.reasoningTokens ?? 0;
    this.#read += usage.cacheReadTokens ?? 0;
    this.#write += usage.cacheWriteTokens ?? 0;
  }

  columns(): Record<string, SqlValue> {
    return {
      cost: this.#cost,
      tokens_input: this.#input,
      tokens_output: this.#output,
      tokens_reasoning: this.#reasoning,
      tokens_cache_read: this.#read,
      tokens_cache_write: this.#write,
    };
  }
}
