import { event } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { axesIn } from "./axis.js";
import { MARKER, mark, sortsIn } from "./mark.js";
import { fits, kindOf, mapLeaves, patternOf } from "./walk.js";

describe("leaves", () => {
  test("are found at any depth, in JSON inside strings too", () => {
    const seen: string[] = [];
    const value = { a: "x", list: ["y", { z: '{"inner":["deep"]}' }], n: 1, none: null };
    mapLeaves(value, (leaf, path) => {
      seen.push(`${patternOf(path)}=${leaf}`);
      return leaf;
    });
    expect(seen).toEqual(["a=x", "list.*=y", "list.*.z.<json>.inner.*=deep"]);
  });

  test("a string that holds JSON keeps its spelling unless something in it changed", () => {
    const value = { args: '{ "cmd" : "ls" }' };
    expect(mapLeaves(value, (leaf) => leaf)).toEqual(value);
    expect(mapLeaves(value, (leaf) => `${leaf}!`)).toEqual({ args: '{"cmd":"ls!"}' });
  });

  test("rules fit one step with *, all below with **", () => {
    expect(fits("a.*.c", "a.b.c")).toBe(true);
    expect(fits("a.*.c", "a.b.d")).toBe(false);
    expect(fits("a.**", "a.b.c.d")).toBe(true);
    expect(fits("a", "a.b")).toBe(false);
    expect(fits("a.b", "a")).toBe(false);
  });

  test("records are told apart by what names their kind", () => {
    expect(kindOf({ type: "response_item", payload: { type: "message", role: "user" } })).toBe(
      "response_item/message/user",
    );
    expect(kindOf({ type: "attachment", attachment: { type: "date" } })).toBe("attachment/date");
    expect(kindOf([1])).toBe("");
  });
});

describe("marking", () => {
  const line = (record: unknown) => Buffer.from(`${JSON.stringify(record)}\n`);
  const all = (bytes: Buffer) => new Map([...sortsIn(bytes).keys()].map((sort) => [sort, "end"] as const));

  test("is unique, and says where each marker stands", () => {
    const bytes = Buffer.concat([line({ type: "a", text: "one" }), line({ type: "a", text: "two" })]);
    const { bytes: made, marked } = mark("/f", bytes, new Map([["a text", "end"]]), 7);
    expect(made.toString()).toBe(
      '{"type":"a","text":"onezq00000007qz"}\n{"type":"a","text":"twozq00000008qz"}\n',
    );
    expect(marked).toMatchObject([
      { marker: "zq00000007qz", offset: 0, pattern: "text" },
      { marker: "zq00000008qz", offset: 38, pattern: "text" },
    ]);
  });

  test("leaves ids, times and empty texts alone, and keeps base64 decodable", () => {
    const bytes = line({
      type: "a",
      id: "5a3b1c00-0000-4000-8000-000000000001",
      at: "2026-11-03T09:30:00.000Z",
      none: " ",
      data: "iVBORw0KGgoAAAANSUhEUg==",
      uri: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==",
    });
    const made = JSON.parse(mark("/f", bytes, all(bytes), 0).bytes.toString());
    expect(made).toMatchObject({
      id: "5a3b1c00-0000-4000-8000-000000000001",
      at: "2026-11-03T09:30:00.000Z",
      none: " ",
    });
    expect(made.data).toMatch(/^zq\d{8}qziVBO/);
    expect(made.uri).toMatch(/^data:image\/png;base64,zq\d{8}qziVBO/);
    expect(Buffer.from(made.data, "base64").toString("base64")).toBe(made.data);
  });

  test("in the middle cuts no pair of surrogates", () => {
    const bytes = line({ type: "a", text: "😀😀😀" });
    const { text } = JSON.parse(mark("/f", bytes, new Map([["a text", "middle"]]), 0).bytes.toString());
    expect(text.isWellFormed()).toBe(true);
    expect(text.replace(MARKER, "")).toBe("😀😀😀");
  });
});

test("the axis of a leaf is that of the innermost thing around it", () => {
  const marker = (n: number) => `zq0000000${n}qz`;
  const origin = { origin: [] };
  const message = event(
    "message.completed",
    {
      messageId: marker(1),
      role: "assistant",
      model: marker(2),
      blocks: [
        { type: "text", text: marker(3) },
        { type: "thinking", text: marker(4), signature: marker(5) },
      ],
    },
    origin,
  );
  const done = event(
    "tool.completed",
    {
      toolCallId: "c",
      isError: false,
      result: [{ type: "image", data: marker(6) }],
      detail: { content: [{ type: "text", text: marker(7) }] },
    },
    origin,
  );
  const injected = event(
    "message.completed",
    { messageId: "m", role: "user", injected: "harness", blocks: [{ type: "text", text: marker(8) }] },
    origin,
  );
  const cut = event("status.changed", { status: "compacted", context: [injected] }, origin);
  const first = [...axesIn([message, done, cut], MARKER)].map(([hit, [axis]]) => [hit, axis]);
  expect(Object.fromEntries(first)).toEqual({
    [marker(1)]: "ids",
    [marker(2)]: "models",
    [marker(3)]: "messages",
    [marker(4)]: "thinking",
    [marker(5)]: "opaque-reasoning",
    [marker(6)]: "images",
    [marker(7)]: "tool-details",
    [marker(8)]: "injected-context",
  });
});

test("what is lost of a branch may be told as a loss of the branch", () => {
  const words = "zq00000001qz";
  const said = event(
    "message.completed",
    { messageId: "m", role: "user", blocks: [{ type: "text", text: words }] },
    { origin: [], branch: "b" },
  );
  expect(Object.fromEntries(axesIn([said], MARKER))).toEqual({ [words]: ["messages", "branches"] });
});
