import { expect, test } from "vitest";
import { style, wantsColour } from "./style.js";

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [true, { TERM: "dumb" }, false],
  [false, { FORCE_COLOR: "1" }, true],
  [true, { FORCE_COLOR: "0" }, false],
  [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
])("terminal %s with %o: %s", (isTerminal, env, wanted) => {
  expect(wantsColour(isTerminal, env)).toBe(wanted);
});

test("without colour texts are as they were", () => {
  expect(style(false).red("x")).toBe("x");
  expect(style(true).red("x")).toBe("\u001b[31mx\u001b[39m");
});
