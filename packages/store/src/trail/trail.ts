/** Remembers conversions, and finds the way a session came. */
import type {
  Arrival,
  Converter,
  Departure,
  Environment,
  Homecoming,
  LostWay,
  Noting,
  SessionEvent,
  SessionPlan,
  SessionRef,
  Settled,
  Source,
  Trail,
} from "@asp-convert/core";
import { Intake } from "../blobs.js";
import type { SessionLog } from "../session-log.js";
import { carriedBy, carriedRef, packed, withChildren } from "./carry.js";
import { openingOf } from "./keys.js";
import { type Match, match } from "./match.js";
import type { Conversion, FileRecord, MadeRecord, SessionRecord } from "./records.js";
import { rewritten } from "./rewritten.js";
import { eventsOf, inputOf, kept, type Readable } from "./sessions.js";

export interface TrailOptions {
  log: SessionLog;
  /** Of every harness that a session may have been in. */
  converterOf: (harness: string) => Converter | undefined;
}

/** A conversion with the bytes of its source, which are staged. */
interface Kept {
  conversion: Conversion;
  intake: Intake;
}

export function createTrail({ log, converterOf }: TrailOptions): Trail {
  // One at a time, so that many small sessions take no more room than a large one.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
  return {
    homeOf: (departure) => homeOf(departure, log, converterOf),
    pack: (departure, { copy, cwd }, at) => packed(departure, { at, copy, cwd }),
    note: async (arrival) => note(arrival, log, inTurn),
    async keep(settled) {
      const all = (settled as (Kept | undefined)[]).filter((each) => each !== undefined);
      for (const { intake } of all) intake.place();
      await log.record(all.map(({ conversion }) => conversion));
    },
  };
}

// --- remembering ---------------------------------------------------------------------------------------------------

function note(arrival: Arrival, log: SessionLog, inTurn: <T>(work: () => Promise<T>) => Promise<T>): Noting {
  const { ref, source, plan, to } = arrival;
  // The same session under its own id is no way from anywhere.
  if (ref.harness === to.id && ref.id === plan.id) return NOTHING;
  const intake = new Intake(log.blobs);
  const from = inTurn(() => recordOf(ref, source, intake));
  from.catch(() => {}); // told when it is asked for
  return {
    async settle(settled): Promise<Kept | undefined> {
      const record = await from;
      return record.files.length === 0
        ? undefined
        : { conversion: conversionOf(arrival, settled, record), intake };
    },
    async drop() {
      intake.drop();
      await from.catch(() => {});
    },
  };
}

const NOTHING: Noting = { settle: async () => undefined, drop: async () => {} };

function conversionOf(
  { plan, target, to, how, createdAt }: Arrival,
  { opening, written }: Settled,
  from: SessionRecord,
): Conversion {
  const said = opening && openingOf(opening);
  return {
    t: "conversion",
    at: createdAt,
    how,
    from,
    to: {
      harness: to.id,
      id: plan.id,
      root: target.root,
      copy: target.copy,
      ...(target.cwd !== undefined && { cwd: target.cwd }),
      ...placeOf(plan, written),
      children: plan.children.map((child) => ({ id: child.id, ...placeOf(child, written) })),
    },
    ...(said !== undefined && { opening: said }),
  };
}

function placeOf(plan: SessionPlan, written: Settled["written"]): Pick<MadeRecord, "path" | "written"> {
  const file = plan.actions.find(({ do: what }) => what === "create");
  if (!file) return {};
  const bytes = written(file.path);
  return { path: file.path, ...(bytes && { written: { sha256: bytes.sha256, bytes: bytes.bytes } }) };
}

async function recordOf(ref: SessionRef, source: Source, intake: Intake): Promise<SessionRecord> {
  const files: FileRecord[] = [];
  for (const { path, relative, role, encoding } of ref.files) {
    const info = await source.stat(path);
    if (info?.kind !== "file") continue;
    const file = await source.open(path);
    try {
      const blob = await intake.add(file);
      files.push({
        relative,
        role,
        ...(encoding && { encoding }),
        mode: info.mode & 0o777,
        mtimeMs: Math.floor(info.mtimeMs),
        ...blob,
      });
    } finally {
      file.close();
    }
  }
  const children: SessionRecord[] = [];
  for (const child of ref.children) children.push(await recordOf(child, source, intake));
  const { harness, id, store, title, cwd, path } = ref;
  return {
    harness,
    id,
    ...(store !== undefined && { store }),
    ...(title !== undefined && { title }),
    ...(cwd !== undefined && { cwd }),
    path,
    files,
    children,
  };
}

// --- the way back --------------------------------------------------------------------------------------------------

type ConverterOf = TrailOptions["converterOf"];

async function homeOf(
  departure: Departure,
  log: SessionLog,
  converterOf: ConverterOf,
): Promise<Homecoming | LostWay | undefined> {
  const { ref, to, from, source } = departure;
  if (from.container || ref.harness === to.id) return undefined;
  const all = await Array.fromAsync(log.conversions());
  const now: Readable = { converter: from, ref, source };
  const lost = await remembered(all, now, departure, log, converterOf);
  if (lost && !("lost" in lost)) return lost;
  return (await carriedHome(now, departure, log, converterOf)) ?? lost;
}

