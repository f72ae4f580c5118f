import { expect, it, test } from "vitest";
import { gramsOf, literal, snippetOf } from "./pattern.js";

test.each([
  ["rate", ["rat", "ate"]],
  ["日本語で", ["日本語", "本語で"]],
  ["ab", []],
  ["colou?r map", ["col", "olo", "r m", " ma", "map"]],
  ["fail.*lines", ["fai", "ail", "lin", "ine", "nes"]],
  ["a\\.bc", ["a.b", ".bc"]],
  ["\\d\\d\\d abc", []],
  ["abc|xyz", []],
  ["x{3}abc", []],
])("%s is narrowed down by %j", (pattern, grams) => {
  expect(gramsOf(new RegExp(pattern, "iu"))).toEqual(grams);
});

it("takes a literal as it is, case ignored", () => {
  const text = "f(x) = [a] | {b}\\c * d? $1 ^2 ./-";
  expect(literal(text).test(text.toUpperCase())).toBe(true);
  expect(gramsOf(literal("(a)|"))).toEqual(["(a)", "a)|"]);
});

it("shows whole words around a match", () => {
  const text = `${"before ".repeat(20)}the needle here${" after".repeat(40)}`;
  expect(snippetOf(text, /needle/iu)).toMatch(/^…before (before )*the needle here( after)*…$/);
  expect(snippetOf("needle", /needle/iu)).toBe("needle");
  expect(snippetOf("hay", /needle/iu)).toBeUndefined();
});
