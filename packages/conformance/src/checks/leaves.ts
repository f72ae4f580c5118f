/**
 * The leaf test: a marker in every string of a session must turn up in the target, or its record was left as
 * evidence, or a loss on its axis is declared. What a converter forgot without a word cannot pass.
 */
import type { Converter, Origin, SessionAxis, SessionRef } from "@asp-convert/core";
import { type Conversion, convert, sessionsIn, withChildren } from "../convert.js";
import { sourceOf } from "../files.js";
import { type Check, guarded, type LeafRules, type Subject, topSessionsOf } from "../kit.js";
import { axesIn } from "../leaves/axis.js";
import { MARKER, type Marked, sortsIn } from "../leaves/mark.js";
import { markContent } from "../leaves/structural.js";
import { fits } from "../leaves/walk.js";
import { recordsIn } from "../shapes/lines.js";

export const leaves: Check = async (subject) => {
  const { converter, fixture, targets } = subject;
  const problems: string[] = [];
  for (const ref of await topSessionsOf(subject)) {
    const paths = withChildren(ref)
      .map(({ path }) => path)
      .filter((path) => recordsIn(fixture.files.get(path) ?? Buffer.alloc(0)).length > 0);
    if (paths.length === 0) continue; // packed: the same session unpacked is a fixture of its own
    await guarded(ref.id, problems, async () => {
      const { files, marked } = await markContent(converter, fixture, paths, contentSorts(subject, paths));
      const source = sourceOf(files);
      const found = (await sessionsIn(converter, fixture.root, source)).find(({ path }) => path === ref.path);
      if (!found) return void problems.push(`${ref.id}: marked, it is no longer listed`);
      for (const to of targets)
        await guarded(`${ref.id} to ${to.id}`, problems, async () => {
          const conversion = await convert({ from: converter, ref: found, source, to });
          problems.push(
            ...missing(
              found,
              { from: converter, conversion, excused: subject.excused },
              marked,
              subject.leaves,
            ).map((what) => `${ref.id} to ${to.id}: ${what}`),
          );
        });
    });
  }
  return problems;
};

/** Every sort of leaf but those that the rules call structural. */
function contentSorts({ fixture, leaves: rules }: Subject, paths: readonly string[]): string[] {
  const sorts = new Map(paths.flatMap((path) => [...sortsIn(fixture.files.get(path) ?? Buffer.alloc(0))]));
  return [...sorts]
    .filter(([, pattern]) => !rules.structural?.some((rule) => fits(rule, pattern)))
    .map(([sort]) => sort);
}

interface RouteOf {
  from: Converter;
  conversion: Conversion;
  excused: Subject["excused"];
}

interface Judgement {
  axis: SessionAxis | undefined;
  record: number | undefined;
  excused: boolean;
}

/** Leaves that are nowhere and under nothing: one sentence for each sort of leaf. */
function missing(ref: SessionRef, route: RouteOf, marked: readonly Marked[], rules: LeafRules): string[] {
  const arrived = new Set<string>();
  for (const bytes of route.conversion.files.values())
    for (const [hit] of Buffer.from(bytes).toString("latin1").matchAll(MARKER)) arrived.add(hit);

  const sessions = withChildren(ref);
  const offenders = new Map<
    string,
    { count: number; record: number | undefined; axis: SessionAxis | undefined }
  >();
  for (const leaf of marked) {
    if (arrived.has(leaf.marker)) continue;
    const place = sessions.findIndex(({ path }) => path === leaf.file);
    const { axis, excused, record } = judge(leaf, place, route, rules);
    if (excused) continue;
    const offender = offenders.get(leaf.sort) ?? { count: 0, record, axis };
    offender.count++;
    offenders.set(leaf.sort, offender);
  }
  return [...offenders].map(
    ([sort, { count, record, axis }]) =>
      `${sort} (${count} ×, first in record ${record ?? "?"}): is not in the target, its record was not left as evidence, and ` +
      (axis
        ? `no loss of ${axis} is declared for it: note one in the writer, or lower the axis where the reader drops it`
        : "no event holds it and no rule names its axis: read it into an event, or name its axis in leaves.axes; " +
          "where the program is steered by it, name it in leaves.structural"),
  );
}

const axesCache = new WeakMap<Conversion, ReturnType<typeof axesIn>[]>();

function judge(leaf: Marked, place: number, route: RouteOf, rules: LeafRules): Judgement {
  const { conversion, from } = route;
  let found = axesCache.get(conversion);
  if (!found) {
    found = conversion.events.map((events) => axesIn(events, MARKER));
    axesCache.set(conversion, found);
  }
  const ledger = conversion.ledgers[place];
  // Of records inside of another one, the innermost.
  const record = conversion.events[place]
    ?.flatMap(({ origin }) => origin)
    .filter(
      ({ file, offset, length }) => file === 0 && offset <= leaf.offset && leaf.offset < offset + length,
    )
    .reduce<Origin | undefined>(
      (best, one) => (best && best.length <= one.length ? best : one),
      undefined,
    )?.record;
  const seen = found[place]?.get(leaf.marker);
  const ruled = Object.entries(rules.axes ?? {}).find(([rule]) => fits(rule, leaf.pattern))?.[1];
  const axes: readonly (SessionAxis | undefined)[] = seen ?? [ruled];
  const [axis] = axes;
  if (axis !== undefined && route.excused?.has(axis)) return { axis, record, excused: true };
  if (!ledger || record === undefined) return { axis, record, excused: false };
  if (!ledger.arrived.has(record)) return { axis, record, excused: true }; // left as a whole: its loss is counted
  // An entry names one record of an event: it stands for all that the event was made of.
  const related = new Set(
    conversion.events[place]
      ?.map(({ origin }) => origin.map((one) => one.record))
      .filter((records) => records.includes(record))
      .flat(),
  );
  const counted = ledger.entries.some(
    ({ axis: lost, records }) =>
      axes.includes(lost as SessionAxis) && (records.length === 0 || records.some((one) => related.has(one))),
  );
  // What no event holds, no writer could count: for that the table must say that the axis is not whole.
  const { read } = from.sessions.fidelity;
  const declared = seen === undefined && axis !== undefined && read[axis] !== "preserved";
  return { axis, record, excused: counted || declared };
}
