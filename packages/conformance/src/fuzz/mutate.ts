/** Damage without end: bytes, lines and values of JSONL changed at random, from a seed. */
import { linesOf } from "../shapes/lines.js";
import type { Random } from "./random.js";

type Mutation = (random: Random, bytes: Buffer, others: readonly Buffer[]) => Buffer;

/** One to four changes, one after the other. `others`: files to take foreign pieces from. */
export function mutate(
  random: Random,
  bytes: Buffer,
  others: readonly Buffer[],
): { bytes: Buffer; what: string[] } {
  const names = Object.keys(mutations);
  const what: string[] = [];
  let changed = bytes;
  for (let times = random.between(1, 4); times > 0; times--) {
    const name = random.pick(names);
    changed = (mutations[name] as Mutation)(random, changed, others).subarray(0, MOST_BYTES);
    what.push(name);
  }
  return { bytes: changed, what };
}

/** A file grows no larger than this, or repeated doubling would be the only thing tested. */
const MOST_BYTES = 4 * 1024 * 1024;

const NEWLINE = Buffer.from("\n");
const joined = (lines: readonly Buffer[]) => Buffer.concat(lines.flatMap((line) => [line, NEWLINE]));

/** A change of the list of lines. */
const onLines =
  (change: (random: Random, lines: Buffer[], others: readonly Buffer[]) => void): Mutation =>
  (random, bytes, others) => {
    const lines = linesOf(bytes);
    if (lines.length === 0) return bytes;
    change(random, lines, others);
    return joined(lines);
  };

/** A change of one line's JSON value. */
const onValue = (change: (random: Random, value: object, values: readonly unknown[]) => unknown): Mutation =>
  onLines((random, lines) => {
    const at = random.below(lines.length);
    const value = parsed(lines[at]);
    if (typeof value !== "object" || value === null) return;
    const sources = [
      value,
      parsed(lines[random.below(lines.length)]),
      parsed(lines[random.below(lines.length)]),
    ];
    const made = spelled(() => change(random, value, sources));
    if (made !== undefined) lines[at] = Buffer.from(made);
  });

