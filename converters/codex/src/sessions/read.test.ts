import { zstdCompressSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import * as r from "../../test-kit/rollout.js";

beforeEach(r.restart);

const userEvent = (message: string) => r.said("user_message", { message, images: [] });
const agentEvent = (message: string) => r.said("agent_message", { message });
const userItem = (text: string) =>
  r.shown({ type: "UserMessage", id: `u-${text}`, content: [{ type: "text", text }] });
const agentItem = (text: string, id: string) =>
  r.shown({ type: "AgentMessage", id, content: [{ type: "Text", text }] });

describe("two copies of everything (P21): each thing once, equal texts twice", () => {
  const expected = ["user: go on", "assistant: done", "user: go on", "assistant: done"];
  const turn = (...records: r.Rec[]) => [
    r.said("task_started", { turn_id: "t" }),
    ...records,
    r.said("task_complete", { turn_id: "t" }),
  ];
  test.each([
    [
      "items, then events (to 0.148)",
      () => [r.user("go on"), userEvent("go on"), r.assistant("done"), agentEvent("done")],
    ],
    [
      "events, then items (the program's own importer)",
      () => [userEvent("go on"), r.user("go on"), agentEvent("done"), r.assistant("done")],
    ],
    [
      "screen items with the items' ids (0.149)",
      () => [r.user("go on"), userItem("go on"), agentItem("done", "m1"), r.assistant("done", { id: "m1" })],
    ],
    [
      "screen items with ids of their own (migrated)",
      () => [userItem("go on"), r.user("go on"), agentItem("done", "item-7"), r.assistant("done")],
    ],
    ["no copy (0.153)", () => [r.user("go on"), r.assistant("done")]],
  ])("%s", async (_, one) => {
    expect(r.talk(await r.eventsOf([r.meta(), ...turn(...one()), ...turn(...one())]))).toEqual(expected);
    // Without turns around them too.
    expect(r.talk(await r.eventsOf([r.meta(), ...one(), ...one()]))).toEqual(expected);
  });
  test("events of a whole answer come before its items, as in 2025", async () => {
    const events = await r.eventsOf([
      r.meta(),
      r.user("q"),
      userEvent("q"),
      r.said("agent_reasoning", { text: "hm" }),
      agentEvent("one"),
      agentEvent("two"),
      r.item({
        type: "reasoning",
        summary: [{ type: "summary_text", text: "hm" }],
        encrypted_content: "gAAA",
      }),
      r.assistant("one"),
      r.assistant("two"),
    ]);
    expect(r.talk(events)).toEqual(["user: q", "assistant: (hm) <codex.encrypted_reasoning> one two"]);
  });
  test("what only the screen showed is for the person only", async () => {
    const events = await r.eventsOf([
      r.meta(),
      r.user("q"),
      userEvent("q"),
      r.assistant("a"),
      agentEvent("a"),
      agentEvent("a"),
      r.said("task_complete", {}),
    ]);
    expect(r.talk(events)).toEqual(["user: q", "assistant: a", "assistant (for user): a"]);
  });
  test("only events: they are all there is, calls included", async () => {
    const events = await r.eventsOf([
      r.meta(),
      userEvent("q"),
      r.said("exec_command_end", {
        call_id: "c1",
        command: ["ls"],
        aggregated_output: "a.txt",
        exit_code: 1,
      }),
      agentEvent("a"),
    ]);
    expect(r.talk(events)).toEqual(["user: q", "assistant: #c1", "!result c1 a.txt", "assistant: a"]);
  });
});

describe("generations", () => {
  test("2025-08: a bare header, bare items, state lines; no times", async () => {
    const events = await r.eventsOf({
      [r.pathOf()]: r.jsonl([
        { id: r.ID, timestamp: "2025-08-10T10:00:00.000Z", instructions: null, git: { branch: "main" } },
        { record_type: "state" },
        { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
        { type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c1" },
        {
          type: "function_call_output",
          call_id: "c1",
          output: '{"output":"x","metadata":{"exit_code":2,"duration_seconds":0.1}}',
        },
        { record_type: "state" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "bye" }] },
      ]),
    });
    expect(r.talk(events)).toEqual([
      "user: hi",
      "assistant: #c1",
      '!result c1 {"output":"x","metadata":{"exit_code":2,"duration_seconds":0.1}}',
      "assistant: bye",
    ]);
    expect(events.filter(({ type }) => type === "unknown.observed")).toHaveLength(2);
  });
  test("a packed file reads as what it holds", async () => {
    const packed = zstdCompressSync(Buffer.from(r.jsonl([r.meta(), r.user("q"), r.assistant("a")])));
    const events = await r.eventsOf({
      [`${r.ROOT}/archived_sessions/rollout-2026-11-30T10-00-00-${r.ID}.jsonl.zst`]: packed,
    });
    expect(r.talk(events)).toEqual(["user: q", "assistant: a"]);
  });
  test("a session_meta of another session is no header", async () => {
    const store = await r.opened([
      r.meta({ forked_from_id: r.OTHER }),
      r.meta({ id: r.OTHER, cwd: "/else" }),
      r.user("q"),
    ]);
    expect(r.only(store)).toMatchObject({
      id: r.ID,
      cwd: "/home/dev/demo",
      parent: { id: r.OTHER, relation: "fork" },
    });
  });
});

describe("calls and results", () => {
  test("what the screen knew of a call is its detail, before or after the output", async () => {
    const detail = { type: "CommandExecution", id: "c2", exit_code: 3, status: "failed" };
    const events = await r.eventsOf([
      r.meta(),
      r.user("q"),
      r.call("c1"),
      r.said("exec_command_end", { call_id: "c1", exit_code: 0 }),
      r.output("c1"),
      r.call("c2"),
      r.output("c2", "no"),
      r.said("task_complete", {}),
      r.shown(detail),
    ]);
    const results = r.ofType(events, "tool.completed");
    expect(results.map(({ payload }) => [payload.toolCallId, payload.isError])).toEqual([
      ["c1", false],
      ["c2", true],
    ]);
    expect(results[1]?.payload.detail).toEqual(detail);
    expect(results[1]?.origin).toHaveLength(2);
  });
  test("parallel calls are one message; results come before anything else is said", async () => {
    const events = await r.eventsOf([
      r.meta(),
      r.user("q"),
      r.call("c1"),
      r.call("c2"),
      r.output("c2", "2"),
      r.user("wait"),
      r.output("c1", "1"),
      r.assistant("a"),
    ]);
    expect(r.talk(events)).toEqual([
      "user: q",
      "assistant: #c1 #c2",
      "result c1 1",
      "result c2 2",
      "user: wait",
      "assistant: a",
    ]);
  });
  test("a call without output has the one that the program makes up (P09)", async () => {
    const events = await r.eventsOf([r.meta(), r.user("q"), r.call("c1"), r.assistant("a")]);
    expect(r.talk(events)).toEqual(["user: q", "assistant: #c1 a", "!result c1 aborted"]);
    expect(r.ofType(events, "tool.completed")[0]?.payload.synthetic).toBe(true);
  });
  test("an output without call is none (P10)", async () => {
    const events = await r.eventsOf([r.meta(), r.user("q"), r.output("c9"), r.assistant("a")]);
    expect(r.talk(events)).toEqual(["user: q", "assistant: a"]);
    expect(r.ofType(events, "unknown.observed")[0]?.payload).toMatchObject({
      axis: "tool-results",
      reason: "orphan-result",
    });
  });
  test("names, namespaces and free text", async () => {
    const events = await r.eventsOf([
      r.meta(),
      r.call("c1", { text: "hi" }, { name: "echo", namespace: "mcp__demo" }),
      r.item({ type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "*** Begin Patch" }),
      r.item({ type: "function_call", call_id: "c3", name: "odd", arguments: "no json" }),
      r.call("c4", { n: 1 }, { arguments: '{"n":12345678901234567890}' }),
    ]);
    expect(r.ofType(events, "message.completed")[0]?.payload.blocks).toMatchObject([
      { name: "echo", namespace: "mcp__demo", arguments: { text: "hi" } },
      { name: "apply_patch", freeform: true, arguments: "*** Begin Patch" },
      { name: "odd", freeform: true, arguments: "no json" },
      { name: "exec_command", text: '{"n":12345678901234567890}' },
    ]);
  });
  test("update_plan is a call, and a plan", async () => {
    const plan = [
      { step: "look", status: "completed" },
      { step: "act", status: "in_progress" },
    ];
    const events = await r.eventsOf([
      r.meta(),
      r.call("c1", { plan }, { name: "update_plan" }),
      r.output("c1", "Plan updated"),
    ]);
    expect(r.ofType(events, "task.updated")[0]?.payload.plan).toEqual([
      { content: "look", status: "completed" },
      { content: "act", status: "in_progress" },
    ]);
  });
});

describe("whose words (P22)", () => {
  test.each([
    ["# AGENTS.md instructions for /home/dev/demo\n\n<INSTRUCTIONS>…", "harness"],
    ["<environment_context>\n<cwd>/x</cwd></environment_context>", "harness"],
    ["<user_instructions>be brief</user_instructions>", "harness"],
    ["<turn_aborted>\nThe user interrupted…</turn_aborted>", "notice"],
    ["<subagent_notification>{}</subagent_notification>", "notice"],
    ["<user_action>review</user_action>", "notice"],
    ["<user_shell_command>ls</user_shell_command>", "command"],
    ["<skill>\n<name>x</name></skill>", "skill"],
  ])("by the text: %j is of the kind %s", async (text, kind) => {
    const store = await r.opened([r.meta(), r.user(text), r.user("the prompt"), userEvent("the prompt")]);
    expect(r.only(store)).toMatchObject({ title: "the prompt", messages: 1 });
    expect(
      r.talk(await r.eventsOf([r.meta(), r.user(text), r.user("the prompt"), userEvent("the prompt")])),
    ).toEqual([`user (${kind}): ${text}`, "user: the prompt"]);
  });
  test("by the kinds, against the text", async () => {
    const kinds = (...content_item_kinds: string[]) => ({
      internal_chat_message_metadata_passthrough: { content_item_kinds },
    });
    const events = await r.eventsOf([
      r.meta(),
      r.user("<turn_aborted> is a tag I ask about", kinds("user.text")),
      r.user("plain words", kinds("memories.instructions")),
      r.user("skill body", kinds("skills.selected_skill_instructions")),
      r.user("told", { role: "developer", ...kinds("hooks.additional_context") }),
    ]);
    expect(r.talk(events)).toEqual([
      "user: <turn_aborted> is a tag I ask about",
      "user (harness): plain words",
      "user (skill): skill body",
      "system (harness): told",
    ]);
  });
  test("one message of several speakers becomes one event for each", async () => {
    const content = [
      { type: "input_text", text: "# AGENTS.md instructions for /x" },
      { type: "input_text", text: "<environment_context></environment_context>" },
      { type: "input_text", text: "hello" },
    ];
    const events = await r.eventsOf([r.meta(), r.user("", { content }), userEvent("hello")]);
    expect(r.talk(events)).toEqual([
      "user (harness): # AGENTS.md instructions for /x <environment_context></environment_context>",
      "user: hello",
    ]);
    expect(new Set(events.map(({ nativeId }) => nativeId)).size).toBe(events.length);
  });
  test("an editor's context goes to the model; the prompt inside is what is shown", async () => {
    const text =
      "# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nfix it\n";
    const records = () => [r.meta(), r.user(text), r.assistant("ok")];
    expect(r.only(await r.opened(records())).title).toBe("fix it");
    expect(r.ofType(await r.eventsOf(records()), "message.completed")[0]?.payload).toMatchObject({
      blocks: [{ type: "text", text }],
      display: "fix it",
    });
  });
  test("a picture's wrapper is none of the words", async () => {
    const content = [
      { type: "input_text", text: '<image name=[Image #1] path="/x/a.png">' },
      { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "high" },
      { type: "input_text", text: "</image>" },
      { type: "input_text", text: "look" },
    ];
    const [message] = r.ofType(await r.eventsOf([r.meta(), r.user("", { content })]), "message.completed");
    expect(message?.payload.blocks).toEqual([
      { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=", detail: "high", alt: "/x/a.png" },
      { type: "text", text: "look" },
    ]);
  });
});

describe("turns and settings", () => {
  test("turns begin and end, with what they used and how they failed", async () => {
    const total = (input_tokens: number) =>
      r.said("token_count", { info: { total_token_usage: { input_tokens, output_tokens: 1 } } });
    const events = await r.eventsOf([
      r.meta(),
      r.said("task_started", { turn_id: "t1" }),
      r.user("q"),
      total(100),
      total(100),
      r.said("task_complete", { turn_id: "t1" }),
      r.said("task_started", { turn_id: "t2" }),
      total(150),
      r.said("task_complete", { turn_id: "t2", error: { message: "overloaded" } }),
      r.said("task_started", { turn_id: "t3" }),
      r.said("turn_aborted", { turn_id: "t3", reason: "interrupted" }),
    ]);
    expect(r.ofType(events, "turn.completed").map(({ payload }) => payload)).toMatchObject([
      { turnId: "t1", status: "completed", usage: { inputTokens: 100 } },
      { turnId: "t2", status: "failed", error: "overloaded", usage: { inputTokens: 50 } },
      { turnId: "t3", status: "cancelled" },
    ]);
    expect(r.ofType(events, "message.completed")[0]?.turnId).toBe("t1");
  });
  test("settings are told when they change; the model stands at each answer", async () => {
    const context = (model: string, effort?: string) =>
      r.line("turn_context", {
        cwd: "/x",
        approval_policy: "never",
        sandbox_policy: { mode: "read-only" },
        model,
        ...(effort && { effort }),
      });
    const events = await r.eventsOf([
      r.meta(),
      context("m1", "high"),
      r.assistant("a"),
      r.user("q"),
      context("m1", "high"),
      context("m2"),
      r.assistant("b"),
    ]);
    expect(r.ofType(events, "capabilities.changed").map(({ payload }) => payload.settings)).toEqual([
      { model: "m1", thought_level: "high", mode: "read-only", approval_policy: "never" },
      { model: "m2" },
    ]);
    expect(r.ofType(events, "message.completed").map(({ payload }) => payload.model)).toEqual([
      "m1",
      undefined,
      "m2",
    ]);
  });
});

describe("compaction (P27)", () => {
  test("what takes the place of the history is the context from there on", async () => {
    const replacement = [
      {
        type: "message",
        role: "developer",
        content: [{ type: "input_text", text: "<permissions instructions>" }],
      },
      { type: "message", role: "user", content: [{ type: "input_text", text: "kept" }] },
      { type: "compaction", encrypted_content: "gAAA" },
    ];
    const events = await r.eventsOf([
      r.meta(),
      r.user("old"),
      r.assistant("older"),
      r.line("compacted", { message: "", replacement_history: replacement }),
      r.user("new"),
    ]);
    const [compacted] = r.ofType(events, "status.changed");
    expect(r.talk(compacted?.payload.context ?? [])).toEqual([
      "system (harness): <permissions instructions>",
      "user: kept",
      "assistant: <codex.compaction>",
    ]);
  });
  test("without a history the person's words stay, the newest 20,000 tokens, the oldest cut in its middle", async () => {
    const long = "é".repeat(4000);
    const events = await r.eventsOf([
      r.meta(),
      ...Array.from({ length: 60 }, (_, i) => r.user(`Q${i} ${long}`)),
      r.line("compacted", { message: "SUMMARY" }),
    ]);
    const context = r.ofType(events, "status.changed")[0]?.payload.context ?? [];
    const texts = r
      .ofType(context, "message.completed")
      .map(({ payload }) => payload.blocks.map((block) => (block.type === "text" ? block.text : "")));
    // As the real program cut the same talk.
    expect(texts).toHaveLength(11);
    expect(texts[0]?.map((text) => text.length)).toEqual([1993, "…10 tokens truncated…".length, 1991]);
    expect(texts[0]?.[1]).toBe("…10 tokens truncated…");
    expect(texts[1]).toEqual([`Q51 ${long}`]);
    expect(texts.at(-1)).toEqual(["SUMMARY"]);
  });
});

describe("turns that were taken back", () => {
  test("they are a branch, told last, with where it left", async () => {
    const events = await r.eventsOf([
      r.meta(),
      r.user("one"),
      userEvent("one"),
      r.assistant("1"),
      r.said("task_started", { turn_id: "t2" }),
      r.user("two"),
      userEvent("two"),
      r.assistant("2"),
      r.said("thread_rolled_back", { num_turns: 1 }),
      r.user("three"),
    ]);
    expect(r.talk(events)).toEqual([
      "user: one",
      "assistant: 1",
      "user: three",
      "~user: two",
      "~assistant: 2",
    ]);
    // They are a branch: whoever takes them back once more loses turns that stayed.
    const [rewound] = r.ofType(events, "status.changed");
    expect(rewound?.payload).toEqual({ status: "rewound", turns: 0 });
    const answer = r.ofType(events, "message.completed")[1];
    const first = events.find(({ branch }) => branch !== undefined);
    expect(first?.type).toBe("turn.started");
    expect(first?.branchFrom).toBe(answer?.nativeId);
    expect(
      r.only(
        await r.opened([
          r.meta(),
          r.user("one"),
          r.user("two"),
          r.said("thread_rolled_back", { num_turns: 1 }),
        ]),
      ).messages,
    ).toBe(1);
  });
});

describe("forks by reference", () => {
  const parent = () =>
    r.numbered([r.meta({ id: r.OTHER }), r.user("one"), r.assistant("1"), r.user("two"), r.assistant("2")]);
  const fork = (end: number, ordinal: number) =>
    r.numbered(
      [
        r.meta({
          forked_from_id: r.OTHER,
          history_base: { thread_id: r.OTHER, end_ordinal_exclusive: ordinal, end_byte_offset: end },
        }),
        r.user("other"),
      ],
      ordinal,
    );
  test("the parent's part comes first, up to the byte", async () => {
    const before = jsonlOf(parent());
    const end = Buffer.byteLength(before.split("\n").slice(0, 3).join("\n")) + 1;
    const files = { [r.pathOf(r.OTHER, "2026-11-30T09-00-00")]: before, [r.pathOf()]: jsonlOf(fork(end, 3)) };
    expect(r.talk(await r.eventsOf(files, r.ID))).toEqual(["user: one", "assistant: 1", "user: other"]);
    expect(r.only(await r.opened(files), r.ID)).toMatchObject({
      messages: 3,
      parent: { id: r.OTHER, relation: "fork" },
    });
    expect(r.talk(await r.eventsOf(files, r.OTHER))).toHaveLength(4);
  });
  test("a parent whose bytes moved is followed by its ordinals", async () => {
    const files = {
      [r.pathOf(r.OTHER, "2026-11-30T09-00-00")]: jsonlOf(parent()),
      [r.pathOf()]: jsonlOf(fork(17, 3)),
    };
    expect(r.talk(await r.eventsOf(files, r.ID))).toEqual(["user: one", "assistant: 1", "user: other"]);
  });
  test("without the parent: the fork's own turns, and it is said", async () => {
    const store = await r.opened({ [r.pathOf()]: jsonlOf(fork(17, 3)) });
    const { readAll } = await import("@asp-convert/conformance/toolbox");
    const { default: codex } = await import("../index.js");
    const { events, ledger } = await readAll(codex, r.only(store), store.source);
    expect(r.talk(events)).toEqual(["user: other"]);
    expect(ledger.losses).toMatchObject([{ axis: "lineage", reason: "missing-parent" }]);
  });
});

test("what a shell action leaves out is sent as null", async () => {
  const action = { type: "exec", command: ["ls"], timeout_ms: 1000 };
  const [message] = r.ofType(
    await r.eventsOf([
      r.meta(),
      r.item({ type: "local_shell_call", call_id: "c", status: "completed", action }),
      r.output("c"),
    ]),
    "message.completed",
  );
  expect(JSON.stringify(message?.payload.blocks[0])).toContain(
    '{"type":"exec","command":["ls"],"timeout_ms":1000,"working_directory":null,"env":null,"user":null}',
  );
});

const jsonlOf = r.jsonl;
