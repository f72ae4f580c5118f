import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  answer,
  answers,
  begin,
  calls,
  end,
  FOLDER,
  listed,
  metadata,
  other,
  part,
  read,
  reminder,
  says,
  shortly,
  store,
  told,
  undo,
  user,
  whole,
} from "../../test-kit/session.js";
import { INTERRUPTED, NOT_AVAILABLE } from "./wire.js";

const FAILED = "<system>ERROR: Tool execution failed.</system>";

describe("an answer", () => {
  test("is told when its step is over, results after it in the order of the calls", async () => {
    expect(
      await told(
        user("do"),
        begin("s"),
        part("s", { type: "think", think: "hm" }),
        says("s", "so"),
        calls("s", "a"),
        answers("a", { output: "1" }),
        calls("s", "b", "Bash"),
        answers("b", { output: "2", isError: true, durationMs: 1500 }),
        end("s", "tool_use"),
      ),
    ).toEqual([
      "user: do",
      "assistant: <thinking hm> | so | Read#a | Bash#b",
      "result a: 1",
      `result b failed: Wall time: 1.500 seconds\n${FAILED}\n2`,
    ]);
  });

  test.each([
    ["a note", { output: "1", note: "<system>n</system>" }, "1\n<system>n</system>"],
    ["nothing", { output: "" }, "<system>Tool output is empty.</system>"],
    [
      "parts",
      {
        output: [
          { type: "text", text: "1" },
          { type: "text", text: "2" },
        ],
        note: "n",
      },
      "1 | 2 | n",
    ],
    ["no time for a tool that has none", { output: "1", durationMs: 9 }, "1"],
  ])("has a result as it is sent: %s", async (_, result, words) => {
    const [, , line] = await told(user("do"), begin("s"), calls("s", "a"), answers("a", result), end("s"));
    expect(line).toBe(`result a: ${words}`);
  });

  test("that was cut off is sent all the same, and its calls have the program's own words", async () => {
    expect(
      await told(
        user("do"),
        begin("s"),
        says("s", "I will"),
        calls("s", "a"),
        user("stop"),
        ...answer("t", "ok"),
      ),
    ).toEqual([
      "user: do",
      "assistant: I will | Read#a",
      `result a failed: ${FAILED}\n${INTERRUPTED}`,
      "user: stop",
      "assistant: ok",
    ]);
  });

  test("that says nothing is none; what failed is shown and not sent", async () => {
    expect(
      await told(
        user("do"),
        begin("s"),
        end("s", "error"),
        other("turn.step.interrupted", { reason: "error", message: "400 no" }),
        other("turn.ended", { turnId: 0, reason: "failed", error: { message: "400 no" } }),
      ),
    ).toEqual(["user: do", "assistant (user): <error>"]);
  });
});

describe("what a person typed", () => {
  test("twice, with nothing between that is sent, is one message", async () => {
    const lines = [user("one"), begin("s"), end("s", "error"), user("two"), ...answer("t", "ok")];
    expect(await told(...lines)).toEqual(["user: one\n\ntwo", "assistant: ok"]);
    const { losses } = await read(store([metadata, ...lines]));
    expect(losses).toContain("ids partial merged 1");
  });

  test("twice, with a reminder between, is two", async () => {
    expect(await told(user("one"), reminder("r"), user("two"))).toEqual([
      "user: one",
      "user (harness assistant): <system-reminder>\nr\n</system-reminder>",
      "user: two",
    ]);
  });

  test.each([
    [{ kind: "user", inTurn: true }, "user (queued)"],
    [{ kind: "skill_activation", trigger: "model-tool" }, "user (skill)"],
    [{ kind: "shell_command", phase: "input" }, "user (command)"],
    [{ kind: "system_trigger", name: "subagent" }, "user"],
    [{ kind: "system_trigger", name: "goal" }, "user (notice)"],
    [{ kind: "task" }, "user (notice)"],
  ])("is told from what the program put in: %j", async (origin, who) => {
    expect(await told(user("words", origin))).toEqual([`${who}: words`]);
  });
});

