import { expect, test } from "vitest";
import { keepJson, keptJson } from "./json-text.js";

test("the latest are known", () => {
  for (let i = 0; i < 100; i++) keepJson(`text ${i}`, `"text ${i}"`);
  expect(keptJson("text 99")).toBe('"text 99"');
  expect(keptJson("text 90")).toBe('"text 90"');
  expect(keptJson("text 1")).toBeUndefined();
  expect(keptJson("")).toBeUndefined();
});
