/** What stands around a thread's messages. */
import { type Fields, fields, list, name, number } from "@asp-convert/core/values";

/** The folder that it was begun in: `env.initial.trees[0].uri`, a file URL. */
export function folderOf(thread: Fields): string | undefined {
  const [tree] = list(fields(fields(thread.env)?.initial)?.trees);
  const uri = name(fields(tree)?.uri);
  if (!uri?.startsWith("file://")) return undefined;
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return undefined;
  }
}

export function usageOf(value: unknown) {
  const usage = fields(value);
  if (!usage) return {};
  const counts = {
    inputTokens: number(usage.inputTokens),
    outputTokens: number(usage.outputTokens),
    cacheReadTokens: number(usage.cacheReadInputTokens),
    cacheWriteTokens: number(usage.cacheCreationInputTokens),
  };
  const known = Object.entries(counts).filter(([, count]) => count !== undefined);
  return known.length === 0 ? {} : { usage: Object.fromEntries(known) as Record<string, number> };
}