describe("messages that were put in whole", () => {
  const assistant = whole({
    role: "assistant",
    content: [{ type: "text", text: "so" }],
    toolCalls: [{ type: "function", id: "a", name: "Read", arguments: '{"path":"x"}' }],
  });
  const result = whole({
    role: "tool",
    toolCallId: "a",
    content: [{ type: "text", text: "1" }],
    toolCalls: [],
  });

  test("have their results, also where these come late, and words where there are none", async () => {
    expect(await told(user("do"), assistant, result)).toEqual([
      "user: do",
      "assistant: so | Read#a",
      "result a: 1",
    ]);
    expect(await told(user("do"), assistant, user("go on"), result)).toEqual([
      "user: do",
      "assistant: so | Read#a",
      "result a: 1",
      "user: go on",
    ]);
    expect(await told(user("do"), assistant, user("go on"))).toEqual([
      "user: do",
      "assistant: so | Read#a",
      `result a failed: ${NOT_AVAILABLE}`,
      "user: go on",
    ]);
    expect(await told(user("do"), result)).toEqual(["user: do"]);
  });

  test("name their tools one deeper until 1.1", async () => {
    const old = { id: "a", function: { name: "Read", arguments: "{}" } };
    const { events } = await read(
      store([metadata, user("do"), whole({ role: "assistant", content: [], toolCalls: [old] }), result]),
    );
    expect(events.flatMap(shortly)).toContain("assistant: Read#a");
  });
});

describe("what was taken back", () => {
  const talk = [user("one"), ...answer("s1", "first"), user("two"), ...answer("s2", "second")];

  test("by turns is a branch on what was there before", async () => {
    const { events } = await read(
      store([metadata, ...talk, undo(1), user("three"), ...answer("s3", "third")]),
    );
    expect(events.flatMap(shortly)).toEqual([
      "user: one",
      "assistant: first",
      "rewound",
      "user: three",
      "assistant: third",
      "[aside] user: two",
      "[aside] assistant: second",
    ]);
    expect(events.find(({ branchFrom }) => branchFrom !== undefined)).toMatchObject({ branchFrom: "s1" });
  });

  test("twice is two branches, and more turns than there are is nothing", async () => {
    expect(await told(...talk, undo(1), user("three"), undo(2), user("four"))).toEqual([
      "rewound",
      "user: four",
      "[aside] user: two",
      "[aside] assistant: second",
      "[aside] user: one",
      "[aside] assistant: first",
      "[aside] rewound",
      "[aside] user: three",
    ]);
    expect(await told(user("one"), undo(3))).toEqual(["user: one", "rewound"]);
    expect(await told(user("one"), other("context.clear"), undo(1))).toEqual([
      "user: one",
      "compacted",
      "rewound",
    ]);
  });

  test("by a switch to an earlier line, which says the same in the old way once more", async () => {
    // metadata is line 1, the answer to `one` ends in line 5.
    const switched = other("agent.switched", {
      branch: "b",
      reason: "undo",
      base: { branch: "main", line: 5 },
      turns: 1,
      legacyUndoLine: 11,
    });
    expect(await told(...talk, switched, undo(1), user("three"))).toEqual([
      "user: one",
      "assistant: first",
      "rewound",
      "rewound",
      "user: three",
      "[aside] user: two",
      "[aside] assistant: second",
    ]);
  });

  test("a way that leads nowhere changes nothing", async () => {
    const lost = other("agent.switched", { branch: "b", base: { branch: "none", line: 2 } });
    expect(await told(user("one"), lost, user("two"))).toEqual(["user: one", "rewound", "user: two"]);
  });
});

describe("a compaction", () => {
  const talk = [user("one"), ...answer("s1", "first"), user("two"), ...answer("s2", "second")];
  const compact = (more: object) => other("context.apply_compaction", { compactedCount: 4, ...more });

  test("leaves what was typed, as one, and the summary", async () => {
    const record = compact({ summary: "S", contextSummary: "Before: S", keptUserMessageCount: 2 });
    expect((await told(...talk, reminder("r"), record, user("three"))).slice(-4)).toEqual([
      "compacted",
      "  user: one\n\ntwo",
      "  user (summary assistant): Before: S",
      "user: three",
    ]);
  });

  test("after another one leaves what that left, once", async () => {
    const record = () => compact({ summary: "S", keptUserMessageCount: 1 });
    expect((await told(user("one"), record(), user("two"), record())).slice(-3)).toEqual([
      "compacted",
      "  user: one\n\ntwo",
      "  user (summary assistant): S",
    ]);
  });

  test("of much leaves the oldest and the newest", async () => {
    const long = "x".repeat(60_000); // 15,000 tokens
    const record = compact({ summary: "S", keptUserMessageCount: 3 });
    const lines = await told(user(`first ${long}`), ...answer("s", "ok"), user(`last ${long}`), record);
    const kept = lines.slice(-3);
    expect(kept[0]?.startsWith("  user: first xxx")).toBe(true);
    expect(kept[0]?.length).toBeLessThan(25_000);
    expect(kept[1]).toContain("last xxx");
  });

  test("of an older journal leaves the summary and the last messages", async () => {
    const record = other("context.apply_compaction", {
      summary: { role: "user", content: [{ type: "text", text: "S" }], toolCalls: [] },
      count: 2,
    });
    expect((await told(...talk, record)).slice(-4)).toEqual([
      "compacted",
      "  user (summary assistant): S",
      "  user: two",
      "  assistant: second",
    ]);
  });
});

