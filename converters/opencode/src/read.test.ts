import { join } from "node:path";
import { type Files, loadFixture, talkOf } from "@asp-convert/conformance/toolbox";
import type { SessionEvent } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import * as kit from "../test-kit/store.js";

const { answer, done, read, store, text, tool, user } = kit;

const messages = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "message.completed" ? [event] : []));
const results = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "tool.completed" ? [event.payload] : []));
const said = (events: readonly SessionEvent[]) => talkOf(events).map(({ kind, key }) => `${kind}: ${key}`);
const readSaid = async (...all: readonly kit.Said[]) => (await read(await store({ said: all }))).events;

describe("the order of things", () => {
  test("messages by their time, parts by their ids, whatever else they say", async () => {
    const events = await readSaid(
      { ...user("msg_9", "first"), at: 1 },
      { ...answer("msg_1", [text("b", { id: "prt_b" }), text("a", { id: "prt_a" })]), at: 2 },
    );
    expect(said(events)).toEqual(["user: first", "assistant: a", "assistant: b"]);
  });

  test("a `step-start` begins a message of its own: texts before and after a call do not melt together", async () => {
    const step = { type: "step-start" };
    const parts = [
      step,
      text("before"),
      done("c1", "r1"),
      step,
      text("between"),
      done("c2", "r2"),
      step,
      text("after"),
    ];
    const apart = await readSaid(user("msg_1", "go"), answer("msg_2", parts));
    expect(said(apart)).toEqual([
      "user: go",
      "assistant: before",
      'call: #0 bash {"command":"ls"}',
      "result: #0 ok r1",
      "assistant: between",
      'call: #1 bash {"command":"ls"}',
      "result: #1 ok r2",
      "assistant: after",
    ]);
    // Without the marks the program sends all texts first, and then the calls; as one message.
    const glued = await readSaid(
      user("msg_1", "go"),
      answer(
        "msg_2",
        parts.filter((part) => part !== step),
      ),
    );
    expect(messages(glued).filter(({ payload }) => payload.role === "assistant")).toHaveLength(1);
  });
});

