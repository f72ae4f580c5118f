/** The string leaves of JSON values, also of JSON that is written inside a string. */

/** In a path: the string before it holds JSON, what follows is inside. */
export const INSIDE = "<json>";

export type LeafPath = readonly (string | number)[];

/** A copy of `value` with every string leaf replaced by what `change` gives for it. Keys are no leaves. */
export function mapLeaves(
  value: unknown,
  change: (leaf: string, path: LeafPath) => string,
  path: LeafPath = [],
): unknown {
  if (typeof value === "string") {
    const inner = jsonIn(value);
    if (inner === undefined) return change(value, path);
    let touched = false;
    const changed = mapLeaves(
      inner,
      (leaf, at) => {
        const now = change(leaf, at);
        touched ||= now !== leaf;
        return now;
      },
      [...path, INSIDE],
    );
    return touched ? JSON.stringify(changed) : value; // untouched, its spelling stays
  }
  if (Array.isArray(value)) return value.map((item, i) => mapLeaves(item, change, [...path, i]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapLeaves(item, change, [...path, key])]),
  );
}

/** The object or list that a string spells, if it does. */
function jsonIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `message.content.*.text`: list places become `*`. */
export function patternOf(path: LeafPath): string {
  return path.map((step) => (typeof step === "number" ? "*" : step)).join(".");
}

/** Does a rule (`*`: any one step, last `**`: all below) fit a pattern? */
export function fits(rule: string, pattern: string): boolean {
  const want = rule.split(".");
  const have = pattern.split(".");
  for (const [i, step] of want.entries()) {
    if (step === "**") return true;
    if (have[i] === undefined || (step !== "*" && step !== have[i])) return false;
  }
  return want.length === have.length;
}

/** What tells records of one file apart, as far as it can be known without knowing the format. */
export function kindOf(record: unknown): string {
  const names: string[] = [];
  const look = (value: unknown, depth: number) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const key of ["type", "kind", "subtype", "role"]) {
      const name: unknown = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
      if (typeof name === "string") names.push(name);
    }
    if (depth < 2)
      for (const key of ["payload", "message", "attachment", "item"])
        look((value as Record<string, unknown>)[key], depth + 1);
  };
  look(record, 0);
  return names.join("/");
}
