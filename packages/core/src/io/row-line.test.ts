import { expect, test } from "vitest";
import { rowLine, rowOfLine } from "./row-line.js";
import type { SqlValue } from "./sql.js";

const back = (row: Record<string, SqlValue>) => rowOfLine(JSON.parse(rowLine("note", row, ["data"])))?.row;

test("reads as it stands in the table", () => {
  const row = { id: "a", at: 1, note: null, data: '{"text":"hi"}', more: '{"a":1}' };
  expect(rowLine("note", row, ["data"])).toBe(
    '{"table":"note","id":"a","at":1,"data":{"text":"hi"},"more":"{\\"a\\":1}"}\n',
  );
});

test.each<[string, SqlValue]>([
  ["text", 'with "quotes" and a line\nmore'],
  ["half a character", "\ud83d"],
  ["a number", 0.1],
  ["a whole number beyond 2^53", 9_007_199_254_740_993n],
  ["bytes", Buffer.from([0, 255, 10])],
  ["JSON", '{"parts":[{"text":"a"}]}'],
  ["a list", "[1,2]"],
  ["JSON in another spelling", '{ "a": 1 }'],
  ["JSON with a key twice", '{"a":1,"a":2}'],
  ["JSON that is no object", "12"],
  ["JSON that looks like bytes", '{"base64":"AP8K"}'],
  ["JSON that looks like a whole number", '{"integer":"1"}'],
  ["no JSON", "{torn"],
])("%s comes back as it was", (_, value) => {
  expect(back({ id: "a", data: value })).toEqual({ id: "a", data: value });
  expect(back({ id: "a", other: value })).toEqual({ id: "a", other: value });
});

test("what is no row", () => {
  for (const value of [null, 1, [], {}, { table: 1 }]) expect(rowOfLine(value)).toBeUndefined();
});