/** undefined: nested so deep, by several changes of one line, that it cannot be changed or spelled at all. */
function spelled(change: () => unknown): string | undefined {
  try {
    return JSON.stringify(change()) ?? "null";
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const mutations: Readonly<Record<string, Mutation>> = {
  "flip bits": (random, bytes) => {
    const copy = Buffer.from(bytes);
    for (let times = random.between(1, 8); times > 0 && copy.length > 0; times--) {
      const at = random.below(copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
    }
    return copy;
  },
  "set bytes": (random, bytes) => {
    const copy = Buffer.from(bytes);
    for (let times = random.between(1, 4); times > 0 && copy.length > 0; times--)
      copy[random.below(copy.length)] = random.pick([
        0, 0x0a, 0x0d, 0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0xff, 0xed,
      ]);
    return copy;
  },
  "cut out": (random, bytes) => {
    const from = random.below(bytes.length + 1);
    const to = Math.min(bytes.length, from + random.below(random.pick([8, 200, 5000])));
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  "cut off": (random, bytes) => Buffer.from(bytes.subarray(0, random.below(bytes.length + 1))),
  splice: (random, bytes, others) => {
    const other = random.pick([bytes, ...others]);
    const from = random.below(other.length + 1);
    const piece = other.subarray(from, from + random.below(4000));
    const at = random.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
  },
  "insert junk": (random, bytes) => {
    const junk = random.pick(JUNK);
    const at = random.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at)]);
  },
  "swap lines": onLines((random, lines) => {
    const [a, b] = [random.below(lines.length), random.below(lines.length)];
    const [left, right] = [lines[a], lines[b]];
    if (left && right) [lines[a], lines[b]] = [right, left];
  }),
  "reverse lines": onLines((random, lines) => {
    const from = random.below(lines.length);
    const part = lines.splice(from, random.between(2, 20));
    lines.splice(from, 0, ...part.reverse());
  }),
  "repeat lines": onLines((random, lines) => {
    const from = random.below(lines.length);
    const part = lines.slice(from, from + random.between(1, 10));
    lines.splice(random.below(lines.length + 1), 0, ...part);
  }),
  "drop lines": onLines((random, lines) => {
    lines.splice(random.below(lines.length), random.between(1, 5));
  }),
  "glue lines": onLines((random, lines) => {
    const at = random.below(lines.length);
    const [left, right] = [lines[at], lines[at + 1]];
    if (left && right) lines.splice(at, 2, Buffer.concat([left, right]));
  }),
  "foreign lines": onLines((random, lines, others) => {
    if (others.length === 0) return;
    const foreign = linesOf(random.pick(others));
    if (foreign.length === 0) return;
    const from = random.below(foreign.length);
    lines.splice(random.below(lines.length + 1), 0, ...foreign.slice(from, from + random.between(1, 5)));
  }),
  "drop a key": onValue((random, value) => {
    const { holder, key } = place(random, value);
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    return value;
  }),
  "change a value": onValue((random, value) => {
    const { holder, key } = place(random, value);
    holder[key] = random.pick(VALUES)();
    return value;
  }),
  "move a value": onValue((random, value, values) => {
    const source = random.pick(values);
    if (typeof source !== "object" || source === null) return value;
    const from = place(random, source);
    const to = place(random, value);
    to.holder[to.key] = structuredClone(from.holder[from.key]);
    return value;
  }),
  // The same key of two records: what makes ids collide, parents go in circles and results find the wrong call.
  "copy a key over": onLines((random, lines) => {
    const [a, b] = [random.below(lines.length), random.below(lines.length)];
    const [from, to] = [parsed(lines[a]), parsed(lines[b])];
    if (!isObject(from) || !isObject(to)) return;
    const key = random.pick(Object.keys(from).length > 0 ? Object.keys(from) : [""]);
    const target = random.chance(0.5) ? key : random.pick([...Object.keys(to), key]);
    to[target] = from[key];
    lines[b] = Buffer.from(JSON.stringify(to));
  }),
  "nest deep": onValue((random, value) => {
    const { holder, key } = place(random, value);
    let nested: unknown = holder[key];
    for (let depth = random.between(10, 3000); depth > 0; depth--)
      nested = random.chance(0.5) ? [nested] : { content: nested };
    holder[key] = nested;
    return value;
  }),
  "rename a key": onValue((random, value) => {
    const { holder, key } = place(random, value);
    if (Array.isArray(holder)) return value;
    const moved = holder[key];
    delete holder[key];
    // As a parsed file would have it: an own key, not the prototype.
    Object.defineProperty(holder, random.pick(KEYS), {
      value: moved,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return value;
  }),
};

const JUNK: readonly Buffer[] = [
  Buffer.alloc(300),
  Buffer.from([0xef, 0xbb, 0xbf]),
  Buffer.from("\r\n\r\n"),
  Buffer.from("\u2028\u2029"),
  Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
  Buffer.from('{"type":"us'),
  Buffer.from('{"a":'.repeat(2000)),
  Buffer.from("[".repeat(5000)),
  Buffer.from('"\\ud800"'),
  Buffer.from('\\u0000"'),
];

const KEYS = [
  "__proto__",
  "constructor",
  "toString",
  "length",
  "type",
  "id",
  "",
  "content",
  "then",
  "\u0000",
];

const VALUES: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1e308,
  () => "",
  () => " ",
  () => "\ud83d",
  () => "x".repeat(70_000),
  () => "../../../etc/passwd",
  () => "/",
  () => "user",
  () => "assistant",
  () => "tool_result",
  () => "function_call_output",
  () => [],
  () => [null],
  () => [[]],
  () => ({}),
  () => ({ type: "text" }),
  () => ({ type: "text", text: null }),
  () => [{ type: "tool_use" }],
  () => "2026-13-45T99:99:99Z",
  () => "not a time",
  () => Number.MAX_SAFE_INTEGER,
];

type Holder = Record<string | number, unknown>;

/** A random place inside an object or list that has at least one. An empty one gets a key of its own. */
function place(random: Random, value: object): { holder: Holder; key: string | number } {
  let holder = value as Holder;
  for (;;) {
    const keys = Object.keys(holder);
    if (keys.length === 0) return { holder, key: Array.isArray(holder) ? 0 : "x" };
    const key = random.pick(keys);
    const inner = holder[key];
    if (typeof inner !== "object" || inner === null || random.chance(0.3)) return { holder, key };
    holder = inner as Holder;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(line: Buffer | undefined): unknown {
  try {
    return line && (JSON.parse(line.toString("utf8")) as unknown);
  } catch {
    return undefined;
  }
}
