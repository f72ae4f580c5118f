/** JSON of values from anywhere: one that is nested deeper than `JSON.stringify` can follow is cut, not fatal. */

/** Deeper than anything real (60 levels were met), and far from the end of the stack. */
const DEEPEST = 500;

/** `cut`: what lay deeper than can be written is `null` now. */
export function spell(value: unknown): { text: string; cut: boolean } {
  try {
    return { text: JSON.stringify(value), cut: false };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { text: JSON.stringify(shallow(value, DEEPEST)), cut: true };
  }
}

function shallow(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => shallow(item, levels - 1));
  // As entries, so that a key `__proto__` stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shallow(item, levels - 1)]));
}