test("a larger picture stands beside, by the hash of its Base64", async () => {
  const data = Buffer.from("a picture").toString("base64");
  const hash = createHash("sha256").update(data).digest("hex");
  const image = (url: string) => ({ type: "image_url", imageUrl: { url } });
  const line = whole({
    role: "user",
    content: [image(`blobref:image/png;${hash}`)],
    origin: { kind: "user" },
  });
  const files = store([metadata, line]);
  const missing = await read(files);
  expect(missing.losses).toContain("images not-in-source missing-file 1");
  files.set(`${FOLDER}/agents/main/blobs/${hash}`, Buffer.from("a picture"));
  const { events } = await read(files);
  expect(events.find(({ type }) => type === "message.completed")).toMatchObject({
    payload: { blocks: [{ type: "image", mimeType: "image/png", data }] },
  });
});

describe("a list", () => {
  test.each([
    [{ title: "Mine", titleKind: "custom" }, "Mine", "user"],
    [{ title: "Made", titleKind: "generated" }, "Made", "agent"],
    [{ title: "first words", titleKind: "replaceable" }, "first words", "prompt"],
    [{ title: "Old", isCustomTitle: true }, "Old", "user"],
    [{}, "do this", "prompt"],
  ])("has the title: %j", async (state, title, titleFrom) => {
    const [ref] = await listed(store([metadata, user("do this\nand that")], state));
    expect(ref).toMatchObject({ title, titleFrom, cwd: "/home/dev/demo" });
  });

  test("counts what was said and holds, and knows who answered", async () => {
    const lines = [
      metadata,
      user("a"),
      other("llm.request", { kind: "loop", model: "k3" }),
      ...answer("s", "b"),
    ];
    const [ref] = await listed(
      store([...lines, user("c"), undo(1)], { forkedFrom: "session_x", archived: true }),
    );
    expect(ref).toMatchObject({
      messages: 2,
      model: "k3",
      archived: true,
      parent: { id: "session_x", relation: "fork" },
    });
  });

  test("takes the folder from the program's register where the session does not say", async () => {
    const files = store([metadata, user("a")]);
    files.set(`${FOLDER}/state.json`, Buffer.from("{}"));
    const key = FOLDER.split("/").at(-2) ?? "";
    const register = { workspaces: { [key]: { root: "/home/dev/demo" } } };
    files.set("/home/dev/.kimi-code/workspaces.json", Buffer.from(JSON.stringify(register)));
    expect((await listed(files))[0]?.cwd).toBe("/home/dev/demo");
  });

  test("has the agents inside, each below who started it", async () => {
    const files = store(
      [
        metadata,
        user("a"),
        other("subagent.spawned", { subagentId: "agent-0", parentToolCallId: "c", description: "look" }),
      ],
      { agents: { main: {}, "agent-0": { parentAgentId: "main" }, "agent-1": { parentAgentId: "agent-0" } } },
    );
    for (const agent of ["agent-0", "agent-1"])
      files.set(`${FOLDER}/agents/${agent}/wire.jsonl`, Buffer.from(`${JSON.stringify(user("ask"))}\n`));
    const [ref] = await listed(files);
    const [child] = ref?.children ?? [];
    expect(child).toMatchObject({ title: "look", parent: { relation: "subagent", toolCallId: "c" } });
    expect(child?.children).toMatchObject([{ title: "ask", parent: { id: child?.id } }]);
  });
});
