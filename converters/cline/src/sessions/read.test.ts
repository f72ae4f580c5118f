import { expect, test } from "vitest";
import { answer, ID, manifest, model, read, store, told, use, user } from "../../test-kit/session.js";

test("a person's words are told as they are sent: without their marks", async () => {
  expect(
    await told({
      messages: [
        user('<user_input mode="act"> Fix it </user_input>'),
        user('<mode_notice>The user switched.</mode_notice>\n<user_input mode="plan">Plan it</user_input>'),
        user('<user_command slash="team">Do: it</user_command>'),
        model([{ type: "text", text: " as it is " }]),
      ],
    }),
  ).toEqual([
    "user: Fix it",
    '{"mode":"plan"}',
    "user: <mode_notice>The user switched.</mode_notice>\nPlan it [Plan it]",
    "user: Do: it [/team Do: it]",
    "assistant:  as it is ",
  ]);
});

test("a file beside a prompt is told as it is sent, and not shown", async () => {
  expect(
    await told({
      messages: [
        user([
          { type: "text", text: "See" },
          { type: "file", path: "/a", content: "x" },
        ]),
      ],
    }),
  ).toEqual(['user: See | <file_content path="/a">\nx\n</file_content> [See]']);
});

test("results: texts and pictures as such, anything else as JSON with its pictures behind it", async () => {
  const picture = { type: "image", data: "AAAA", mediaType: "image/png" };
  expect(
    await told({
      messages: [
        model([use("a"), use("b"), use("c"), use("d")]),
        user([answer("a", "plain")]),
        user([answer("b", [{ type: "text", text: "one" }, picture])]),
        user([answer("c", [{ query: "q", result: "r", shot: picture }])]),
        user([answer("d", [{ type: "text", text: "no" }], { is_error: true })]),
      ],
    }),
  ).toEqual([
    "assistant: read_files#a | read_files#b | read_files#c | read_files#d",
    "result a: plain",
    "result b: one | <image>",
    'result c: [{"query":"q","result":"r","shot":"[image attached]"}] | <image>',
    'result d failed: ["no"]',
  ]);
});

test("a call without a result gets the program's words for it; a late result is told at its place", async () => {
  expect(
    await told({
      messages: [
        model([use("a"), use("b")]),
        user("and?"),
        user([answer("b", "late")]),
        model([use("a")]),
        user([answer("zz", "nobody's")]),
      ],
    }),
  ).toEqual([
    "assistant: read_files#a | read_files#b",
    "result a failed: Tool execution was interrupted before a result was produced. Tool: read_files.",
    "result b: late",
    "user: and?",
    "? cline.result duplicate",
    expect.stringMatching(/^assistant: read_files#a@m\d+$/),
    "result zz: nobody's",
    expect.stringMatching(/^result a@m\d+ failed: Tool execution/),
  ]);
});

test("what is marked as shown only is not sent", async () => {
  expect(
    await told({
      messages: [
        user("hi"),
        model([{ type: "text", text: "400" }], { metadata: { displayOnly: true, displayRole: "error" } }),
      ],
    }),
  ).toEqual(["user: hi", "assistant (user): <error>"]);
});

const summary = user("Context summary:\n\nall", { metadata: { kind: "compaction_summary" } });

test("a compaction holds by the id of the last message that it stands for", async () => {
  const messages = [user("one"), model([{ type: "text", text: "two" }]), user("three")];
  const state = { version: 1, source_message_count: 2, messages: [summary] };
  const at = (key: unknown) => ({ messages, compaction: { ...state, source_last_message_key: `id:${key}` } });
  expect(await told(at(messages[1]?.id))).toEqual([
    "user: one",
    "assistant: two",
    "compacted",
    "  user (summary): Context summary:\n\nall",
    "user: three",
  ]);
  expect(await told(at("other"))).toEqual([
    "user: one",
    "assistant: two",
    "user: three",
    "? cline.compaction superseded",
  ]);
});

test("thoughts with what binds them, and models with who serves them", async () => {
  const { events } = await read(
    store({
      messages: [
        model(
          [
            { type: "thinking", thinking: "hm", signature: "s", details: [1] },
            { type: "redacted_thinking", data: "xyz" },
          ],
          { modelInfo: { id: "gpt-9", provider: "openai" }, metrics: { inputTokens: 3, cost: 0.5 } },
        ),
      ],
    }),
  );
  expect(events.at(-1)?.payload).toMatchObject({
    blocks: [
      { type: "thinking", text: "hm", signature: "s" },
      { type: "unknown", nativeType: "cline.reasoning_details", value: [1] },
      { type: "unknown", nativeType: "cline.redacted_thinking", value: "xyz" },
    ],
    model: "openai/gpt-9",
    usage: { inputTokens: 3, costUsd: 0.5 },
  });
});

test("a list alone, a byte order mark, a file that is cut off, and one that is no JSON", async () => {
  const said = [user("one"), user("two")];
  expect(await told({ text: JSON.stringify(said) })).toEqual(["user: one", "user: two"]);
  expect(await told({ text: `\uFEFF${JSON.stringify({ messages: said })}` })).toEqual([
    "user: one",
    "user: two",
  ]);
  const cut = JSON.stringify({ sessionId: ID, messages: said }).slice(0, -20);
  expect(await told({ text: cut })).toEqual(["user: one", "? raw torn-tail"]);
  expect(await told({ text: "<html>" })).toEqual(["? raw unparsable"]);
});

test("what is no message is told of, and keys of others change nothing", async () => {
  expect(
    await told({
      text: '{"messages":[{"role":"user","content":"hi","__proto__":{"polluted":1},"x":[[]]},{"role":"tool"},{"role":"user","content":7}]}',
    }),
  ).toEqual(["user: hi", "? cline.message no-counterpart", "user: "]);
  expect("polluted" in {}).toBe(false);
});

test("a title that is not the first prompt was given by a person; a fork says where it comes from", async () => {
  const messages = [user("second question")];
  const titled = async (title: string, more = {}) =>
    (await read(store({ messages, manifest: manifest({ metadata: { title, ...more } }) }))).ref;
  expect(await titled("second question")).toMatchObject({ titleFrom: "prompt" });
  expect(await titled("My work")).toMatchObject({ title: "My work", titleFrom: "user" });
  expect(await titled("second question (fork)", { fork: { forkedFromSessionId: "x" } })).toMatchObject({
    titleFrom: "agent",
    parent: { id: "x", relation: "fork" },
  });
});
