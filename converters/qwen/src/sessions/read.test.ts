import { describe, expect, test } from "vitest";
import { call, listed, model, read, result, store, system, user } from "../../test-kit/session.js";

const talk = [
  user("1", undefined, "go"),
  model("2", "1", { text: "hm", thought: true }, { text: "Reading." }, call("c")),
  result("3", "2", "c", "41"),
];

test("thoughts, words and calls of one answer, and the result of the call", async () => {
  const { told, ref } = await read(
    ...talk,
    system("4", "3", "custom_title", { customTitle: "Mine", titleSource: "manual" }),
  );
  expect(told).toEqual([
    "user: go",
    "assistant: <thinking hm> | Reading. | read_file#c",
    "result c: 41",
    "title: Mine",
  ]);
  expect(ref).toMatchObject({
    title: "Mine",
    titleFrom: "user",
    cwd: "/home/dev/demo",
    messages: 2,
    model: "qwen3",
  });
});

test("the last title counts; what the program made up is no person's", async () => {
  const { ref } = await read(
    ...talk,
    system("4", "3", "custom_title", { customTitle: "Mine", titleSource: "manual" }),
    system("5", "4", "custom_title", { customTitle: "Made up", titleSource: "auto" }),
  );
  expect(ref).toMatchObject({ title: "Made up", titleFrom: "agent" });
});

test("a call that nothing answered gets the words that the program sends for it", async () => {
  const { told, losses } = await read(...talk.slice(0, 2), user("3", "2", "and?"));
  expect(told[2]).toMatch(/^result c failed: Tool execution result was not recorded/);
  expect(losses).toContain("tool-results not-in-source missing-result 1");
});

test("what leads to the last record is the talk, anything else a branch", async () => {
  const { told } = await read(...talk, user("b", "1", "aside"), user("4", "3", "on"));
  expect(told).toEqual([
    "user: go",
    "assistant: <thinking hm> | Reading. | read_file#c",
    "result c: 41",
    "user: on",
    "[b<1] user: aside",
  ]);
});

test("a lost record is no reason to lose the talk before it, as the program does", async () => {
  const { told, losses } = await read(...talk, user("5", "gone", "on"));
  expect(told.at(-1)).toBe("user: on");
  expect(told).toHaveLength(4);
  expect(losses).toContain("messages partial dangling-parent 1");
});

test("a compaction leaves what it says", async () => {
  const compressedHistory = [
    { role: "user", parts: [{ text: "So far." }] },
    { role: "model", parts: [{ text: "Yes." }] },
  ];
  const { told } = await read(
    ...talk,
    system("4", "3", "chat_compression", { info: {}, compressedHistory }),
    user("5", "4", "on"),
  );
  expect(told.slice(3)).toEqual(["compacted", "  user (summary): So far.", "  assistant: Yes.", "user: on"]);
});

test("what a background agent says when it is done is nobody's words", async () => {
  const done = user("4", "3", "<task>done</task>", {
    subtype: "notification",
    systemPayload: { displayText: "Agent is done" },
  });
  expect((await read(...talk, done)).told.at(-1)).toBe("user (notice): <task>done</task>");
});

describe("bytes that are no records", () => {
  test("are kept apart, and what stands beside them is read", async () => {
    const { told } = await read(...talk, '{"uuid":"4","parentUuid":"3","type":"us');
    expect(told).toHaveLength(3);
  });

  test("alone are no session", async () => {
    expect(await listed(store())).toEqual([]);
  });
});
