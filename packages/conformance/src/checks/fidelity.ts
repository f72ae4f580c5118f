/**
 * Declared fidelity is what is observed. `preserved`: no loss at all. `partial`: some of it may be lost in any way.
 * Anything below: what is left of it is no worse than that.
 */
import {
  type Converter,
  type Loss,
  levels,
  type Reason,
  type SessionAxis,
  sessionAxes,
  through,
} from "@asp-convert/core";
import { type Conversion, convert } from "../convert.js";
import { sourceOf } from "../files.js";
import { type Check, guarded, topSessionsOf } from "../kit.js";

/** Reasons that lie in the one source at hand, not in what a converter can do. */
const OF_THE_SOURCE: ReadonlySet<Reason> = new Set<Reason>([
  "unparsable",
  "over-bound",
  "torn-tail",
  "invalid-text",
  "dangling-parent",
  "orphan-result",
  "missing-result",
  "duplicate-id",
  "empty",
  "superseded",
  "missing-file",
  "damaged",
  "missing-parent",
  "not-in-source",
  "time-inferred",
  "source-grew",
]);

export const fidelity: Check = async (subject) => {
  const { converter, fixture, targets, excused } = subject;
  const problems: string[] = undeclared(converter);
  for (const ref of await topSessionsOf(subject)) {
    for (const to of targets) {
      await guarded(`${ref.id} to ${to.id}`, problems, async () => {
        const conversion = await convert({ from: converter, ref, source: sourceOf(fixture.files), to });
        const losses = conversion.losses.filter(({ axis }) => !excused?.has(axis as SessionAxis));
        problems.push(...tooGood(converter, to, { losses }).map((what) => `${ref.id} to ${to.id}: ${what}`));
      });
    }
  }
  return problems;
};

function undeclared({ sessions }: Converter): string[] {
  return (["read", "write"] as const).flatMap((way) =>
    Object.keys(sessionAxes)
      .filter((axis) => !levels.includes(sessions.fidelity[way][axis as SessionAxis]))
      .map((axis) => `declares nothing for ${axis} (${way})`),
  );
}

/** Losses on an axis that is declared better than them. */
export function tooGood(from: Converter, to: Converter, { losses }: Pick<Conversion, "losses">): string[] {
  const problems: string[] = [];
  for (const loss of losses) {
    if (OF_THE_SOURCE.has(loss.reason) || loss.level === "not-in-source" || !(loss.axis in sessionAxes))
      continue;
    const axis = loss.axis as SessionAxis;
    const declared = through(from.sessions.fidelity.read[axis], to.sessions.fidelity.write[axis]);
    if (declared === "partial") continue; // in part, or of some: how much, no table says
    if (levels.indexOf(declared) < levels.indexOf(loss.level))
      problems.push(`${axis} is declared ${declared}, but ${told(loss)}`);
  }
  return problems;
}

function told({ count, level, reason, places }: Loss): string {
  return `${count} × ${level} (${reason}; first at record ${places[0]?.record ?? "?"})`;
}
