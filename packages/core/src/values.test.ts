import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fields, isoOf, isoTime, list, name, number, parsed, string } from "./values.js";

const NOTHING = [undefined, null, true, Number.NaN, () => 1, Symbol("x")];

describe("what is not of the shape asked for is undefined", () => {
  it("an object with keys: neither a list nor null", () => {
    const object = { a: 1 };
    expect(fields(object)).toBe(object);
    expect([[], "a", 1, ...NOTHING].map(fields)).toEqual(Array(9).fill(undefined));
  });

  it("text, and text that says something", () => {
    expect([string("a"), string("")]).toEqual(["a", ""]);
    expect([name("a"), name("")]).toEqual(["a", undefined]);
    expect([1, {}, [], ...NOTHING].flatMap((value) => [string(value), name(value)])).toEqual(
      Array(18).fill(undefined),
    );
  });

  it("a number that one can count with", () => {
    expect([number(0), number(-1.5)]).toEqual([0, -1.5]);
    expect(["1", Number.POSITIVE_INFINITY, ...NOTHING].map(number)).toEqual(Array(8).fill(undefined));
  });

  it("a list, empty where there is none", () => {
    const items = [1];
    expect(list(items)).toBe(items);
    expect([{ length: 1 }, "a", ...NOTHING].map(list)).toEqual(Array(8).fill([]));
  });

  it("JSON text, whatever it spells; a key that would change every object stays a key", () => {
    expect(['{"a":1}', "null", "1", '"a"'].map(parsed)).toEqual([{ a: 1 }, null, 1, "a"]);
    expect(["", "{", "undefined", "{'a':1}", '{"a":1}{}'].map(parsed)).toEqual(Array(5).fill(undefined));
    expect(Object.hasOwn(parsed('{"__proto__":{"x":1}}') as object, "__proto__")).toBe(true);
    expect({}).not.toHaveProperty("x");
  });
});

describe("a time in ISO 8601, in UTC", () => {
  it.each([
    ["2026-11-30T10:00:00.123Z", "2026-11-30T10:00:00.123Z"],
    // What is in UTC stays as it is spelled: with seconds alone, with more digits than a Date keeps.
    ["2026-11-30T10:00:00Z", "2026-11-30T10:00:00Z"],
    ["2026-11-30T10:00:00.123456789Z", "2026-11-30T10:00:00.123456789Z"],
    ["2026-11-30T11:00:00+01:00", "2026-11-30T10:00:00.000Z"],
    ["2026-11-30T11:00:00+0100", "2026-11-30T10:00:00.000Z"],
    // Without a zone it is taken as UTC, wherever the machine is.
    ["2026-11-30T10:00:00", "2026-11-30T10:00:00.000Z"],
    ["2026-11-30 10:00:00", "2026-11-30T10:00:00.000Z"],
    ["2026-11-30", "2026-11-30T00:00:00.000Z"],
  ])("%s is %s", (text, time) => {
    expect(isoTime(text)).toBe(time);
  });

  it.each([
    "",
    "10:00",
    "yesterday",
    "2026-13-45T10:00:00Z",
    "not a time at all",
    "+058908-03-14T18:05:35.972Z",
    "-000001-01-01T00:00:00Z",
    1796066876603,
    null,
  ])("%j is none", (value) => {
    expect(isoTime(value)).toBeUndefined();
  });

  it("a number is one in the years of four digits", () => {
    expect([-62_167_219_200_000, 0, 253_402_300_799_999].map(isoOf)).toEqual([
      "0000-01-01T00:00:00.000Z",
      "1970-01-01T00:00:00.000Z",
      "9999-12-31T23:59:59.999Z",
    ]);
    const none = [-62_167_219_200_001, 253_402_300_800_000, 1_796_719_235_735_972, Number.NaN, "0", null];
    expect(none.map(isoOf)).toEqual(none.map(() => undefined));
  });

  it("every moment comes back as itself", () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date("0000-01-01"), max: new Date("9999-12-31") }),
        (date) => {
          expect(Date.parse(isoTime(date.toISOString()) ?? "")).toBe(date.getTime());
        },
      ),
    );
  });
});
