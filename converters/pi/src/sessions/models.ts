/** Pi knows a model by who serves it, and an answer by the API it came over. */

import { type Fields, name } from "@asp-convert/core/values";

export interface Served {
  provider: string;
  model: string;
  api: string;
}

/** No provider of Pi's. */
export const UNKNOWN = "unknown";
const COMPLETIONS = "openai-completions";

const MAKERS: readonly [name: RegExp, provider: string, api: string][] = [
  [/^claude/i, "anthropic", "anthropic-messages"],
  [/^(gpt|o\d|codex|chatgpt)/i, "openai", "openai-responses"],
  [/^gemini/i, "google", "google-generative-ai"],
];

/** `provider/model`, as events name a model; undefined where there is none. */
export function nameOfModel(provider: unknown, model: unknown): string | undefined {
  const parts = [name(provider), name(model)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join("/");
}

/** Who gave an answer. */
export function modelOf({ provider, model }: Fields): string | undefined {
  return name(model) === undefined ? undefined : nameOfModel(provider, model);
}

/**
 * @param model `provider/model`, or the model alone: then its name tells who makes it. A provider that nobody has
 * is one that Pi will not ask.
 */
export function servedBy(model: string): Served {
  const [, provider, rest] = /^([^/]+)\/(.+)$/.exec(model) ?? [];
  const own = rest ?? model;
  const maker = MAKERS.find(([pattern]) => pattern.test(own));
  const by = provider ?? maker?.[1];
  // Only a maker's own API is known; whoever else serves its models may do it in any way.
  const api = by === maker?.[1] ? maker?.[2] : undefined;
  return { provider: by ?? UNKNOWN, model: own, api: api ?? COMPLETIONS };
}

/** Pi's own steps; other harnesses' that are called the same mean the same. */
export const LEVELS: readonly string[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];
