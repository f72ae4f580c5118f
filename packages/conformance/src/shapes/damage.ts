/**
 * What happens to transcripts in the world, done to any JSONL file. Each shape says what a reader must still
 * find: `same` talk as before, the talk `without-last` line, or `any` as long as nothing breaks or goes unsaid.
 */
import { linesOf } from "./lines.js";

export interface Shape {
  name: string;
  /** Ids in pains.md and the like; for people. */
  because: string;
  keeps: "same" | "without-last" | "any";
  /** Something became unreadable: a loss on the axis `raw` must say so. */
  declares: boolean;
  /** undefined: this file is not of a kind that the shape can be made of. */
  make(bytes: Buffer): Buffer | undefined;
}

const NEWLINE = Buffer.from("\n");
const join = (lines: readonly Buffer[], by = NEWLINE) => Buffer.concat(lines.flatMap((line) => [line, by]));
const middle = (lines: readonly Buffer[]) => Math.max(1, Math.floor(lines.length / 2));

/** Puts bytes between two whole lines in the middle of the file, or straight before the later one. */
function inserted(bytes: Buffer, extra: string | Buffer, ownLine: boolean): Buffer | undefined {
  const lines = linesOf(bytes);
  const at = middle(lines);
  const [before, after] = [lines.slice(0, at), lines.slice(at)];
  if (after.length === 0) return undefined;
  return Buffer.concat([join(before), Buffer.from(extra), ownLine ? NEWLINE : Buffer.alloc(0), join(after)]);
}

const always = { keeps: "same", declares: false } as const;

export const damage: readonly Shape[] = [
  {
    ...always,
    name: "bom",
    because: "an editor saved it with a byte order mark",
    make: (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  },
  {
    ...always,
    name: "crlf",
    because: "an editor or git on Windows changed the line ends",
    make: (bytes) => join(linesOf(bytes), Buffer.from("\r\n")),
  },
  {
    ...always,
    name: "no-final-newline",
    because: "another tool saved it",
    make: (bytes) => Buffer.from(join(linesOf(bytes)).subarray(0, -1)),
  },
  {
    ...always,
    name: "blank-lines",
    because: "another tool saved it",
    make: (bytes) => join(linesOf(bytes), Buffer.from("\n\n  \n")),
  },
  {
    name: "truncated-tail",
    because: "the program was killed while it wrote",
    keeps: "without-last",
    declares: true,
    make(bytes) {
      const lines = linesOf(bytes);
      const last = lines.pop();
      return last && lines.length > 0
        ? Buffer.concat([join(lines), last.subarray(0, Math.floor(last.length / 2))])
        : undefined;
    },
  },
  {
    ...always,
    name: "torn-line",
    because: "two programs wrote at once: half a record, then a whole one on the same line",
    declares: true,
    make(bytes) {
      const lines = linesOf(bytes);
      const line = lines[middle(lines)];
      return line && inserted(bytes, line.subarray(0, Math.min(12, line.length)), false);
    },
  },
  {
    ...always,
    name: "torn-own-line",
    because: "half a record was left behind on a line of its own",
    declares: true,
    make(bytes) {
      const lines = linesOf(bytes);
      const line = lines[middle(lines)];
      return line && inserted(bytes, line.subarray(0, Math.floor(line.length / 2)), true);
    },
  },
  {
    ...always,
    name: "nul-gap",
    because: "a crash left a run of zero bytes between two records",
    declares: true,
    make: (bytes) => inserted(bytes, Buffer.alloc(512), true),
  },
  {
    ...always,
    name: "nul-before-record",
    because: "a crash left a run of zero bytes, and the next record follows on the same line",
    declares: true,
    make: (bytes) => inserted(bytes, Buffer.alloc(512), false),
  },
  {
    ...always,
    name: "nul-tail",
    because: "a crash left a run of zero bytes at the end",
    declares: true,
    make: (bytes) => Buffer.concat([join(linesOf(bytes)), Buffer.alloc(1206)]),
  },
  {
    ...always,
    name: "glued",
    because: "a newline is missing between two records",
    make(bytes) {
      const lines = linesOf(bytes);
      const at = middle(lines);
      const [left, right] = [lines[at - 1], lines[at]];
      if (!left || !right || at < 2) return undefined;
      return join([...lines.slice(0, at - 1), Buffer.concat([left, right]), ...lines.slice(at + 1)]);
    },
  },
  {
    ...always,
    name: "glued-all",
    because: "all newlines are gone",
    make(bytes) {
      const lines = linesOf(bytes);
      const [first, ...rest] = lines;
      return first && rest.length > 0 && rest.length < 900 ? join([first, Buffer.concat(rest)]) : undefined;
    },
  },
  {
    ...always,
    name: "unknown-record",
    because: "a newer version writes records of a kind that nobody knows yet",
    make: (bytes) => inserted(bytes, FROM_THE_FUTURE, true),
  },
  {
    ...always,
    name: "unknown-field",
    because: "a newer version writes fields that nobody knows yet",
    make: (bytes) =>
      join(linesOf(bytes).map((line) => (line[0] === 0x7b && line.length > 2 ? withField(line) : line))),
  },
  {
    ...always,
    name: "no-object",
    because: "lines that are JSON but no object",
    make: (bytes) => inserted(bytes, 'null\n42\n"text"\n[]\n[{"type":"user"}]\ntrue', true),
  },
  {
    ...always,
    name: "deep",
    because: "a record nested so deep that a recursive walk runs out of stack",
    make: (bytes) =>
      inserted(
        bytes,
        `{"type":"zz-deep","timestamp":"2026-11-30T00:00:00.000Z","x":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
        true,
      ),
  },
  {
    ...always,
    name: "prototype",
    because: "keys that would change every object of the program",
    make: (bytes) =>
      inserted(
        bytes,
        '{"type":"zz-proto","__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}',
        true,
      ),
  },
  {
    name: "only-tail-of-file",
    because: "the beginning of the file is gone",
    keeps: "any",
    declares: false,
    make: (bytes) => Buffer.from(bytes.subarray(Math.floor(bytes.length / 3))),
  },
  {
    name: "empty",
    because: "the program died before it wrote",
    keeps: "any",
    declares: false,
    make: () => Buffer.alloc(0),
  },
  {
    name: "newlines-only",
    because: "somebody emptied it",
    keeps: "any",
    declares: false,
    make: () => Buffer.from("\n\n\r\n"),
  },
  {
    name: "nul-only",
    because: "the disk lost it",
    keeps: "any",
    declares: false,
    make: (bytes) => Buffer.alloc(bytes.length),
  },
  {
    name: "not-utf8",
    because: "every text has bytes that are no UTF-8",
    keeps: "any",
    declares: false,
    make: (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("e", "\xe9"), "latin1"),
  },
];

const FROM_THE_FUTURE = JSON.stringify({
  type: "zz-from-the-future",
  kind: "zz-from-the-future",
  timestamp: "2026-11-30T00:00:00.000Z",
  at: "2026-11-30T00:00:00.000Z",
  payload: { type: "zz-from-the-future", text: "hello" },
});

function withField(line: Buffer): Buffer {
  return Buffer.concat([
    line.subarray(0, 1),
    Buffer.from('"zzFuture":{"text":"hello","list":[1]},'),
    line.subarray(1),
  ]);
}
