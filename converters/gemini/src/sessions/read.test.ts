import { expect, test } from "vitest";
import {
  CONTEXT,
  call,
  head,
  model,
  note,
  read,
  response,
  store,
  told,
  user,
} from "../../test-kit/session.js";

test("a later record of an id replaces the one before it, where that stood", async () => {
  expect(
    await told(
      head(),
      user("1", "go"),
      model("2", "Reading."),
      { $set: { lastUpdated: "2026-11-30T10:00:02.000Z" } },
      model("2", "Reading.", { toolCalls: [call("c", [response("c", "41")])] }),
      user("3", "thanks"),
    ),
  ).toEqual(["user: go", "assistant: Reading. | read_file#c", "result c: 41", "user: thanks"]);
});

test("a result that is written twice is told once; one that only the person's record has is told from there", async () => {
  const calls = [call("c", [response("c", "41")]), call("d")];
  expect(
    await told(
      head(),
      user("1", "go"),
      model("2", "", { toolCalls: calls }),
      user("3", [response("c", "41"), response("d", "42")]),
    ),
  ).toEqual(["user: go", "assistant: read_file#c | read_file#d", "result c: 41", "result d: 42"]);
});

test("a result that comes late is told at its call; a call without one is answered by words that say so", async () => {
  const { events, losses } = await read(
    store(
      head(),
      user("1", "go"),
      model("2", "", { toolCalls: [call("c"), call("d")] }),
      model("3", "Hm."),
      user("4", [response("c", "late")]),
    ),
  );
  expect(events.map(({ type }) => type).slice(1, 6)).toEqual([
    "message.completed",
    "message.completed",
    "tool.completed",
    "tool.completed",
    "message.completed",
  ]);
  expect(events[3]).toMatchObject({ payload: { toolCallId: "c", result: [{ text: "late" }] } });
  expect(events[4]).toMatchObject({ payload: { toolCallId: "d", synthetic: true, isError: true } });
  expect(losses).toEqual(["tool-results not-in-source missing-result 1"]);
});

test("errors and cancelled calls failed; a picture beside a result belongs to it", async () => {
  const picture = { inlineData: { mimeType: "image/png", data: "AAAA" } };
  expect(
    await told(
      head(),
      user("1", "go"),
      model("2", "", {
        toolCalls: [
          call("c", [{ functionResponse: { id: "c", name: "read_file", response: { error: "no" } } }], {
            status: "error",
          }),
          call("d", [response("d", "see"), picture]),
          call("e", "a text alone"),
        ],
      }),
    ),
  ).toEqual([
    "user: go",
    "assistant: read_file#c | read_file#d | read_file#e",
    "result c failed: no",
    "result d: see | <image>",
    "result e: a text alone",
  ]);
});

test("$rewindTo takes back a message and all after it; an id that is not there takes back everything", async () => {
  expect(
    await told(
      head(),
      user("1", "a"),
      model("2", "b"),
      user("3", "c"),
      model("4", "d"),
      { $rewindTo: "3" },
      user("5", "e"),
    ),
  ).toEqual(["user: a", "assistant: b", "rewound", "user: e", "[4<2] user: c", "[4<] assistant: d"]);
  expect(await told(head(), user("1", "a"), { $rewindTo: "nobody" }, user("2", "b"))).toEqual([
    "rewound",
    "user: b",
    "[1<] user: a",
  ]);
});

test("a list that says the same goes on; what it says otherwise holds", async () => {
  const first = [user("1", "a"), model("2", "b", { tokens: { input: 3 } })];
  const { events } = await read(
    store(
      head(),
      ...first,
      { $set: { messages: [CONTEXT, user("1", "a"), model("2", [{ text: "B" }], { tokens: undefined })] } },
      user("3", "c"),
    ),
  );
  const messages = events.filter((event) => event.type === "message.completed");
  expect(messages.map(({ payload }) => payload.blocks)).toMatchObject([
    [{ text: "a" }],
    [{ text: "B" }],
    [{ text: expect.stringContaining("session_context") }],
    [{ text: "c" }],
  ]);
  expect(messages[1]?.payload.usage).toEqual({ inputTokens: 3 });
});

