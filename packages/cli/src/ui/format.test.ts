import { expect, test } from "vitest";
import { ago, bytes, count, duration, plural, when } from "./format.js";

test("numbers", () => {
  expect(count(1234567)).toBe("1,234,567");
  expect(plural(1, "session")).toBe("1 session");
  expect(plural(3000, "session")).toBe("3,000 sessions");
  expect(plural(2, "entry", "entries")).toBe("2 entries");
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [9949, "9.9 kB"],
  [9960, "10 kB"],
  [999_499, "999 kB"],
  [999_500, "1.0 MB"],
  [118_400_000, "118 MB"],
  [5e15, "5000 TB"],
])("%i bytes", (n, text) => {
  expect(bytes(n)).toBe(text);
});

test.each([
  [0, "0.1 s"],
  [412, "0.4 s"],
  [9960, "10 s"],
  [59_600, "1 min 0 s"],
  [185_000, "3 min 5 s"],
  [7_440_000, "2 h 4 min"],
])("%i ms", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test("times are local, and no time is nothing", () => {
  const local = new Date(2026, 10, 3, 4, 5).toISOString();
  expect(when(local)).toBe("2026-11-03 04:05");
  expect(when("yesterday")).toBe("");
  expect(when(undefined)).toBe("");
});

test.each([
  [0, "now"],
  [5 * 60, "5 min"],
  [47 * 3600, "47 h"],
  [48 * 3600, "2 d"],
  [90 * 86400, "2026-09"],
])("%i seconds ago is %s", (seconds, text) => {
  const now = Date.UTC(2026, 11, 1, 12);
  expect(ago(new Date(now - seconds * 1000).toISOString(), now)).toBe(text);
  expect(ago("no time", now)).toBe("");
});
