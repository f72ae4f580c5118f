import { describe, expect, it } from "vitest";
import type { Losses } from "../converter/kinds.js";
import { memorySource } from "../io/memory.js";
import { EditError } from "./edit/error.js";
import { jsonObject, parseJson, readJsonObject, valueAt } from "./json-file.js";

const source = memorySource({
  "/plain": '{"a": 1}',
  "/comments": '\uFEFF{\n  // mine\n  "a": [1,],\n}',
  "/list": "[1]",
  "/empty": "",
  "/broken": '{"a": }',
});

describe("a JSON file", () => {
  it("is read with comments, trailing commas and a byte order mark", async () => {
    expect(await jsonObject("/plain", source)).toEqual({ a: 1 });
    expect(await jsonObject("/comments", source)).toEqual({ a: [1] });
  });
  it("that is not there, is empty or holds no object is an empty object", async () => {
    for (const path of ["/none", "/list", "/empty"]) expect(await jsonObject(path, source)).toEqual({});
    expect(await parseJson(undefined)).toBeUndefined();
  });
  it("that is none is an error, with the place, or a loss", async () => {
    await expect(jsonObject("/broken", source)).rejects.toThrow(EditError);
    const losses: Losses = [];
    const words = { kind: "settings", axis: "options" } as const;
    expect(await readJsonObject("/broken", words, { source, losses })).toEqual({});
    expect(losses).toMatchObject([{ reason: "invalid-form", count: 1 }]);
    expect(losses[0]?.places[0]?.item).toMatch(/^\/broken: is not valid JSON \(line 1, column 7/);
  });
});

it("finds what stands at a path, and nothing that an object only inherits", () => {
  expect(valueAt({ a: { b: 1 } }, ["a", "b"])).toBe(1);
  expect(valueAt({ a: [1] }, ["a", "0"])).toBeUndefined();
  expect(valueAt({}, ["constructor"])).toBeUndefined();
  expect(valueAt(JSON.parse('{"__proto__": {"x": 1}}'), ["x"])).toBeUndefined();
});
