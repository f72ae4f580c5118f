import type { Block, EventOf, SessionEvent } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { CWD, ROOT, read, shortly, written } from "../../test-kit/session.js";
import { sessionFolder } from "../layout.js";

const origin = [{ record: 0, file: 0, offset: 0, length: 1 }];
const time = "2026-11-30T10:00:01.000Z";
let n = 0;

const started: SessionEvent = {
  type: "session.started",
  payload: { nativeSessionId: "foreign", cwd: CWD },
  origin,
};

type Payload = EventOf<"message.completed">["payload"];

function message(
  role: "user" | "assistant" | "system",
  content: string | Block[],
  more: Partial<Payload> = {},
  place: Partial<Pick<SessionEvent, "branch" | "branchFrom" | "nativeId">> = {},
): SessionEvent {
  const messageId = place.nativeId ?? `m${n++}`;
  const blocks: Block[] = typeof content === "string" ? [text(content)] : content;
  return {
    type: "message.completed",
    payload: { messageId, role, blocks, ...more },
    nativeId: messageId,
    time,
    origin,
    ...place,
  };
}

const result = (toolCallId: string, words: string, isError = false): SessionEvent => ({
  type: "tool.completed",
  payload: { toolCallId, result: words === "" ? [] : [text(words)], isError },
  time,
  origin,
});

const text = (words: string): Block => ({ type: "text", text: words });
const call = (toolCallId: string, args: unknown = { path: "a" }): Block => ({
  type: "tool-call",
  toolCallId,
  name: "Read",
  arguments: args,
});

/** What is put into the journal, and what is read of it again. */
async function through(...events: SessionEvent[]): Promise<{ inside: object[]; again: string[] }> {
  const { lines, files } = await written([started, ...events]);
  const again = (await read(files)).events.flatMap(shortly);
  return {
    inside: lines.map(({ message: said, event, ...rest }) => ({ ...rest, ...(said ?? event ?? {}) })),
    again,
  };
}

const finishes = (lines: readonly object[]) => lines.filter((line) => "finishReason" in line);

test("the journal is where the program looks, and its name, folder and source stand beside", async () => {
  const { lines, state, files } = await written([started, message("user", "hi")], {
    title: "A name",
    titleFrom: "user",
  });
  const id = String(state.id);
  expect(id).toMatch(/^session_[0-9a-f-]{36}$/);
  expect([...files.keys()]).toEqual([
    `${ROOT}/${sessionFolder(CWD, id)}/agents/main/wire.jsonl`,
    `${ROOT}/${sessionFolder(CWD, id)}/state.json`,
  ]);
  expect(state).toMatchObject({
    version: 2,
    cwd: CWD,
    title: "A name",
    titleKind: "custom",
    isCustomTitle: true,
    agents: { main: { type: "main", homedir: `${ROOT}/${sessionFolder(CWD, id)}/agents/main` } },
    custom: { asp: { converted_from: { harness: "sample", session_id: "foreign" } } },
  });
  expect(lines[0]).toEqual({
    type: "metadata",
    protocol_version: "1.5",
    created_at: Date.parse("2026-11-30T10:00:00.000Z"),
  });
  // What stands in one would be all that its model is told of its task.
  expect(lines.some(({ type }) => type === "profile.bind")).toBe(false);
});

test("an answer is a step: parts, calls, results, its end, counts and model", async () => {
  const { inside, again } = await through(
    message("user", "do"),
    message("assistant", [{ type: "thinking", text: "hm" }, text("so"), call("a"), call("b", "free")], {
      model: "m-1",
      usage: { inputTokens: 3, outputTokens: 2, cacheReadTokens: 1 },
    }),
    result("a", "1"),
    result("b", "2"),
    message("assistant", "done"),
  );
  expect(inside.slice(2)).toMatchObject([
    { type: "step.begin", asp: { model: "m-1" } },
    { type: "content.part", part: { type: "think", think: "hm" } },
    { type: "content.part", part: { type: "text", text: "so" } },
    { type: "tool.call", toolCallId: "a", args: { path: "a" } },
    { type: "tool.call", toolCallId: "b", args: { input: "free" } },
    { type: "tool.result", toolCallId: "a", result: { output: "1" } },
    { type: "tool.result", toolCallId: "b", result: { output: "2" } },
    {
      type: "step.end",
      finishReason: "tool_use",
      usage: { inputOther: 3, output: 2, inputCacheRead: 1, inputCacheCreation: 0 },
    },
    { type: "step.begin" },
    { type: "content.part" },
    { type: "step.end", finishReason: "end_turn" },
  ]);
  expect(again).toEqual([
    "user: do",
    "assistant: <thinking hm> | so | Read#a | Read#b",
    "result a: 1",
    "result b: 2",
    "assistant: done",
  ]);
});

test("a call that nothing answers ends with its step; an id that comes again is another one", async () => {
  const { inside, again } = await through(
    message("user", "do"),
    message("assistant", [call("a")]),
    message("user", "stop"),
    message("assistant", [call("a")]),
    result("a", "1"),
    result("none", "2"),
  );
  expect(finishes(inside)).toHaveLength(2);
  expect(again.map((line) => line.slice(0, 20))).toEqual([
    "user: do",
    "assistant: Read#a",
    "result a failed: <sy",
    "user: stop",
    "assistant: Read#a__2",
    "result a__2: 1",
  ]);
});

