import { keptJson } from "@asp-convert/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRecord, parseResult } from "./parse.js";

/** A command's result as the program writes it: its output stands in it twice. */
function result(first: unknown, second: unknown = first, more: object = {}): string {
  return JSON.stringify({
    parentUuid: null,
    type: "user",
    message: {
      role: "user",
      content: [{ tool_use_id: "toolu_1", type: "tool_result", content: first, is_error: false }],
    },
    uuid: "u",
    toolUseResult: { stdout: second, stderr: "", interrupted: false },
    ...more,
  });
}

test.each([
  ["an output", result('total 8\n-rw-r--r-- "a" \\ b\tc — ü 🙂 \u0001')],
  ["an empty one", result("")],
  ["two that differ", result("one", "two")],
  ["two that begin alike", result("one", "one two")],
  ["two of one length", result("abc", "abd")],
  ["parts", result([{ type: "text", text: "abc" }], "abc")],
  ["half a character", result("a\ud83d")],
  ["what looks like the end", result('x","stderr":"y')],
  ["what looks like a result", result('"toolUseResult":{"stdout":"a","stderr":"content":"')],
  ["an output that stands elsewhere too", result("abc", "abc", { more: { content: "abc" } })],
  ["a content before it", `{"x":{"content":"abc"},${result("abd", "abc").slice(1)}`],
  ["a second stdout", result("abc").replace('"stderr":""', '"stderr":"","stdout":"other"')],
  ["a second message", result("abc").replace(/}$/, ',"message":{"content":[{"content":"other"}]}}')],
  ["another spelling", result("a/b").replaceAll("a/b", "a\\/b\\u0041")],
  ["two spellings", result("a/b").replace("a/b", "a\\/b")],
])("%s: what comes out is what is there", (_, line) => {
  const bytes = Buffer.from(line);
  expect(parseResult(bytes)).toStrictEqual(JSON.parse(line));
  expect(parseResult(bytes)).toStrictEqual(parseRecord(bytes));
});

test.each([
  ["a quote inside", result("abXcd").replaceAll("abXcd", 'ab"cd')],
  ["no end", result("abc\\").replaceAll("abc\\\\", "abc\\")],
  ["a line break", result("abXcd").replaceAll("abXcd", "ab\ncd")],
  ["broken after it", `${result("abc").slice(0, -2)}`],
  ["an unknown escape", result("abXcd").replaceAll("abXcd", "ab\\xcd")],
])("broken by %s: as broken as ever", (_, line) => {
  expect(() => JSON.parse(line)).toThrow(SyntaxError);
  expect(() => parseResult(Buffer.from(line))).toThrow(SyntaxError);
});

test("a key hidden between two texts is not passed over", () => {
  const line = result("aXc").replaceAll("aXc", 'a","b":"c');
  expect(parseResult(Buffer.from(line))).toStrictEqual(JSON.parse(line));
});

test("what core is told of a text's JSON is what JSON.stringify would say, however it is spelled", () => {
  const spelled = fc
    .string({ unit: "binary", minLength: 1 })
    .chain((text) =>
      fc.constantFrom(JSON.stringify(text), escaped(text), JSON.stringify(text).replaceAll("/", "\\/")),
    );
  fc.assert(
    fc.property(spelled, (json) => {
      const text = JSON.parse(json) as string;
      const line = result("HERE").replaceAll('"HERE"', () => json);
      expect(parseResult(Buffer.from(line))).toStrictEqual(JSON.parse(line));
      expect(keptJson(text) ?? JSON.stringify(text)).toBe(JSON.stringify(text));
    }),
  );
  expect(parseResult(Buffer.from(result("known\n")))).toBeDefined();
  expect(keptJson("known\n")).toBe('"known\\n"');
});

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, i) =>
    text.charCodeAt(i).toString(16).padStart(4, "0"),
  );
  return `"${units.map((unit) => `\\u${unit}`).join("")}"`;
}
