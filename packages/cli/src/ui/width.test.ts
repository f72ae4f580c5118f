import { expect, test } from "vitest";
import { padEnd, padStart, truncate, width } from "./width.js";

test.each([
  ["abc", 3],
  ["日本", 4],
  ["e\u0301", 1],
  ["👩‍👩‍👧", 2],
  ["❤️", 2],
  ["✓…→", 3],
  ["ｆｕ", 4],
  ["한글", 4],
  ["", 0],
])("%s takes %i columns", (text, columns) => {
  expect(width(text)).toBe(columns);
});

test("truncate never exceeds the columns and says that it cut", () => {
  expect(truncate("hello world", 8)).toBe("hello w…");
  expect(truncate("hello world", 7)).toBe("hello…");
  expect(truncate("日本語", 4)).toBe("日…");
  expect(truncate("short", 5)).toBe("short");
  expect(truncate("x", 0)).toBe("");
});

test("padding counts columns, not characters", () => {
  expect(padEnd("日", 4)).toBe("日  ");
  expect(padStart("日", 4)).toBe("  日");
});
