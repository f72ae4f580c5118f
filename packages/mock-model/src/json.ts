/** JSON as it comes from a foreign program: nothing is known of it until it is looked at. */

export type JsonObject = { readonly [key: string]: unknown };

/** The value as an object, or undefined when it is anything else (an array too). */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The JSON object that a text holds, or undefined when it holds none. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