describe("what the model is sent of a call", () => {
  test("its output, its error, what was pruned, and that it was never answered", async () => {
    const events = await readSaid(
      user("msg_1", "go"),
      answer("msg_2", [
        done("c1", "fine"),
        tool("c2", { status: "error", error: "no such file" }),
        done("c3", "long", { time: { start: 1, end: 2, compacted: 3 } }),
        tool("c4", { status: "running" }),
        done("c5", "seen", {
          attachments: [{ type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" }],
        }),
      ]),
    );
    expect(results(events).map(({ result, isError, synthetic }) => [result, isError, synthetic])).toEqual([
      [[{ type: "text", text: "fine" }], false, undefined],
      [[{ type: "text", text: "no such file" }], true, undefined],
      [[{ type: "text", text: "[Old tool result content cleared]" }], false, undefined],
      [[{ type: "text", text: "[Tool execution was interrupted]" }], true, true],
      [
        [
          { type: "text", text: "seen" },
          { type: "image", mimeType: "image/png", data: "AAAA" },
        ],
        false,
        undefined,
      ],
    ]);
  });
});

describe("what is not sent", () => {
  test("an answer that failed is shown only; one that was stopped counts if something was said", async () => {
    const error = { name: "APIError", data: { message: "overloaded" } };
    const aborted = { name: "MessageAbortedError", data: { message: "Aborted" } };
    const events = await readSaid(
      user("msg_1", "go"),
      answer("msg_2", "half", { error }),
      answer("msg_3", "stopped here", { error: aborted, finish: undefined }),
      answer("msg_4", [], { error: aborted, finish: undefined }),
    );
    expect(messages(events).map(({ payload }) => [payload.audience, payload.stopReason])).toEqual([
      [undefined, undefined],
      [["user"], "stop"],
      [undefined, "aborted"],
      [["user"], "aborted"],
    ]);
    expect(said(events)).toEqual(["user: go", "assistant: stopped here"]);
  });

  test("texts that were only shown; texts that the program put there are nobody's words", async () => {
    const events = await readSaid(
      user("msg_1", [
        text("typed"),
        text("Called the Read tool with the following input: {}", { synthetic: true }),
        text("only shown", { ignored: true }),
      ]),
    );
    expect(messages(events).map(({ payload }) => [payload.injected, payload.audience])).toEqual([
      [undefined, undefined],
      ["tool", undefined],
      [undefined, ["user"]],
    ]);
  });
});

describe("compaction", () => {
  const asked = (more: object = {}) => user("msg_3", [{ type: "compaction", auto: true, ...more }]);
  const summary = answer("msg_4", "all of it", { parentID: "msg_3", summary: true, mode: "compaction" });
  const before = [user("msg_1", "one"), answer("msg_2", "two")];

  test("the question and the summary take the place of what was said", async () => {
    const events = await readSaid(...before, asked(), summary, user("msg_5", "three"));
    expect(said(events)).toEqual(["user: What did we do so far?", "assistant: all of it", "user: three"]);
    const [compacted] = events.filter(({ type }) => type === "status.changed");
    expect(compacted?.payload).toMatchObject({ status: "compacted", trigger: "auto" });
  });

  test("what it keeps by name stands after the summary", async () => {
    const events = await readSaid(...before, asked({ tail_start_id: "msg_1" }), summary);
    expect(said(events).slice(2)).toEqual(["user: one", "assistant: two"]);
  });

  test("one that came to nothing is a question like any other", async () => {
    expect(said(await readSaid(...before, asked(), user("msg_5", "three")))).toEqual([
      "user: one",
      "assistant: two",
      "user: What did we do so far?",
      "user: three",
    ]);
  });
});

test("what an undo took back is a branch, from the message that it went back to", async () => {
  const revert = JSON.stringify({ messageID: "msg_3" });
  const all = [
    user("msg_1", "one"),
    answer("msg_2", "two"),
    user("msg_3", "undone"),
    answer("msg_4", "gone"),
  ];
  const { events } = await read(await store({ row: { revert }, said: all }));
  expect(said(events)).toEqual(["user: one", "assistant: two"]);
  const aside = messages(events).filter(({ branch }) => branch !== undefined);
  expect(aside.map(({ nativeId, branchFrom }) => [nativeId, branchFrom])).toEqual([
    ["msg_3", "msg_2"],
    ["msg_4", undefined],
  ]);
});

test("reasoning keeps its signature for its own vendor, and what nobody can read beside it", async () => {
  const events = await readSaid(
    user("msg_1", "go"),
    answer("msg_2", [
      { type: "reasoning", text: "signed", metadata: { anthropic: { signature: "sig" } } },
      {
        type: "reasoning",
        text: "sealed",
        metadata: { openai: { itemId: "rs_1", reasoningEncryptedContent: "x" } },
      },
    ]),
  );
  expect(messages(events)[1]?.payload.blocks).toEqual([
    { type: "thinking", text: "signed", signature: "sig" },
    { type: "thinking", text: "sealed" },
    {
      type: "unknown",
      nativeType: "opencode.metadata",
      value: { openai: { itemId: "rs_1", reasoningEncryptedContent: "x" } },
    },
  ]);
});

test("todos are the plan as it is last", async () => {
  const todos = [
    { content: "a", status: "completed", priority: "high" },
    { content: "b", status: "cancelled" },
  ];
  const { events } = await read(await store({ said: [user("msg_1", "go")], todos }));
  expect(events.find(({ type }) => type === "task.updated")?.payload).toEqual({
    plan: [
      { content: "a", status: "completed", priority: "high" },
      { content: "b", status: "completed", priority: "medium" },
    ],
  });
});

test("model, agent and effort where they change, and no more than that", async () => {
  const model = { providerID: "mock", modelID: "mock-1" };
  const events = await readSaid(
    user("msg_1", "a"),
    user("msg_2", "b"),
    user("msg_3", "c", { agent: "plan", model: { ...model, variant: "high" } }),
  );
  expect(events.flatMap(({ type, payload }) => (type === "capabilities.changed" ? [payload] : []))).toEqual([
    { settings: { model: "mock/mock-1", mode: "build" } },
    { settings: { mode: "plan", thought_level: "high" } },
  ]);
});

test("what cannot be read is raw, and the rest is read all the same", async () => {
  const files = await store({
    said: [
      user("msg_1", "one"),
      { id: "msg_2", data: { role: "narrator" }, parts: [] },
      user("msg_3", "two"),
    ],
    rows: [
      {
        table: "message",
        row: {
          id: "msg_x",
          session_id: kit.SESSION,
          time_created: kit.START + 9000,
          time_updated: 0,
          data: "{torn",
        },
      },
      {
        table: "part",
        row: {
          id: "prt_x",
          message_id: "msg_gone",
          session_id: kit.SESSION,
          time_created: 0,
          time_updated: 0,
          data: '{"type":"text","text":"orphan"}',
        },
      },
    ],
  });
  const { events } = await read(files);
  expect(said(events)).toEqual(["user: one", "user: two"]);
  expect(events.flatMap(({ type, payload }) => (type === "unknown.observed" ? [payload] : []))).toMatchObject(
    [
      { nativeType: "opencode.session" },
      { nativeType: "opencode.role", axis: "messages" },
      { axis: "raw", reason: "unparsable" },
      { axis: "side-records", reason: "dangling-parent" },
    ],
  );
});

describe("other forms of the same", () => {
  const info = {
    slug: "s",
    directory: "/home/dev/demo",
    title: "T",
    version: "1.18.33",
    time: { created: 1, updated: 2 },
  };

  test("an export says what the rows say; a torn one as far as it goes", async () => {
    const message = (id: string, role: string, words: string) => ({
      info: { id, role, sessionID: kit.SESSION, time: { created: 1 } },
      parts: [{ id: `prt_${id}`, type: "text", text: words, messageID: id }],
    });
    const whole = JSON.stringify(
      {
        info: { id: kit.SESSION, ...info },
        messages: [message("msg_1", "user", "one"), message("msg_2", "assistant", "two")],
      },
      null,
      2,
    );
    const path = "/exported/one.json";
    const of = async (json: string) => read(new Map([[path, Buffer.from(json)]]) as Files, path);
    expect(said((await of(whole)).events)).toEqual(["user: one", "assistant: two"]);
    const torn = await of(whole.slice(0, whole.lastIndexOf('"text": "two"')));
    expect(said(torn.events)).toEqual(["user: one"]);
    expect(
      torn.events.some(({ type, payload }) => type === "unknown.observed" && payload.axis === "raw"),
    ).toBe(true);
  });

  test("the JSON tree of 1.1 is read from all its files", async () => {
    const fixture = await loadFixture(
      join(import.meta.dirname, "../../../fixtures/opencode/legacy-json/home/.local/share/opencode"),
      "legacy-json",
    );
    const { events, ref } = await read(fixture.files, fixture.root);
    expect(messages(events).length).toBe(ref.messages);
    expect(events.some(({ type }) => type === "task.updated")).toBe(true);
  });
});
