/**
 * Resume equivalence: is what the target program sends to its model, after a conversion, what the source
 * program would have sent? Two request bodies, of any two dialects, are compared atom by atom.
 */
import { type Atom, type AtomKind, atomKinds, atomsOf } from "./atoms.js";
import { asObject, type JsonObject } from "./json.js";

export interface Equivalence {
  /** How many atoms of each kind there are, and how many agree. */
  readonly counts: { readonly [kind in AtomKind]: AtomCount };
  /** 1 when all that was kept stands in the source's order; less by the share that does not. Results are left out: they belong to their calls. */
  readonly order: number;
  /** What the source says and the target does not, in the source's order. */
  readonly missing: readonly Atom[];
  /** What the target says and the source does not, in the target's order. */
  readonly extra: readonly Atom[];
}

export interface AtomCount {
  readonly source: number;
  readonly target: number;
  readonly kept: number;
  readonly extra: number;
}

/**
 * Compares two request bodies. `prompt` is the message that both resumes were made with: at the end of
 * either it is left out.
 */
export function compareRequests(source: JsonObject, target: JsonObject, prompt = "continue"): Equivalence {
  const from = keyed(source, prompt);
  const to = keyed(target, prompt);
  const toByKey = Map.groupBy(to, ({ key }) => key);
  const fromByKey = Map.groupBy(from, ({ key }) => key);

  // The n-th of equal atoms in the source is the n-th in the target.
  const missing = from.filter(({ key, nth }) => nth >= (toByKey.get(key)?.length ?? 0));
  const extra = to.filter(({ key, nth }) => nth >= (fromByKey.get(key)?.length ?? 0));
  const places = from.flatMap(({ atom, key, nth }) => {
    const counterpart = atom.kind === "result" ? undefined : toByKey.get(key)?.[nth];
    return counterpart ? [counterpart.place] : [];
  });

  const counts = {} as { [kind in AtomKind]: AtomCount };
  for (const kind of atomKinds) {
    const ofKind = (atoms: readonly KeyedAtom[]) => atoms.filter(({ atom }) => atom.kind === kind).length;
    counts[kind] = {
      source: ofKind(from),
      target: ofKind(to),
      kept: ofKind(from) - ofKind(missing),
      extra: ofKind(extra),
    };
  }
  return {
    counts,
    order: places.length === 0 ? 1 : longestRise(places) / places.length,
    missing: missing.map(({ atom }) => atom),
    extra: extra.map(({ atom }) => atom),
  };
}

/** True when everything was kept, in order, and nothing was added. */
export function isEquivalent({ missing, extra, order }: Equivalence): boolean {
  return missing.length === 0 && extra.length === 0 && order === 1;
}

interface KeyedAtom {
  readonly atom: Atom;
  /** What must be equal for two atoms to be the same. */
  readonly key: string;
  /** How many atoms with the same key came before. */
  readonly nth: number;
  readonly place: number;
}

function keyed(body: JsonObject, prompt: string): KeyedAtom[] {
  const atoms = atomsOf(body);
  const last = atoms.at(-1);
  if (last?.kind === "user" && last.text === prompt.trim()) atoms.pop();
  const seen = new Map<string, number>();
  return atoms.map((atom, place) => {
    const key = `${atom.kind} ${keyText(atom)}`;
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return { atom, key, nth, place };
  });
}

function keyText({ kind, text }: Atom): string {
  if (kind === "call") return sameInput(text);
  if (kind === "result") return sameResult(text);
  return text;
}

/**
 * Codex cuts long results in the middle, Claude Code takes old tool references out, Pi, Qwen Code and Kimi Code put words
 * where there are none: compare what all keep.
 */
function sameResult(text: string): string {
  return text
    .replace(/\[Tool references removed[^\]]*\]/g, "")
    .replace(/^\((no tool output|see attached image)\)/, "")
    .replace(/^\[media attached in following user message\]$/, "")
    .replace(/^<system>Tool output is empty\.<\/system>$/, "")
    .replaceAll("[image]", "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 1200);
}

/** The fields in which a target that wants an object wraps the free text of a custom tool call. */
const FREE_TEXT_FIELDS = new Set(["input", "patch", "value", "text", "raw"]);

/** Two spellings of one JSON value are equal, and free text is equal to itself in a wrapping. */
function sameInput(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const [name, only] = fields.length === 1 ? (fields[0] ?? []) : [];
  if (typeof only === "string" && name !== undefined && FREE_TEXT_FIELDS.has(name)) {
    return only.replaceAll("\r\n", "\n").trim();
  }
  return JSON.stringify(sorted(value));
}

/** The same JSON value, the keys of its objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  const object = asObject(value);
  if (!object) return value;
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, sorted(object[key])]),
  );
}

/** The length of the longest strictly rising subsequence of numbers from 0 up. */
function longestRise(numbers: readonly number[]): number {
  const tails: number[] = []; // tails[n]: the smallest end of a rise of n + 1 numbers
  for (const number of numbers) {
    if (number > (tails.at(-1) ?? -1)) tails.push(number);
    else tails[tails.findIndex((tail) => tail >= number)] = number;
  }
  return tails.length;
}
