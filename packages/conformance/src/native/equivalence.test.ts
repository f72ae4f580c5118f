import { describe, expect, test } from "vitest";
import { compareRequests, isEquivalent } from "./equivalence.js";
import type { JsonObject } from "./json.js";

/** A conversation in short: "u:…" and "a:…" are said, "c:…" is called, "r:…" is the result. */
function responses(...talk: string[]): JsonObject {
  return {
    input: talk.map((line) => {
      const text = line.slice(2);
      if (line.startsWith("c:")) return { type: "function_call", name: "x", call_id: "c", arguments: text };
      if (line.startsWith("r:")) return { type: "function_call_output", call_id: "c", output: text };
      const user = line.startsWith("u:");
      const content = [{ type: user ? "input_text" : "output_text", text }];
      return { type: "message", role: user ? "user" : "assistant", content };
    }),
  };
}

function anthropic(...talk: string[]): JsonObject {
  return {
    messages: talk.map((line) => {
      const text = line.slice(2);
      if (line.startsWith("c:")) {
        return {
          role: "assistant",
          content: [{ type: "tool_use", id: "c", name: "x", input: JSON.parse(text) }],
        };
      }
      if (line.startsWith("r:")) {
        return { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: text }] };
      }
      return { role: line.startsWith("u:") ? "user" : "assistant", content: [{ type: "text", text }] };
    }),
  };
}

const talk = ["u:one", 'c:{"a":1,"b":[{"d":2,"c":3}]}', "r:done", "a:two", "u:three", "a:four"];

test("the same talk in two dialects is equivalent, with or without the resuming prompt", () => {
  const result = compareRequests(responses(...talk, "u:continue"), anthropic(...talk));
  expect(isEquivalent(result)).toBe(true);
  expect(result).toMatchObject({
    counts: {
      user: { source: 2, target: 2, kept: 2, extra: 0 },
      call: { source: 1, target: 1, kept: 1, extra: 0 },
      image: { source: 0, target: 0, kept: 0, extra: 0 },
    },
    order: 1,
    missing: [],
    extra: [],
  });
});

test("what was lost and what was added is told, each in its order", () => {
  const result = compareRequests(
    responses(...talk),
    anthropic("u:one", "a:zero", "a:two", "u:three", "u:three"),
  );
  expect(isEquivalent(result)).toBe(false);
  expect(result.missing.map(({ text }) => text)).toEqual(['{"a":1,"b":[{"d":2,"c":3}]}', "done", "four"]);
  expect(result.extra.map(({ text }) => text)).toEqual(["zero", "three"]);
  expect(result.counts.user).toEqual({ source: 2, target: 3, kept: 2, extra: 1 });
  expect(result.counts.assistant).toEqual({ source: 2, target: 2, kept: 1, extra: 1 });
});

test("equal texts count as often as they are said", () => {
  const result = compareRequests(responses("u:go", "u:go", "u:go"), responses("u:go", "u:go"));
  expect(result.counts.user).toEqual({ source: 3, target: 2, kept: 2, extra: 0 });
  expect(isEquivalent(result)).toBe(false);
});

test("the order counts", () => {
  const result = compareRequests(
    responses("u:1", "a:2", "u:3", "a:4"),
    responses("u:1", "u:3", "a:2", "a:4"),
  );
  expect(result).toMatchObject({ missing: [], extra: [], order: 0.75 });
  expect(isEquivalent(result)).toBe(false);
});

test("results may stand beside their calls or after all of them", () => {
  const calls = ['c:{"n":1}', "r:one", 'c:{"n":2}', "r:two"];
  const parallel = ['c:{"n":1}', 'c:{"n":2}', "r:one", "r:two"];
  expect(isEquivalent(compareRequests(responses(...calls), responses(...parallel)))).toBe(true);
});

test("nothing said is equivalent to nothing said", () => {
  expect(isEquivalent(compareRequests({ input: [] }, { messages: [] }))).toBe(true);
});

test("only the prompt that was given, and only at the end, is left out", () => {
  const source = responses("u:continue", "a:ok", "u:go on");
  expect(isEquivalent(compareRequests(source, responses("u:continue", "a:ok"), "go on"))).toBe(true);
  expect(isEquivalent(compareRequests(source, responses("a:ok", "u:go on")))).toBe(false);
});

describe("calls", () => {
  const same = (a: string, b: string) =>
    isEquivalent(compareRequests(responses(`c:${a}`), responses(`c:${b}`)));

  test.each([
    ['{"a":1,"b":2}', '{ "b": 2, "a": 1 }'],
    ["*** Begin Patch\r\n+x\n", '{"input":"*** Begin Patch\\n+x"}'],
    ["ls", '{"raw":"ls"}'],
    ["not json", "not json"],
    ["", '{"input":""}'],
  ])("%j is %j", (a, b) => {
    expect(same(a, b)).toBe(true);
  });

  test.each([
    ['{"a":1}', '{"a":2}'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ["ls", '{"command":"ls"}'],
    ["ls", '{"input":"ls","more":1}'],
    ["{}", "[]"],
  ])("%j is not %j", (a, b) => {
    expect(same(a, b)).toBe(false);
  });
});

describe("results", () => {
  const same = (a: string, b: string) =>
    isEquivalent(compareRequests(responses(`r:${a}`), responses(`r:${b}`)));

  test.each([
    ["a  b\n\nc", "a b c"],
    ["one\n[image]", "one"],
    ["x\n[Tool references removed - tools no longer available]", "x"],
    ["", "(no tool output)"],
    ["[image]", "(see attached image)\n[image]"],
    [`${"x".repeat(1200)}and what was cut`, `${"x".repeat(1200)}…`],
  ])("%j is %j", (a, b) => {
    expect(same(a, b)).toBe(true);
  });

  test("that begin otherwise differ", () => {
    expect(same("one", "two")).toBe(false);
  });
});

test("images are the same by their data, however they are wrapped", () => {
  const data =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const block = { type: "image", source: { type: "base64", media_type: "image/png", data } };
  const part = { type: "input_image", image_url: `data:image/png;base64,${data}` };
  const source = { messages: [{ role: "user", content: [block] }] };
  const target = (...content: object[]) => ({ input: [{ type: "message", role: "user", content }] });
  expect(isEquivalent(compareRequests(source, target(part)))).toBe(true);
  expect(compareRequests(source, target(part, part)).counts.image).toMatchObject({ kept: 1, extra: 1 });
});
