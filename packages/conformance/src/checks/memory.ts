/** A session of any size passes through in bounded memory: what is alive while it passes does not grow with it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { LossLedger, type OpenFile, type SessionRef, type Source, type Target } from "@asp-convert/core";
import { actionsOf } from "../apply.js";
import { ENVIRONMENT, TARGET_ROOT } from "../convert.js";
import { sourceOf } from "../files.js";
import { type Check, guarded, type Subject, topSessionsOf } from "../kit.js";
import { isJsonl, linesOf } from "../shapes/lines.js";

/** Bytes of the session that is made. */
const SIZE = 48 * 1024 * 1024;
/** Bytes that may be alive beyond the start: windows, the record at hand, and an index of the records. */
const CEILING = 24 * 1024 * 1024;

export const memory: Check = async (subject) => {
  const problems: string[] = [];
  const ref = await largestOf(subject);
  const bytes = ref && subject.fixture.files.get(ref.path);
  if (!ref || !bytes || !isJsonl(bytes)) return problems;
  await guarded(ref.id, problems, async () => {
    const big = enlarged(bytes, SIZE);
    const small = sourceOf(subject.fixture.files);
    const source: Source = {
      ...small,
      async stat(path) {
        const info = await small.stat(path);
        return info && path === ref.path ? { ...info, size: big.size } : info;
      },
      open: (path) => (path === ref.path ? Promise.resolve(openEnlarged(path, big)) : small.open(path)),
    };
    const alive = await aliveWhile(subject, { ...ref, size: big.size, children: [] }, source);
    if (alive > CEILING)
      problems.push(
        `${ref.id}: ${mib(alive)} MiB were alive while ${mib(SIZE)} MiB passed, ${mib(CEILING)} at most`,
      );
  });
  return problems;
};

const mib = (bytes: number) => Math.round(bytes / 1024 / 1024);

async function largestOf(subject: Subject): Promise<SessionRef | undefined> {
  return (await topSessionsOf(subject))
    .filter(({ files }) => !files.some(({ role }) => role === "ancestor"))
    .sort((a, b) => b.size - a.size)[0];
}

/** Converts to the first target and lets the output go; the most bytes that were alive beyond the start. */
async function aliveWhile(
  { converter, targets: [to = converter] }: Subject,
  ref: SessionRef,
  source: Source,
): Promise<number> {
  const ledger = new LossLedger(ref.id);
  const events = () => converter.sessions.read(ref, { source, environment: ENVIRONMENT, ledger });
  const target: Target = {
    root: TARGET_ROOT,
    environment: ENVIRONMENT,
    source: sourceOf(new Map()),
    copy: 0,
    ...(ref.cwd === undefined && { cwd: ENVIRONMENT.cwd }),
  };
  const start = alive();
  let most = 0;
  let next = 0;
  let written = 0;
  const look = (bytes: number) => {
    written += bytes;
    if (written < next) return;
    next = written + SIZE / 8;
    most = Math.max(most, alive() - start);
  };
  const plan = await to.sessions.write({ ref, ledger, events, children: [] }, target);
  look(0);
  for (const action of actionsOf(plan)) {
    if (action.do === "rows") for await (const change of action.rows()) look(JSON.stringify(change).length);
    if (action.do !== "create" || typeof action.content !== "function") continue;
    for await (const part of action.content()) look(part.length);
  }
  next = 0;
  look(0);
  return most;
}

function alive(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

let collector: (() => void) | undefined;
function collectGarbage(): void {
  if (!collector) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as () => void;
  }
  collector();
  collector(); // array buffers are freed beside the first one; the second waits for that
}

interface Enlarged {
  size: number;
  /** The part that comes first and once. */
  head: Buffer;
  /** What is repeated. */
  body: Buffer;
  /** Where in the body ids have digits that every repetition changes: `[place, length]`. */
  ids: readonly (readonly [number, number])[];
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The first line once, the others over and over, each time with other UUIDs: as large as you like, and never held. */
function enlarged(bytes: Uint8Array, size: number): Enlarged {
  const newline = Buffer.from("\n");
  const [first = Buffer.alloc(0), ...rest] = linesOf(bytes);
  const head = Buffer.concat([first, newline]);
  const body = Buffer.concat((rest.length > 0 ? rest : [first]).flatMap((line) => [line, newline]));
  const own = new Set(head.toString("latin1").match(UUID) ?? []); // the session's ids stay what they are
  const ids = [...body.toString("latin1").matchAll(UUID)]
    .filter(([id]) => !own.has(id))
    .map((match) => [match.index + 28, 8] as const);
  return { size: head.length + Math.ceil(size / body.length) * body.length, head, body, ids };
}

function openEnlarged(path: string, { size, head, body, ids }: Enlarged): OpenFile {
  const copy = (number: number): Buffer => {
    const made = Buffer.from(body);
    const digits = number.toString(16).padStart(8, "0");
    for (const [at, length] of ids) made.write(digits, at, length, "latin1");
    return made;
  };
  return {
    path,
    size,
    mtimeMs: 0,
    read(offset, length) {
      const end = Math.min(size, offset + Math.max(0, length));
      const parts: Buffer[] = [];
      for (let at = offset; at < end; ) {
        const number = at < head.length ? -1 : Math.floor((at - head.length) / body.length);
        const start = number < 0 ? 0 : head.length + number * body.length;
        const whole = number < 0 ? head : copy(number);
        const part = whole.subarray(at - start, Math.min(whole.length, end - start));
        parts.push(part);
        at += part.length;
      }
      return Buffer.concat(parts);
    },
    check: () => "same",
    close() {},
  };
}
