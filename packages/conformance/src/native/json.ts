/** JSON as it comes from a foreign program: nothing is known of it until it is looked at. */

export type JsonObject = { readonly [key: string]: unknown };

/** The value as an object, or undefined when it is anything else (an array too). */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The objects of an array; whatever else it holds is left out. Not an array: none. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject).filter((entry) => entry !== undefined) : [];
}

/** The value as a text, or undefined when it is anything else. */
export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The JSON object that a text holds, or undefined when it holds none. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The objects of a JSONL text; lines that hold none are left out. */
export function parseLines(text: string): JsonObject[] {
  return text
    .split("\n")
    .map(parseObject)
    .filter((line) => line !== undefined);
}
