/** Looking into JSON that may be anything, in the words used here: a wrong kind of value counts as absent. */

export type { Fields as Json } from "@asp-convert/core/values";
export { fields as object, number, string as text } from "@asp-convert/core/values";

/** Unlike core's, it tells no list from an empty one. */
export function list(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
