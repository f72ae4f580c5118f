import { event, type SessionEvent } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { canonical, differences, talkOf } from "./talk.js";

const origin = { origin: [] };
const said = (role: "user" | "assistant", text: string, more = {}): SessionEvent =>
  event("message.completed", { messageId: text, role, blocks: [{ type: "text", text }], ...more }, origin);
const call = (toolCallId: string): SessionEvent =>
  event(
    "message.completed",
    {
      messageId: toolCallId,
      role: "assistant",
      blocks: [{ type: "tool-call", toolCallId, name: "shell", arguments: { b: 1, a: 2 } }],
    },
    origin,
  );
const result = (toolCallId: string, text: string): SessionEvent =>
  event("tool.completed", { toolCallId, result: [{ type: "text", text }], isError: false }, origin);

describe("talkOf", () => {
  test("pairs calls and results by place, whatever their ids", () => {
    const keys = (a: string, b: string) => talkOf([call(a), call(b), result(b, "two"), result(a, "one")]);
    expect(keys("x", "y")).toEqual(keys("toolu_1", "call_2"));
    expect(keys("x", "y").map(({ key }) => key)).toEqual([
      '#0 shell {"a":2,"b":1}',
      '#1 shell {"a":2,"b":1}',
      "#1 ok two",
      "#0 ok one",
    ]);
  });

  test("leaves out what nobody said, what nobody is sent, and what was left behind", () => {
    const events = [
      said("user", "It is Tuesday.", { injected: "harness" }),
      said("user", "<output of a command>", { injected: "command" }),
      said("assistant", "API Error", { audience: ["user"] }),
      said("assistant", "  \n"),
      { ...said("user", "abandoned"), branch: "b" },
      said("user", "kept"),
    ];
    expect(talkOf(events).map(({ key }) => key)).toEqual(["<output of a command>", "kept"]);
    expect(talkOf(events, { preamble: true, branches: true })).toHaveLength(4);
  });

  test("begins anew at a compaction that says what it kept", () => {
    const cut = event("status.changed", { status: "compacted", context: [said("user", "summary")] }, origin);
    const unsaid = event("status.changed", { status: "compacted" }, origin);
    expect(talkOf([said("user", "a"), cut, said("user", "b")]).map(({ key }) => key)).toEqual([
      "summary",
      "b",
    ]);
    expect(talkOf([said("user", "a"), unsaid, said("user", "b")]).map(({ key }) => key)).toEqual(["a", "b"]);
  });
});

test("differences name the place and what stands there", () => {
  const [a, b] = [talkOf([said("user", "a")]), talkOf([said("user", "a"), said("assistant", "b")])];
  expect(differences(a, a)).toEqual([]);
  expect(differences(a, b)).toEqual(['at 1: expected nothing more, got assistant "b"']);
  expect(differences(b, a)).toEqual(['at 1: expected assistant "b", got nothing more']);
});

test("canonical JSON does not care for the order of keys, but for that of lists", () => {
  expect(canonical({ b: [1, { d: 1, c: 2 }], a: 1 })).toBe('{"a":1,"b":[1,{"c":2,"d":1}]}');
  expect(canonical([1, 2])).not.toBe(canonical([2, 1]));
  expect(canonical(undefined)).toBe("undefined");
});