test.each([
  [
    "the program's own words",
    "<system>ERROR: Tool execution failed.</system>\nno",
    { output: "no", isError: true },
    {},
  ],
  ["other words", "no", { output: "no" }, { asp: { error: true } }],
])("a failed result keeps %s", async (_, words, inside, mark) => {
  const events = [message("user", "do"), message("assistant", [call("a")]), result("a", words, true)];
  const { inside: lines, again } = await through(...events);
  expect(lines.find((line) => "result" in line)).toMatchObject({ result: inside, ...mark });
  expect(again.at(-1)).toBe(`result a failed: ${words}`);
});

test("of two messages in a row the second is none of a person's to the program, so that it stays one", async () => {
  const { inside, again } = await through(
    message("user", "one"),
    message("user", "two"),
    message("user", "three"),
  );
  expect(inside.slice(1).map((line) => ("origin" in line ? line.origin : undefined))).toEqual([
    { kind: "user" },
    undefined,
    { kind: "user" },
  ]);
  expect(again).toEqual(["user: one", "user: two", "user: three"]);
});

test("what nobody typed is told to the model, and is read again as what it was", async () => {
  const { inside, again } = await through(
    message("user", "a", { injected: "skill" }),
    message("user", "b", { injected: "harness" }),
    message("system", "c"),
    message("user", "d", { kind: "summary", audience: ["assistant"] }),
    message("assistant", [{ type: "error", message: "e" }], { audience: ["user"] }),
  );
  expect(inside.slice(1)).toMatchObject(Array(3).fill({ origin: { kind: "system_trigger", name: "asp" } }));
  expect(again).toEqual(["user (skill): a", "system: c", "user (summary assistant): d"]);
});

describe("a compaction", () => {
  const talk = [
    message("user", "one", {}, { nativeId: "u1" }),
    message("assistant", "first", {}, { nativeId: "a1" }),
    message("user", "two", {}, { nativeId: "u2" }),
  ];
  const summary = message("user", "Before: S", { kind: "summary" });
  const compacted = (...context: SessionEvent[]): SessionEvent => ({
    type: "status.changed",
    payload: { status: "compacted", context },
    time,
    origin,
  });

  test("keeps the summary's words, and the last messages where they stand", async () => {
    const { inside, again } = await through(
      ...talk,
      compacted(summary, talk[2] as SessionEvent),
      message("user", "on"),
    );
    expect(inside.filter((line) => "count" in line)).toMatchObject([
      { type: "context.apply_compaction", count: 2 },
    ]);
    expect(again.slice(-4)).toEqual([
      "compacted",
      "  user (summary assistant): Before: S",
      "  user: two",
      "user: on",
    ]);
  });

  test("tells once more what stands nowhere so", async () => {
    const { again } = await through(
      ...talk,
      compacted(summary, message("user", "other"), message("assistant", [call("a")]), result("a", "1")),
      message("user", "on"),
    );
    expect(again.slice(-6)).toEqual([
      "compacted",
      "  user (summary assistant): Before: S",
      "  user: other",
      "  assistant: Read#a",
      "  result a: 1",
      "user: on",
    ]);
  });

  test("that leaves nothing clears", async () => {
    const { inside, again } = await through(...talk, compacted(), message("user", "on"));
    expect(inside).toContainEqual(expect.objectContaining({ type: "context.clear" }));
    expect(again.slice(-2)).toEqual(["compacted", "user: on"]);
  });
});

test("a branch hangs on its line at the end, and the talk goes on without it", async () => {
  const { inside, again } = await through(
    message("user", "one", {}, { nativeId: "u1" }),
    message("assistant", "first", {}, { nativeId: "a1" }),
    message("user", "two"),
    message("user", "aside", {}, { branch: "b", branchFrom: "a1" }),
    message("assistant", "there", {}, { branch: "b" }),
  );
  expect(inside.filter((line) => "branch" in line)).toMatchObject([
    // After the answer's last line.
    { branch: "asp-1", base: { branch: "main", line: 5 } },
    { branch: "asp-end", base: { branch: "main", line: 6 } },
  ]);
  expect(again.filter((line) => line !== "rewound")).toEqual([
    "user: one",
    "assistant: first",
    "user: two",
    "[aside] user: aside",
    "[aside] assistant: there",
  ]);
});

test("pictures go along by their bytes or their address; a document's words do, its bytes do not", async () => {
  const { inside } = await through(
    message("user", [
      { type: "image", mimeType: "image/png", data: "QUJD" },
      { type: "image", uri: "https://example.com/a.png" },
      { type: "image", uri: "file:///a.png" },
      { type: "reference", uri: "a.txt", text: "words" },
      { type: "reference", uri: "a.pdf", mediaType: "application/pdf", data: "QUJD" },
    ]),
  );
  expect(inside[1]).toMatchObject({
    content: [
      { type: "image_url", imageUrl: { url: "data:image/png;base64,QUJD" } },
      { type: "image_url", imageUrl: { url: "https://example.com/a.png" } },
      { type: "text", text: "words" },
    ],
  });
});
