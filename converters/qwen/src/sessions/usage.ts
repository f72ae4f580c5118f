/** What an answer took, in the words that the program has for it. */
import type { Usage } from "@asp-convert/core";

export function usageFor(usage: Usage): object {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, reasoningTokens = 0 } = usage;
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens,
    thoughtsTokenCount: reasoningTokens,
    totalTokenCount: usage.totalTokens ?? inputTokens + outputTokens,
    cachedContentTokenCount: cacheReadTokens,
  };
}
