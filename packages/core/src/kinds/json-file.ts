/** Reading JSON files that people own. Comments are allowed; the parser that knows them is loaded only for these. */
import type { KindContext } from "../converter/kinds.js";
import type { Source } from "../io/source.js";
import { type LossWords, lose } from "./account.js";
import { EditError } from "./edit/error.js";
import { jsonEditor } from "./edit/json.js";
import { isObject } from "./mcp.js";
import { readText } from "./text.js";

/** @returns undefined for no text and for an empty one. @throws EditError if it is no JSON (with comments). */
export async function parseJson(text: string | undefined): Promise<unknown> {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return (await jsonEditor()).parse(text);
  }
}

/** The object in a JSON file; empty where no file or no object is. @throws EditError if it is no JSON. */
export async function jsonObject(path: string, source: Source): Promise<Record<string, unknown>> {
  const value = await parseJson((await readText(source, path))?.text);
  return isObject(value) ? value : {};
}

/** The same, for a kind that is read: what is no JSON is told as a loss, and counts as empty. */
export async function readJsonObject(
  path: string,
  words: Pick<LossWords, "kind" | "axis">,
  context: Pick<KindContext, "source" | "losses">,
): Promise<Record<string, unknown>> {
  try {
    return await jsonObject(path, context.source);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    lose(context.losses, {
      ...words,
      level: "dropped",
      reason: "invalid-form",
      item: path,
      note: error.message,
    });
    return {};
  }
}

/** What stands at a path of keys; undefined where nothing does. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let inner = value;
  for (const key of keys) inner = isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  return inner;
}
