import { describe, expect, it } from "vitest";
import type { KindTarget } from "../converter/kinds.js";
import type { Skill } from "../state/skills.js";
import { heldBack, runsNotHere, toldOver, withoutRestrictions } from "./skill-items.js";
import { standardLimits } from "./skills.js";

const skill: Skill = {
  name: "one",
  scope: "user",
  description: "What it is for.",
  restrictions: [],
  files: [],
};
const target = (dropRestrictions = false): KindTarget =>
  ({ losses: [], dropRestrictions }) as unknown as KindTarget;
const of = { item: "one", scope: "user" };
const lost = [{ key: "allowed-tools" }, { key: "enabled" }];

describe("what limits a skill", () => {
  it("holds it back unless the person lets it go", () => {
    expect(heldBack(of, lost, target())).toMatchObject({
      outcome: "left",
      reason: "restriction-lost",
      note: "allowed-tools, enabled",
    });
    expect(heldBack(of, lost, target(true))).toBeUndefined();
    expect(heldBack(of, [], target())).toBeUndefined();
  });
  it("is counted one by one where it is let go", () => {
    const to = target(true);
    withoutRestrictions(skill, lost, to);
    expect(to.losses).toMatchObject([{ axis: "skill-restrictions", level: "dropped", count: 2 }]);
  });
});

it("is told of when it is over the standard's bounds, and carried", () => {
  const item = { ...of, outcome: "written" } as const;
  expect(toldOver(item, skill, standardLimits, target())).toBe(item);
  const long = { ...skill, description: "x".repeat(1025) };
  expect(toldOver(item, long, standardLimits, target())).toMatchObject({
    outcome: "changed",
    reason: "target-limit",
    note: expect.stringContaining("carried as it is"),
  });
});

it("says what the program does not run", () => {
  expect(runsNotHere({ ...skill, runs: ["!`date`", "!`ls`"] }, "It", target())).toMatchObject({
    outcome: "changed",
    note: "It does not run by itself: !`date`; !`ls`",
  });
});