test("another list replaces what was said, with its summary", async () => {
  expect(
    await told(
      head(),
      user("1", "a"),
      model("2", "b"),
      {
        $set: {
          messages: [
            CONTEXT,
            user("5", "<state_snapshot>s</state_snapshot>"),
            model("6", [{ text: "Got it." }]),
          ],
        },
      },
      user("7", "c"),
    ),
  ).toEqual([
    "user: a",
    "assistant: b",
    "compacted",
    "  user (summary): <state_snapshot>s</state_snapshot>",
    "  assistant: Got it.",
    "user: c",
  ]);
});

test("a list that is cut short takes back; one that begins later forgets what was before", async () => {
  const all = [user("1", "a"), model("2", "b"), user("3", "c")];
  expect(await told(head(), ...all, { $set: { messages: all.slice(0, 2) } }, user("4", "d"))).toEqual([
    "user: a",
    "assistant: b",
    "rewound",
    "user: d",
    "[3<2] user: c",
  ]);
  expect(await told(head(), ...all, { $set: { messages: all.slice(2) } }, user("4", "d"))).toEqual([
    "user: a",
    "assistant: b",
    "compacted",
    "user: c",
    "user: d",
  ]);
});

test("a start that emptied the list changes nothing until something is said", async () => {
  const empty = { $set: { messages: [CONTEXT] } };
  expect(await told(head(), user("1", "a"), head(), empty)).toEqual(["user: a"]);
  expect(await told(head(), user("1", "a"), head(), empty, user("2", "b"))).toEqual([
    "user: a",
    "compacted",
    "user: b",
  ]);
  expect(
    await told(
      head(),
      user("1", "a"),
      empty,
      { $set: { messages: [CONTEXT, user("1", "a")] } },
      user("2", "b"),
    ),
  ).toEqual(["user: a", expect.stringContaining("harness"), "user: b"]);
});

test("what the program leaves out when it resumes is shown and not sent", async () => {
  expect(
    await told(
      head(),
      user("1", "/help"),
      user("2", "?"),
      user("3", [{ text: "<session_context>x</session_context>" }, { text: "first" }]),
      note("4", "error", "quota"),
      note("5", "info", "saved"),
      user("6", "go"),
    ),
  ).toEqual([
    "user (user): /help",
    "user (user): ?",
    expect.stringContaining("user (harness assistant): <session_context>"),
    "user (user): first",
    "assistant (user): <error>",
    "user: go",
  ]);
});

test("thoughts, and what binds a part to them", async () => {
  const { events } = await read(
    store(
      head(),
      user("1", "go"),
      model("2", "Yes.", {
        thoughts: [{ subject: "Plan", description: "first this", timestamp: "2026-11-30T10:00:01.000Z" }],
      }),
      model("3", [{ functionCall: { id: "c", name: "f", args: {} }, thoughtSignature: "c2ln" }], {
        toolCalls: [call("c", [response("c", "1")])],
      }),
    ),
  );
  expect(events[2]).toMatchObject({
    payload: { blocks: [{ type: "thinking", text: "**Plan** first this" }, { text: "Yes." }] },
  });
  expect(events[3]).toMatchObject({
    payload: {
      blocks: [
        { type: "tool-call", toolCallId: "c" },
        { type: "unknown", nativeType: "gemini.thought_signature", value: "c2ln" },
      ],
    },
  });
});

test("the title is the last one that was given", async () => {
  const { ref, events } = await read(
    store(head(), user("1", "go"), { $set: { summary: "One" } }, { $set: { summary: "Two" } }),
  );
  expect(ref).toMatchObject({ title: "Two", titleFrom: "agent" });
  expect(events.filter(({ type }) => type === "session.bound").map(({ payload }) => payload)).toEqual([
    { title: "One", titleBy: "agent" },
    { title: "Two", titleBy: "agent" },
  ]);
});
