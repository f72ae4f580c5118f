/** Token counts in the protocol's words. Codex counts cached tokens into `input_tokens`; so do we. */
import type { Usage } from "@asp-convert/core";
import { type Fields, fields, number } from "@asp-convert/core/values";

const NAMES: readonly (readonly [keyof Usage, string])[] = [
  ["inputTokens", "input_tokens"],
  ["outputTokens", "output_tokens"],
  ["cacheReadTokens", "cached_input_tokens"],
  ["cacheWriteTokens", "cache_write_input_tokens"],
  ["reasoningTokens", "reasoning_output_tokens"],
  ["totalTokens", "total_tokens"],
];

export function usageOf(value: unknown): Usage | undefined {
  const counts = fields(value);
  if (!counts) return undefined;
  const usage: Usage = {};
  for (const [ours, theirs] of NAMES) {
    const count = number(counts[theirs]);
    if (count !== undefined) usage[ours] = count;
  }
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** What a turn used, from counters that only grow and are told again and again. */
export class TurnUsage {
  #total: Usage | undefined;
  #atStart: Usage | undefined;
  #told: Usage | undefined;

  start(): void {
    this.#atStart = this.#total;
    this.#told = undefined;
  }

  /** `token_usage_record`: says itself what the turn used so far. */
  record(payload: Fields): void {
    this.#told = usageOf(payload.turn_token_usage) ?? this.#told;
  }

  /** `token_count`: the session's total. */
  count(payload: Fields): void {
    this.#total = usageOf(fields(payload.info)?.total_token_usage) ?? this.#total;
  }

  end(): Usage | undefined {
    if (this.#told) return this.#told;
    const total = this.#total;
    const before = this.#atStart ?? {};
    if (!total) return undefined;
    const used: Usage = {};
    for (const [key, value] of Object.entries(total) as [keyof Usage, number][]) {
      const delta = value - (before[key] ?? 0);
      // A counter that went back began anew.
      used[key] = delta >= 0 ? delta : value;
    }
    return used;
  }
}
