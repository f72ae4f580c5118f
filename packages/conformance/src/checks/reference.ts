/**
 * To the converter from a reference (the kit's sample harness): what every session may hold, and what somebody may
 * have put into one. It arrives where it should, says what it said, and reaches nothing outside.
 */
import type { SessionAxis, SessionRef } from "@asp-convert/core";
import { actionsOf } from "../apply.js";
import { type Conversion, convert, readAll, sessionsIn, TARGET_ROOT, withChildren } from "../convert.js";
import { sourceOf } from "../files.js";
import { type Check, type Fixture, guarded, type Subject } from "../kit.js";
import { hostileFixture, sampleFixture, wholeFixture } from "../sample/fixture.js";
import { sample } from "../sample/index.js";
import { type Atom, axisOf, differences, talkOf } from "../talk.js";
import { inside, resumable } from "./write.js";

export const reference: Check = async (subject) => {
  const problems: string[] = [];
  // Where a compaction has no place, the model is sent what it was before.
  const { compaction } = subject.converter.sessions.fidelity.write;
  const compacts = compaction === "preserved" || compaction === "partial";
  for (const fixture of [...(compacts ? [sampleFixture()] : []), wholeFixture(), hostileFixture()]) {
    await guarded(`from ${fixture.name}`, problems, async () => {
      const source = sourceOf(fixture.files);
      for (const ref of await sessionsIn(sample, fixture.root, source)) {
        const conversion = await convert({ from: sample, ref, source, to: subject.converter });
        const found = [
          ...inside(actionsOf(conversion.plan)),
          ...resumable(conversion.plan, subject),
          ...(await arrived(ref, fixture, conversion, subject)),
        ];
        problems.push(...found.map((what) => `from ${fixture.name}: ${what}`));
      }
    });
  }
  return problems;
};

async function arrived(
  ref: SessionRef,
  fixture: Fixture,
  { plan, files }: Conversion,
  subject: Subject,
): Promise<string[]> {
  const { converter } = subject;
  const there = sourceOf(files);
  const listed = (await sessionsIn(converter, TARGET_ROOT, there)).flatMap(withChildren);
  const back = listed.find(({ id }) => id === plan.id);
  if (!back) return [`its session ${plan.id} is not listed`];
  // A name may have to be made legal.
  const named = fixture.name === "hostile";
  const kept = (atoms: readonly Atom[]) =>
    atoms.filter((atom) => isKept(axisOf(atom), subject) && !(named && atom.kind === "call"));
  const before = kept(talkOf((await readAll(sample, ref, sourceOf(fixture.files))).events));
  const after = kept(talkOf((await readAll(converter, back, there)).events));
  const problems = differences(before, after).map((what) => `talks otherwise: ${what}`);
  for (const [axis, was, is] of [
    ["title", ref.title, back.title],
    ["cwd", ref.cwd, back.cwd],
  ] as const)
    if (isKept(axis, subject) && was !== is)
      problems.push(`${axis} was ${JSON.stringify(was)}, is ${JSON.stringify(is)}`);
  if ("polluted" in {}) problems.push("a key of the session changed the prototype of all objects");
  return problems;
}

/** What the converter says it keeps both ways. */
function isKept(axis: SessionAxis, { converter, excused }: Subject): boolean {
  const { read, write } = converter.sessions.fidelity;
  return read[axis] === "preserved" && write[axis] === "preserved" && !excused?.has(axis);
}