/** By what this machine knows. */
async function remembered(
  all: readonly Conversion[],
  now: Readable,
  departure: Departure,
  log: SessionLog,
  converterOf: ConverterOf,
): Promise<Homecoming | LostWay | undefined> {
  const { to, environment } = departure;
  if (!all.some(({ from: { harness } }) => harness === to.id)) return undefined;
  let lost: LostWay | undefined;
  for (const { last, certain } of await candidates(all, now, environment)) {
    const way = wayBack(all, last, to.id);
    if (!way) continue;
    const found = await walk(way, now, departure, log, converterOf);
    if (!("lost" in found)) return found;
    // A session that only begins with the same words is another one.
    if (certain) lost ??= found;
  }
  return lost;
}

/** By what the session carries of the one that it was made of, and that one of the one before it. */
async function carriedHome(
  now: Readable,
  departure: Departure,
  log: SessionLog,
  converterOf: ConverterOf,
): Promise<Homecoming | LostWay | undefined> {
  const { to, environment } = departure;
  const way: Conversion[] = [];
  const held = new Map<Conversion, Readable>();
  for (let at = now; at.ref.harness !== to.id && way.length < MOST_STEPS; ) {
    const carried = await carriedBy(at, environment);
    const converter = carried && converterOf(carried.conversion.from.harness);
    const ref = converter && (await carriedRef(carried, converter, environment));
    if (!ref) return undefined;
    const before: Readable = { converter, ref, source: carried.source };
    const conversion = await withChildren(carried.conversion, before, at, environment);
    way.push(conversion);
    held.set(conversion, before);
    at = before;
  }
  return way.length === 0 ? undefined : walk(way, now, departure, log, converterOf, held);
}

/** A session that came further than this came in a circle. */
const MOST_STEPS = 16;

/** Conversions that may have made this session, the likeliest first. */
async function candidates(
  all: readonly Conversion[],
  now: Readable,
  environment: Environment,
): Promise<{ last: Conversion; certain: boolean }[]> {
  const { ref } = now;
  const made = all.filter(({ to }) => to.harness === ref.harness).reverse();
  const own = made.filter(({ to }) => to.id === ref.id && (ref.store ?? to.root) === to.root);
  if (own.length > 0) return own.map((last) => ({ last, certain: true }));
  const opening = made.length > 0 ? await firstSaid(now, environment) : undefined;
  return made
    .filter((each) => each.to.id === ref.parent?.id || (opening !== undefined && each.opening === opening))
    .map((last) => ({ last, certain: last.to.id === ref.parent?.id }));
}

async function firstSaid(now: Readable, environment: Environment): Promise<string | undefined> {
  for await (const event of eventsOf(now, environment)) {
    const opening = openingOf(event);
    if (opening !== undefined) return opening;
  }
  return undefined;
}

/** The conversions from the target's own session to this one, the latest first; undefined: it was never there. */
function wayBack(all: readonly Conversion[], last: Conversion, harness: string): Conversion[] | undefined {
  const way = [last];
  for (let step = last; step.from.harness !== harness; ) {
    const { from } = step;
    const before = all.findLast(
      (each) =>
        each.to.harness === from.harness &&
        each.to.id === from.id &&
        (from.store ?? each.to.root) === each.to.root &&
        each.at <= step.at &&
        !way.includes(each),
    );
    if (!before) return undefined;
    way.push(before);
    step = before;
  }
  return way;
}

async function walk(
  way: readonly Conversion[],
  now: Readable,
  { to, environment }: Departure,
  log: SessionLog,
  converterOf: ConverterOf,
  held?: ReadonlyMap<Conversion, Readable>,
): Promise<Homecoming | LostWay> {
  const steps: { readable: Readable; match: Match }[] = [];
  let readable = now;
  for (const conversion of way) {
    const { from } = conversion;
    const converter = from.harness === to.id ? to : converterOf(from.harness);
    const before = held?.get(conversion) ?? (converter && (await kept(log, from, converter, environment)));
    if (!before) return { lost: "evidence-missing", detail: `${from.harness} session ${from.id}` };
    const found = await match(readable, conversion, environment, () =>
      rewritten(before, conversion, readable, environment),
    );
    if (!found || found.same < found.of) {
      const what = found
        ? `${found.same} of ${found.of} entries are as they were`
        : "nothing of it is recognised";
      return { lost: "prefix-changed", detail: `${from.harness} session ${from.id}: ${what}` };
    }
    steps.push({ readable, match: found });
    readable = before;
  }
  const [nearest, ...between] = steps;
  if (!nearest) throw new Error("a way of no steps");
  return {
    base: inputOf(readable, environment),
    between: () => tails(between, environment),
    sharing: nearest.match.sharing,
    children: heldChildren(way),
  };
}

/** What was said in the programs between, the earliest first. */
async function* tails(
  steps: readonly { readable: Readable; match: Match }[],
  environment: Environment,
): AsyncGenerator<SessionEvent> {
  for (const { readable, match: found } of steps.toReversed()) {
    const isShared = found.sharing();
    for await (const event of eventsOf(readable, environment)) if (!isShared(event)) yield event;
  }
}

/** By their ids now, the ids that subagents' sessions have at home. */
function heldChildren(way: readonly Conversion[]): ReadonlyMap<string, string> {
  let held: ReadonlyMap<string, string> | undefined;
  for (const { from, to } of way) {
    const step = new Map(
      to.children.flatMap(({ id }, i) => (from.children[i] ? [[id, from.children[i].id]] : [])),
    );
    held = held
      ? new Map([...held].flatMap(([now, id]) => (step.has(id) ? [[now, step.get(id) as string]] : [])))
      : step;
  }
  return held ?? new Map();
}
