/** Every captured store × every target: the account, the header, the talk, and that the result is a store like any other. */
import {
  checks,
  convert,
  differences,
  type Fixture,
  moved,
  openStore,
  readAll,
  SOURCE_ROOT,
  sessionsIn,
  sourceOf,
  TARGET_ROOT,
  talkOf,
  withChildren,
} from "@asp-convert/conformance/toolbox";
import { type Converter, type SessionEvent, type SessionRef, type Source, through } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { origins, subject, targetsOf } from "./matrix.js";
import { crossing, tellable } from "./routes.js";

describe.each(origins)("from $converter.name", ({ converter: from, names, load }) => {
  describe.each(targetsOf(from))("to $name", (to) => {
    test.each(names)("%s", { timeout: 60_000 }, async (name) => {
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
        const together = subagentsCross(from, to);
        expect(headerOf(copy, ref, together), ref.id).toEqual(headerOf(ref, ref, together));
        // First and last as the target counts them, but never a time that is not the source's.
        const times = [ref, ...(events[0] ?? [])].flatMap(timesOf);
        for (const time of timesOf(copy))
          expect(Math.min(...times.map((one) => Math.abs(one - time))), ref.id).toBeLessThan(APART);
        await sameTalk(
          { converter: from, ref, source },
          { converter: to, ref: copy, source: written.source },
        );
        if (!to.container) await conforms(to, name, files);
      }
    });
  });

  test.each(names)("%s: losses on every route are declared", { timeout: 60_000 }, async (name) => {
    expect(await checks.fidelity(subject(from, await load(name), targetsOf(from)))).toEqual([]);
  });
});

/** A store made by conversion is a store like any other: its own harness's checks hold on it. */
async function conforms(to: Converter, name: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const made: Fixture = { name, root: SOURCE_ROOT, files: moved(new Map(files), TARGET_ROOT, SOURCE_ROOT) };
  for (const check of ["list", "read", "write", "stable", "replay"] as const)
    expect(await checks[check](subject(to, made, [to])), `what was written: ${check}`).toEqual([]);
}

/** What a list shows of a session, as far as every harness can hold it. */
function headerOf({ title, cwd, children }: SessionRef, { titleFrom }: SessionRef, together: boolean) {
  // Where nobody gave a title, each shows words of the prompt in its own way, or takes them for one.
  return { title: titleFrom === "prompt" ? "" : title, cwd, children: together ? children.length : 0 };
}

/** A harness without subagents says so in its table; what of theirs crosses all the same is its own affair. */
function subagentsCross(from: Converter, to: Converter): boolean {
  const { read } = from.sessions.fidelity;
  const { write } = to.sessions.fidelity;
  return through(read.subagents, write.subagents) === "preserved";
}

/** ms: records of one time are set apart where a harness needs them to grow. */
const APART = 50;

function timesOf(of: SessionRef | SessionEvent): number[] {
  const times = "origin" in of ? [of.time] : of.timesInferred ? [] : [of.createdAt, of.updatedAt];
  return times.flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
}

interface Side {
  converter: Converter;
  ref: SessionRef;
  source: Source;
}

/** The target's own reader finds what the source's found, apart from what the route must change. */
async function sameTalk(from: Side, to: Side): Promise<void> {
  const copies = withChildren(to.ref);
  for (const [i, session] of withChildren(from.ref).entries()) {
    const copy = copies[i];
    if (!copy && i > 0 && !subagentsCross(from.converter, to.converter)) continue;
    if (!copy) throw new Error(`${session.id}: has no copy`);
    const { events } = await readAll(from.converter, session, from.source);
    const before = talkOf(tellable(from.converter.id, to.converter.id, events));
    const after = talkOf((await readAll(to.converter, copy, to.source)).events);
    expect(differences(crossing(from.converter.id, to.converter.id, before), after), session.id).toEqual([]);
  }
}
