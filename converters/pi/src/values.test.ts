// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is converted
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromPi, toPi } from "./values.js";

describe("a value of Pi's", () => {
  test.each([
    ["plain", "plain", false],
    ["$NAME and ${OTHER}", "${NAME} and ${OTHER}", false],
    ["$$5, 5$ and $1", "$5, 5$ and $1", false],
    ["$!now", "!now", false],
    ["$${NAME}", "${NAME}", true],
    ["${not a name}", "${not a name}", false],
  ])("%s is %s", (text, value, literal) => {
    expect(fromPi(text)).toEqual({ value, literal });
  });

  test("may be what a command prints", () => {
    expect(fromPi("! pass show x")).toEqual({ command: "pass show x" });
  });
});

describe("for Pi", () => {
  test.each([
    ["${NAME}", false, "${NAME}", []],
    ["Bearer ${A} ${B:-b}", false, "Bearer ${A} ${B}", ["B=b"]],
    ["!rm -rf /", false, "$!rm -rf /", []],
    ["a!b 5$ $ $1", false, "a!b 5$ $ $1", []],
    ["$HOME ${NAME}", true, "$$HOME $${NAME}", []],
    ["$$", false, "$$$", []],
  ])("%s (literal: %s) is %s", (value, literal, text, defaults) => {
    expect(toPi(value, literal)).toEqual({ text, defaults });
  });

  test("any text is the same there and back, and never a command", () => {
    const part = fc.oneof(fc.string(), fc.constantFrom("$", "!", "{", "}", "${A}", "$A", "$$", "!x"));
    fc.assert(
      fc.property(
        fc.array(part).map((parts) => parts.join("")),
        (value) => {
          const { text } = toPi(value, true);
          expect(fromPi(text)).toMatchObject({ value });
        },
      ),
    );
  });
});
