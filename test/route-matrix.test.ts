/**
 * Every captured store × every target × what must hold on any route. What each converter owes by itself stands
 * in its own conformance test.
 */
import {
  checks,
  convert,
  differences,
  type Fixture,
  moved,
  openStore,
  readAll,
  SOURCE_ROOT,
  type Subject,
  sample,
  sampleFixture,
  sessionsIn,
  sourceOf,
  TARGET_ROOT,
  talkOf,
  withChildren,
} from "@asp-convert/conformance/toolbox";
import { bundle, type Converter, type SessionEvent, type SessionRef } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { captured, fixtureNames, type HarnessId, harnesses } from "./harnesses.js";
import { leafRules } from "./leaf-rules.js";
import { crossing } from "./routes.js";

const targets: readonly Converter[] = [
  ...Object.values(harnesses).map(({ converter }) => converter),
  sample,
  bundle,
];

interface Source {
  converter: Converter;
  names: readonly string[];
  load: (name: string) => Promise<Fixture>;
}

const sources: readonly Source[] = [
  ...(Object.keys(harnesses) as HarnessId[]).map((id) => ({
    converter: harnesses[id].converter,
    names: fixtureNames(id),
    load: (name: string) => captured(id, name),
  })),
  { converter: sample, names: ["sample"], load: () => Promise.resolve(sampleFixture()) },
];

describe.each(sources)("from $converter.name", ({ converter: from, names, load }) => {
  describe.each(targets.filter(({ id }) => id !== from.id))("to $name", (to) => {
    test.each(names)("%s", { timeout: 120_000 }, async (name) => {
      const fixture = await load(name);
      const source = sourceOf(fixture.files);
      for (const ref of await sessionsIn(from, fixture.root, source)) {
        const { plan, files, accounts, ledgers, events } = await convert({ from, ref, source, to });
        accounts.forEach(({ read, mapped, evidence, lost }, i) => {
          expect(mapped + evidence + lost).toBe(read);
          expect(read).toBe(ledgers[i]?.records);
        });
        const written = await openStore(to, TARGET_ROOT, sourceOf(files));
        const copy = written.refs.find(({ id }) => id === plan.id);
        if (!copy) throw new Error(`${ref.id}: its copy ${plan.id} is not listed`);
        expect(headerOf(copy), ref.id).toEqual(headerOf(ref));
        // First and last as the target counts them, but never a time that is not the source's.
        const times = [ref, ...(events[0] ?? [])].flatMap(timesOf);
        for (const time of timesOf(copy))
          expect(Math.min(...times.map((one) => Math.abs(one - time))), ref.id).toBeLessThan(APART);
        await sameTalk(from, ref, source, to, copy, written.source);
      }
    });
  });

  const subject = async (name: string): Promise<Subject> => ({
    converter: from,
    fixture: await load(name),
    foreign: [],
    targets: targets.filter(({ id }) => id !== from.id),
    leaves: leafRules(from.id),
    ids: idsOf(from),
  });
  test.each(names)("%s: losses on every route are declared", { timeout: 60_000 }, async (name) => {
    expect(await checks.fidelity(await subject(name))).toEqual([]);
  });

  test.each(names)("%s: no leaf goes missing unsaid on any route", { timeout: 120_000 }, async (name) => {
    expect(await checks.leaves(await subject(name))).toEqual([]);
  });

  test.each(names)("%s: damaged, it still goes every route", { timeout: 120_000 }, async (name) => {
    expect(await checks.tolerance(await subject(name))).toEqual([]);
  });
});

/** A store made by conversion is a store like any other: its own harness's checks hold on it. */
describe("what was written", () => {
  const made = sources.flatMap(({ converter: from, names, load }) =>
    targets.filter((to) => to.id !== from.id && !to.container).map((to) => ({ from, to, names, load })),
  );
  describe.each(made)("from $from.name to $to.name", ({ from, to, names, load }) => {
    test.each(names)("%s", { timeout: 120_000 }, async (name) => {
      const fixture = await load(name);
      const source = sourceOf(fixture.files);
      for (const ref of await sessionsIn(from, fixture.root, source)) {
        const { files } = await convert({ from, ref, source, to });
        const written: Fixture = { name, root: SOURCE_ROOT, files: moved(files, TARGET_ROOT, SOURCE_ROOT) };
        const subject: Subject = {
          converter: to,
          fixture: written,
          foreign: [],
          targets: [to],
          leaves: {},
          ids: idsOf(from),
        };
        for (const check of ["list", "read", "write", "stable", "replay"] as const)
          expect(await checks[check](subject), `${ref.id} ${check}`).toEqual([]);
      }
    });
  });
});

function idsOf(converter: Converter): readonly RegExp[] {
  return Object.values(harnesses).find((harness) => harness.converter === converter)?.ids ?? [];
}

/** What a list shows of a session, as far as every harness can hold it. */
function headerOf({ title, titleFrom, cwd, children }: SessionRef) {
  return { title: titleFrom === "prompt" ? undefined : title, cwd, children: children.length };
}

/** ms: records of one time are set apart where a harness needs them to grow. */
const APART = 50;

function timesOf(of: SessionRef | SessionEvent): number[] {
  const times = "origin" in of ? [of.time] : of.timesInferred ? [] : [of.createdAt, of.updatedAt];
  return times.flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
}

/** The target's own reader finds what the source's found, apart from what the route must change. */
async function sameTalk(
  from: Converter,
  ref: SessionRef,
  source: ReturnType<typeof sourceOf>,
  to: Converter,
  copy: SessionRef,
  written: ReturnType<typeof sourceOf>,
): Promise<void> {
  const [before, after] = [withChildren(ref), withChildren(copy)];
  for (const [i, session] of before.entries()) {
    const there = after[i];
    if (!there) throw new Error(`${session.id}: has no copy`);
    const reader = to.container ? from : to;
    const expected = crossing(from.id, to.id, talkOf((await readAll(from, session, source)).events));
    const read = to.container ? await readAll(to, there, written) : await readAll(reader, there, written);
    expect(differences(expected, talkOf(read.events)), session.id).toEqual([]);
  }
}
