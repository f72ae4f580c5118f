/** The suite: what an adapter's author calls in a test file of their own. */
import { type Converter, type Level, levels, type SessionAxis } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { type CheckName, checks } from "./checks/index.js";
import type { Fixture, LeafRules, Subject } from "./kit.js";
import { sample } from "./sample/index.js";

/** A check that is left out. It must rest on something declared: the axis, and its level in the fidelity table. */
export interface Skip {
  check: CheckName;
  /** Only on this fixture. */
  fixture?: string;
  axis: SessionAxis;
  level: Exclude<Level, "preserved">;
  reason: string;
}

export interface ConformanceOptions {
  /** Stores of this harness: best captured from the real program. */
  fixtures: readonly Fixture[];
  /** Stores of other harnesses, which must not be taken for its own. */
  foreign?: readonly Fixture[];
  /** Converted to, besides itself. Default: the kit's sample harness. */
  targets?: readonly Converter[];
  skip?: readonly Skip[];
  leaves?: LeafRules;
  /** Ids that the writer makes anew for each copy, besides UUIDs and sha256 sums. */
  ids?: readonly RegExp[];
  /** Only these checks. */
  only?: readonly CheckName[];
}

/** Defines one vitest test for each check and fixture. */
export function runConformance(converter: Converter, options: ConformanceOptions): void {
  const { fixtures, foreign = [], targets = [sample], skip = [], leaves = {}, ids = [], only } = options;
  const all = [converter, ...targets.filter(({ id }) => id !== converter.id)];

  describe(`${converter.name} conforms`, () => {
    test("skips rest on declared levels", () => {
      expect(skip.flatMap((entry) => unfounded(entry, converter))).toEqual([]);
    });
    test("has fixtures", () => {
      expect(fixtures.length).toBeGreaterThan(0);
    });
    for (const [name, check] of Object.entries(checks)) {
      if (only && !only.includes(name as CheckName)) continue;
      describe(name, () => {
        for (const fixture of fixtures) {
          const left = skip.find(
            (entry) => entry.check === name && (entry.fixture ?? fixture.name) === fixture.name,
          );
          const subject: Subject = { converter, fixture, foreign, targets: all, leaves, ids };
          const title = left
            ? `${fixture.name} (left out: ${left.axis} is ${left.level}: ${left.reason})`
            : fixture.name;
          test.skipIf(left !== undefined)(title, { timeout: 60_000 }, async () => {
            expect(await check(subject)).toEqual([]);
          });
        }
      });
    }
  });
}

/** Why a skip may not stand. */
export function unfounded({ check, axis, level, reason }: Skip, { sessions }: Converter): string[] {
  const { read, write } = sessions.fidelity;
  const worst = levels[Math.max(levels.indexOf(read[axis]), levels.indexOf(write[axis]))];
  if (reason.trim() === "") return [`${check}: gives no reason`];
  return level === worst ? [] : [`${check}: ${axis} is declared ${worst}, not ${level}`];
}
