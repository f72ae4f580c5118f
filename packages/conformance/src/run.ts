/** The suite: what an adapter's author calls in a test file of their own. */
import { type Converter, levels, type SessionAxis } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { type CheckName, checks } from "./checks/index.js";
import { type Fixture, type LeafRules, type Subject, sessionsOf, unfolded } from "./kit.js";
import { type NativeProgram, proveResume } from "./prove.js";
import { sample } from "./sample/index.js";

/**
 * An axis that is not held against the converter, in any check; with `check`, that check is left out as a whole. It
 * must rest on something declared: the axis stands lower than `preserved` in the fidelity table.
 */
export interface Skip {
  axis: SessionAxis;
  reason: string;
  check?: CheckName;
  /** Only on this fixture. */
  fixture?: string;
}

export interface ConformanceOptions {
  /** Stores of this harness: best captured from the real program. */
  fixtures: readonly Fixture[];
  /** Stores of other harnesses, which must not be taken for its own. */
  foreign?: readonly Fixture[];
  /** Converted to, besides itself unless it only reads. Default: the kit's sample harness. */
  targets?: readonly Converter[];
  skip?: readonly Skip[];
  leaves?: LeafRules;
  /** Ids that the writer makes anew for each copy, besides UUIDs and sha256 sums. */
  ids?: readonly RegExp[];
  /** Only these checks. */
  only?: readonly CheckName[];
  /** Sessions are resumed in the real program too, as `sessions.resume.program` says it is started: where it is. */
  native?: NativeProgram;
}

/** Checks that look at no fixture: once is enough. */
const ONCE: ReadonlySet<string> = new Set<CheckName>(["reference"]);

/** Checks that look at a database as it is, and not at its sessions as files. */
const WHOLE: ReadonlySet<string> = new Set<CheckName>(["columns"]);

/** Checks of what a converter writes: not there for one that only reads. */
const WRITING: ReadonlySet<string> = new Set<CheckName>(["write", "reference", "stable", "replay"]);

/** Of one check (ms): seconds of work, also on a machine that has much else to do. */
const TIMEOUT = 180_000;

/** Defines one vitest test for each check and fixture. */
export function runConformance(converter: Converter, options: ConformanceOptions): void {
  const {
    fixtures,
    foreign = [],
    targets = [sample],
    skip = [],
    leaves = {},
    ids = [],
    only,
    native,
  } = options;
  const others = targets.filter(({ id }) => id !== converter.id);
  const reads = converter.readOnly !== undefined;
  const all = reads ? others : [converter, ...others];

  describe(`${converter.name} conforms`, () => {
    test("skips rest on declared levels", () => {
      expect(skip.flatMap((entry) => unfounded(entry, converter))).toEqual([]);
    });
    test("has fixtures", () => {
      expect(fixtures.length).toBeGreaterThan(0);
    });
    test("has sessions in them, the same where those of one file are files", async () => {
      const ids = async (fixture: Fixture) =>
        (await sessionsOf({ converter, fixture })).map(({ id }) => id).sort();
      const all: string[] = [];
      for (const fixture of fixtures) {
        const found = await ids(fixture);
        expect(await ids(await unfolded(converter, fixture)), fixture.name).toEqual(found);
        all.push(...found);
      }
      expect(all).not.toEqual([]);
    });
    for (const [name, check] of Object.entries(checks)) {
      if ((only && !only.includes(name as CheckName)) || (reads && WRITING.has(name))) continue;
      describe(name, () => {
        for (const fixture of ONCE.has(name) ? fixtures.slice(0, 1) : fixtures) {
          const held = skip.filter((entry) => (entry.fixture ?? fixture.name) === fixture.name);
          const left = held.find((entry) => entry.check === name);
          const axes = held.filter((entry) => entry.check === undefined);
          const excused = new Set(axes.map(({ axis }) => axis));
          const subject: Subject = { converter, fixture, foreign, targets: all, leaves, ids, excused };
          const why = (left ? [left] : axes).map((entry) => excuse(entry, converter)).join("; ");
          const title = why === "" ? fixture.name : `${fixture.name} (${left ? "left out: " : ""}${why})`;
          test.skipIf(left !== undefined)(title, { timeout: TIMEOUT }, async () => {
            const given = WHOLE.has(name) ? fixture : await unfolded(converter, fixture);
            expect(await check({ ...subject, fixture: given })).toEqual([]);
          });
        }
      });
    }
    const proof = "resumed in the real program, its model is sent what was said";
    if (native)
      test(proof, { timeout: 2 * TIMEOUT }, async () => {
        expect(await proveResume(converter, native)).toEqual([]);
      });
    else if (converter.sessions.resume.program)
      test.skip(`${proof} (left out: the option \`native\` does not say where it is)`, () => {});
  });
}

function excuse({ axis, reason }: Skip, converter: Converter): string {
  return `${axis} is ${declared(axis, converter)}: ${reason}`;
}

/** The worse of the two levels that the converter's table gives for an axis; of one that only reads, the one. */
function declared(axis: SessionAxis, { sessions: { fidelity }, readOnly }: Converter): string | undefined {
  if (readOnly !== undefined) return fidelity.read[axis];
  return levels[Math.max(levels.indexOf(fidelity.read[axis]), levels.indexOf(fidelity.write[axis]))];
}

/** Why a skip may not stand. */
export function unfounded({ axis, reason }: Skip, converter: Converter): string[] {
  if (reason.trim() === "") return [`${axis}: gives no reason`];
  return declared(axis, converter) === "preserved"
    ? [`${axis} is declared preserved: nothing of it may be lost`]
    : [];
}
