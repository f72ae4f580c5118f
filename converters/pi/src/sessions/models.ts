/** Pi knows a model by who serves it, and an answer by the API it came over. */

export interface Served {
  provider: string;
  model: string;
  api: string;
}

const COMPLETIONS = "openai-completions";

const MAKERS: readonly [name: RegExp, provider: string, api: string][] = [
  [/^claude/i, "anthropic", "anthropic-messages"],
  [/^(gpt|o\d|codex|chatgpt)/i, "openai", "openai-responses"],
  [/^gemini/i, "google", "google-generative-ai"],
];

/**
 * @param model its name; in other harnesses it may hold the provider before a slash.
 * @param provider undefined: told by the model's name. A provider that nobody has is one that Pi will not ask.
 */
export function servedBy(model: string, provider: string | undefined): Served {
  const [, prefix, rest] = provider === undefined ? (/^([^/]+)\/(.+)$/.exec(model) ?? []) : [];
  const name = rest ?? model;
  const maker = MAKERS.find(([pattern]) => pattern.test(name));
  const by = provider ?? prefix ?? maker?.[1];
  // Only a maker's own API is known; whoever else serves its models may do it in any way.
  const api = by === maker?.[1] ? maker?.[2] : undefined;
  return { provider: by ?? "unknown", model: name, api: api ?? COMPLETIONS };
}

/** Pi's own steps; other harnesses' that are called the same mean the same. */
export const LEVELS: readonly string[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];
