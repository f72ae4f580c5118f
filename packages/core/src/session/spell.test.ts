import { expect, it } from "vitest";
import { spell } from "./spell.js";

function nested(depth: number): unknown {
  let value: unknown = "end";
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value };
  return value;
}

it("is JSON as always for what can be written", () => {
  const value = { a: [1, { b: null }], c: "\ud83d" };
  expect(spell(value)).toEqual({ text: JSON.stringify(value), cut: false });
});

it("cuts what is nested too deep, and keeps all around it", () => {
  const { text, cut } = spell({ before: 1, deep: nested(100_000), after: JSON.parse('{"__proto__":2}') });
  expect(cut).toBe(true);
  expect(JSON.parse(text)).toMatchObject({ before: 1 });
  expect(text).toContain('"after":{"__proto__":2}');
  expect(text).toContain("null");
  expect(text).not.toContain("end");
});

it("does not hide any other fault", () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  expect(() => spell(circle)).toThrow(TypeError);
});
