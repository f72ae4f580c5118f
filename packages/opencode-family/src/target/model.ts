/** Which model a new session is to begin with: what the person has configured, or used last. */
import { pathOf, type Target } from "@asp-convert/core";
import { type Fields, fields, list, name } from "../json.js";
import { configFolder, stateFolder } from "../layout.js";
import type { Program } from "../program.js";
import type { ModelName } from "../sessions/info.js";

/**
 * A session that names a model which the person does not have cannot be continued ("Model not found"), so theirs is
 * looked for: in the project's config, the person's own, and what the terminal program notes as used last.
 * @returns undefined: they have said nothing; the program then takes the last message's.
 */
export async function configuredModel(
  program: Program,
  target: Target,
  cwd: string,
): Promise<ModelName | undefined> {
  const { root, environment } = target;
  const path = pathOf(environment);
  const own = configFolder(program, root, environment);
  const names = [`${program.command}.jsonc`, `${program.command}.json`];
  const places: string[] = [];
  for (const folder of program.projectFolders)
    for (const file of names) places.push(path.join(cwd, folder, file));
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    for (const file of names) places.push(path.join(folder, file));
    if (path.dirname(folder) === folder) break;
  }
  for (const file of [...program.configFiles].reverse()) places.push(path.join(own, file));
  for (const place of places) {
    const model = named((await readConfig(target, place))?.model);
    if (model) return model;
  }
  const state = await readConfig(target, path.join(stateFolder(program, root, environment), "model.json"));
  const [last] = list(state?.recent).map(fields);
  const provider = name(last?.providerID);
  const model = name(last?.modelID);
  return provider !== undefined && model !== undefined ? { provider, model } : undefined;
}

/** `provider/model`; a model's own name may hold more slashes. */
export function named(value: unknown): ModelName | undefined {
  const text = name(value);
  const slash = text?.indexOf("/") ?? -1;
  return text !== undefined && slash > 0
    ? { provider: text.slice(0, slash), model: text.slice(slash + 1) }
    : undefined;
}

async function readConfig({ source }: Target, path: string): Promise<Fields | undefined> {
  try {
    const bytes = await source.readFile(path);
    if (!bytes) return undefined;
    const { parseJson } = await import("@asp-convert/core/kinds");
    return fields(await parseJson(Buffer.from(bytes).toString("utf8")));
  } catch {
    // A config that cannot be read is told of by the program itself.
    return undefined;
  }
}

/** Providers of models by the first letters of their names: as the program's catalogue calls them. */
const PROVIDERS: readonly (readonly [RegExp, string])[] = [
  [/^claude/i, "anthropic"],
  [/^(gpt|o\d|chatgpt|codex)/i, "openai"],
  [/^gemini/i, "google"],
  [/^grok/i, "xai"],
  [/^(mistral|codestral|devstral|magistral)/i, "mistral"],
  [/^deepseek/i, "deepseek"],
  [/^kimi/i, "moonshotai"],
  [/^qwen/i, "alibaba"],
  [/^glm/i, "zai"],
];

/** A model's full name; one without a provider gets that of its family, else the harness's own name. */
export function fullName(model: string, harness: string): ModelName {
  const provider = PROVIDERS.find(([pattern]) => pattern.test(model))?.[1];
  return named(model) ?? { provider: provider ?? harness, model };
}
