import { expect, test } from "vitest";
import { since } from "./since.js";

const now = new Date("2026-11-30T12:00:00Z");

test.each([
  ["12h", "2026-11-30T00:00:00.000Z"],
  ["7d", "2026-11-23T12:00:00.000Z"],
  ["2W", "2026-11-16T12:00:00.000Z"],
  ["2026-11-01T08:00:00Z", "2026-11-01T08:00:00.000Z"],
])("%s", (text, iso) => {
  expect(since(text, now)).toBe(iso);
});

test("a date alone is a day of this place", () => {
  expect(since("2026-11-01", now)).toBe(new Date(2026, 10, 1).toISOString());
});

test.each(["yesterday", "7", "-3d", "", "99999999999999d"])("%s is refused with what can be said", (text) => {
  expect(() => since(text, now)).toThrow(/Say 12h, 7d/);
});
