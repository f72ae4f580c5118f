import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Mode,
  modes,
  narrowest,
  nearestLevel,
  scalarsIn,
  type ThoughtLevel,
  thoughtLevels,
} from "./options.js";

describe("a mode", () => {
  it("is the same one where it is offered", () => {
    for (const mode of modes) expect(narrowest(mode, modes)).toEqual({ mode, exact: true });
  });
  it("never becomes one that allows more", () => {
    fc.assert(
      fc.property(fc.constantFrom(...modes), fc.subarray<Mode>([...modes]), (wanted, offered) => {
        const found = narrowest(wanted, offered);
        if (found) expect(modes.indexOf(found.mode)).toBeLessThanOrEqual(modes.indexOf(wanted));
        else expect(offered.every((mode) => modes.indexOf(mode) > modes.indexOf(wanted))).toBe(true);
      }),
    );
  });
});

it("a level is the nearest one, the lower of two", () => {
  const offered: ThoughtLevel[] = ["low", "medium", "high", "xhigh"];
  const nearest = Object.fromEntries(
    thoughtLevels.map((level) => [level, nearestLevel(level, offered)?.level]),
  );
  expect(nearest).toEqual({
    none: "low",
    minimal: "low",
    low: "low",
    medium: "medium",
    high: "high",
    xhigh: "xhigh",
    max: "xhigh",
    ultra: "xhigh",
  });
  expect(nearestLevel("high", ["medium", "xhigh"])).toEqual({ level: "medium", exact: false });
  expect(nearestLevel("high", [])).toBeUndefined();
});

describe("a setting in a file", () => {
  it("is its value, or the plain values of one object, each by a name of its own", () => {
    expect(scalarsIn("a", 1)).toEqual([["a", 1]]);
    expect(scalarsIn("a", { on: true, by: "x" })).toEqual([
      ["a.on", true],
      ["a.by", "x"],
    ]);
  });
  it.each([[[]], [{}], [null], [{ a: { b: 1 } }], [{ "a.b": 1 }], [{ a: 1, b: [] }]])(
    "is none that can be carried: %j",
    (value) => expect(scalarsIn("a", value)).toEqual([["a", undefined]]),
  );
});
