import { describe, expect, test } from "vitest";
import {
  call,
  ID,
  lines,
  readOne,
  readText,
  result,
  said,
  sentOf,
  told,
  user,
  uuidOf,
} from "../../test-kit/transcript.js";

const boundary = (uuid: string, more = {}) => ({
  type: "system",
  subtype: "compact_boundary",
  content: "Conversation compacted",
  parentUuid: null,
  uuid,
  ...more,
});
const summary = (words: string, more = {}) =>
  user(words, { isCompactSummary: true, isVisibleInTranscriptOnly: true, ...more });

describe("one message over several records", () => {
  test("is one event, calls last, its results after it, usage once", async () => {
    const { events } = await readOne(
      lines(
        user("Go."),
        said("m", call("t1")),
        said("m", "First."),
        said("m", call("t2")),
        result("t1", "R1"),
        result("t2", "R2"),
        said("n", "Done."),
      ),
    );
    expect(told(events)).toEqual([
      "user: Go.",
      "assistant: First. | tool-call | tool-call",
      "result t1: R1",
      "result t2: R2",
      "assistant: Done.",
    ]);
    const [message] = events.filter(
      (event) => event.type === "message.completed" && event.payload.role === "assistant",
    );
    expect(message).toMatchObject({
      nativeId: uuidOf(2),
      payload: { messageId: "m", usage: { inputTokens: 3, outputTokens: 2 } },
    });
    expect(message?.origin.map(({ record }) => record)).toEqual([1, 2, 3]);
  });

  test("turns begin with what a person typed and end by how they ended", async () => {
    const { events } = await readOne(
      lines(
        user("One."),
        said("m", "Yes."),
        user("Two."),
        user([{ type: "text", text: "[Request interrupted by user]" }]),
        user("Three."),
        {
          ...said("e", "API Error"),
          isApiErrorMessage: true,
        },
      ),
    );
    expect(
      events.flatMap((event) => (event.type === "turn.completed" ? [event.payload.status] : [])),
    ).toEqual(["completed", "cancelled", "failed"]);
    const error = events.find(
      (event) => event.type === "message.completed" && event.payload.blocks[0]?.type === "error",
    );
    expect(error).toMatchObject({
      payload: { audience: ["user"], blocks: [{ type: "error", message: "API Error" }] },
    });
  });
});

describe("compaction", () => {
  const before = [user("One."), said("a", "A."), user("Two."), said("b", "B.")];

  test("what was before is still told; the model begins with the summary and what was kept", async () => {
    const kept = [uuidOf(3), uuidOf(4)];
    const { events } = await readOne(
      lines(
        ...before,
        boundary(uuidOf(5), {
          logicalParentUuid: uuidOf(4),
          compactMetadata: { trigger: "manual", preservedMessages: { anchorUuid: uuidOf(6), uuids: kept } },
        }),
        summary("So far."),
        user("Three."),
        said("c", "C."),
      ),
    );
    expect(told(events)).toEqual([
      "user: One.",
      "assistant: A.",
      "user: Two.",
      "assistant: B.",
      "user: Three.",
      "assistant: C.",
    ]);
    const cut = events.find((event) => event.type === "status.changed");
    expect(cut).toMatchObject({
      payload: { status: "compacted", trigger: "manual" },
      origin: [{ record: 4 }, { record: 5 }],
    });
    expect(sentOf(events)).toEqual([
      ["user", "So far."],
      ["user", "Two."],
      ["assistant", "B."],
      ["user", "Three."],
      ["assistant", "C."],
    ]);
  });

  test("what was kept follows the summary also where nothing was said since", async () => {
    const kept = [uuidOf(3), uuidOf(4)];
    const { events } = await readOne(
      lines(
        ...before,
        boundary(uuidOf(5), {
          logicalParentUuid: uuidOf(4),
          compactMetadata: { trigger: "auto", preservedMessages: { anchorUuid: uuidOf(6), uuids: kept } },
        }),
        summary("So far."),
      ),
    );
    expect(sentOf(events)).toEqual([
      ["user", "So far."],
      ["user", "Two."],
      ["assistant", "B."],
    ]);
  });

  test("twice: each summary stands for what it replaced", async () => {
    const { events } = await readOne(
      lines(
        ...before,
        boundary(uuidOf(5), { logicalParentUuid: uuidOf(4) }),
        summary("First."),
        user("Three."),
        boundary(uuidOf(8), { logicalParentUuid: uuidOf(7) }),
        summary("Second."),
        user("Four."),
      ),
    );
    expect(told(events)).toEqual([
      "user: One.",
      "assistant: A.",
      "user: Two.",
      "assistant: B.",
      "user: Three.",
      "user: Four.",
    ]);
    expect(
      events.flatMap((event) =>
        event.type === "status.changed" ? [sentOf(event.payload.context ?? [])] : [],
      ),
    ).toEqual([[["user", "First."]], [["user", "Second."]]]);
  });

  test("without a logical parent the history is joined by position, and that is said", async () => {
    const { events, ledger } = await readOne(
      lines(...before, boundary(uuidOf(5)), summary("So far."), user("Three.")),
    );
    expect(told(events)).toHaveLength(5);
    expect(ledger.losses).toContainEqual(expect.objectContaining({ reason: "dangling-parent", count: 1 }));
  });
});

describe("branches", () => {
  test("what was left comes last and says where it departs", async () => {
    const { events } = await readOne(
      lines(
        user("One."),
        said("a", "A."),
        user("Left."),
        said("b", "B."),
        user("Taken.", { parentUuid: uuidOf(2) }),
        said("c", "C."),
      ),
    );
    expect(told(events)).toEqual([
      "user: One.",
      "assistant: A.",
      "user: Taken.",
      "assistant: C.",
      "user: Left. (branch)",
      "assistant: B. (branch)",
    ]);
    const left = events.filter(({ branch }) => branch !== undefined);
    expect(new Set(left.map(({ branch }) => branch))).toEqual(new Set([uuidOf(4)]));
    expect(left.map(({ branchFrom }) => branchFrom).filter((from) => from !== undefined)).toEqual([
      uuidOf(2),
    ]);
  });

  test("a second root is a branch that departs from nowhere", async () => {
    const { events } = await readOne(
      lines(user("Other."), said("a", "A."), user("Talk.", { parentUuid: null }), said("b", "B.")),
    );
    expect(told(events)).toEqual([
      "user: Talk.",
      "assistant: B.",
      "user: Other. (branch)",
      "assistant: A. (branch)",
    ]);
    expect(events.every(({ branchFrom }) => branchFrom === undefined)).toBe(true);
  });
});

describe("odd files", () => {
  test("two records on a line, a torn one and bytes of nothing: everything whole is read, the rest told", async () => {
    const [first = "", second = "", third = ""] = lines(user("One."), said("a", "A."), user("Two.")).split(
      "\n",
    );
    const { events, ledger } = await readOne(`${first}${second}\n\0\0\0\n${third}\n{"type":"user","mess`);
    expect(told(events)).toEqual(["user: One.", "assistant: A.", "user: Two."]);
    expect(
      events.flatMap((event) =>
        event.type === "unknown.observed" && event.payload.axis === "raw" ? [event.payload.reason] : [],
      ),
    ).toEqual(["unparsable", "torn-tail"]);
    expect(ledger.records).toBe(5);
  });

  test("a record of the chain whose inside is broken is raw, the chain goes on", async () => {
    const text = lines(user("One."), said("a", "A."), user("Two.")).replace('"A."', '"A\u0001."');
    const { events } = await readOne(text);
    expect(told(events)).toEqual(["user: One.", "user: Two."]);
    expect(
      events.filter((event) => event.type === "unknown.observed" && event.payload.axis === "raw"),
    ).toHaveLength(1);
  });

  test("invalid UTF-8 is said", async () => {
    const bytes = Buffer.from(lines(user("One X.")));
    bytes[bytes.indexOf("X")] = 0xff;
    const { ledger } = await readOne(bytes as unknown as string);
    expect(ledger.losses).toContainEqual(
      expect.objectContaining({ axis: "raw", reason: "invalid-text", count: 1 }),
    );
  });

  test("times that are none are taken from the record before, and marked", async () => {
    const { events } = await readOne(lines(user("One."), { ...said("a", "A."), timestamp: "" }));
    expect(
      events.find((event) => event.type === "message.completed" && event.payload.role === "assistant"),
    ).toMatchObject({
      time: "2026-11-30T10:00:01.000Z",
      timeInferred: true,
    });
  });

  test("a circle of parents ends", async () => {
    const { events } = await readOne(
      lines(user("One.", { parentUuid: uuidOf(2) }), said("a", "A."), user("Two.")),
    );
    expect(told(events)).toEqual(["user: One.", "assistant: A.", "user: Two."]);
  });

  test("thousands of records, each with a parent that is not there", async () => {
    const records = Array.from({ length: 3000 }, (_, n) =>
      user(`${n}`, { parentUuid: `gone-${n}`, timestamp: "" }),
    );
    const { events, ledger } = await readOne(lines(...records));
    expect(told(events)).toHaveLength(3000);
    expect(ledger.losses).toContainEqual(expect.objectContaining({ reason: "dangling-parent", count: 2999 }));
  });
});

describe("what is not the person's words", () => {
  test.each([
    ["<local-command-stdout>x</local-command-stdout>", {}, { injected: "command" }],
    ["<bash-input>ls -l</bash-input>", {}, { injected: "command", display: "!ls -l" }],
    [
      "<command-name>/plan</command-name>\n<command-args>now</command-args>",
      {},
      { injected: "command", display: "/plan now" },
    ],
    [
      "<command-message>shout</command-message>\n<command-name>/shout</command-name>",
      {},
      { injected: "command", display: "/shout" },
    ],
    ["[Request interrupted by user]", {}, { injected: "notice" }],
    ["<task-notification>x</task-notification>", {}, { injected: "notice" }],
    [
      "Caveat: The messages below were generated by the user while running local commands.",
      {},
      { injected: "command" },
    ],
    ["Base directory for this skill: /x", { isMeta: true }, { injected: "skill", audience: ["assistant"] }],
    ["[Image: source: /x.png]", { isMeta: true }, { injected: "tool", audience: ["assistant"] }],
    [
      "<system-reminder>x</system-reminder>",
      { isMeta: true },
      { injected: "notice", audience: ["assistant"] },
    ],
    ["do it", { isMeta: true }, { injected: "command", audience: ["assistant"] }],
    ["So far.", { isCompactSummary: true }, { kind: "summary" }],
    ["what I want", {}, {}],
  ])("%s", async (words, more, expected) => {
    const { events } = await readOne(lines(user(words, more)));
    const found = events.find((event) => event.type === "message.completed");
    const {
      messageId: _,
      role: __,
      blocks: ___,
      ...manner
    } = (found?.payload ?? {}) as Record<string, unknown>;
    expect(manner).toEqual(expected);
  });

  test("an editor's additions are sent, a person sees their own words", async () => {
    const { events } = await readOne(
      lines(
        user([
          { type: "text", text: "<ide_opened_file>a.ts</ide_opened_file>" },
          { type: "text", text: "Explain." },
        ]),
      ),
    );
    expect(events.find((event) => event.type === "message.completed")?.payload).toMatchObject({
      display: "Explain.",
      blocks: [{ text: "<ide_opened_file>a.ts</ide_opened_file>" }, { text: "Explain." }],
    });
  });
});

describe("plans, approvals, titles", () => {
  test("TodoWrite and the task tools give the list as it stands", async () => {
    const todos = [
      { content: "First", status: "completed", activeForm: "x" },
      { content: "Second", status: "pending" },
    ];
    const { events } = await readOne(
      lines(
        user("Go."),
        said("a", call("t1", { todos }, "TodoWrite")),
        { ...result("t1", "ok"), toolUseResult: { oldTodos: [], newTodos: todos } },
        said("b", call("t2", { subject: "Third" }, "TaskCreate")),
        { ...result("t2", "ok"), toolUseResult: { task: { id: "1", subject: "Third" } } },
        said("c", call("t3", { taskId: "1", status: "in_progress" }, "TaskUpdate")),
        { ...result("t3", "ok"), toolUseResult: { success: true } },
      ),
    );
    expect(events.flatMap((event) => (event.type === "task.updated" ? [event.payload.plan] : []))).toEqual([
      [
        { content: "First", status: "completed" },
        { content: "Second", status: "pending" },
      ],
      [{ content: "Third", status: "pending" }],
      [{ content: "Third", status: "in_progress" }],
    ]);
  });

  test("a refusal is an approval that was resolved", async () => {
    const { events } = await readOne(
      lines(user("Go."), said("a", call("t1")), {
        ...result("t1", "no", { is_error: true }),
        toolDenialKind: "user-rejected",
      }),
    );
    expect(events.find((event) => event.type === "approval.resolved")?.payload).toEqual({
      approvalId: "t1",
      toolCallId: "t1",
      outcome: "user-rejected",
    });
  });

  test("settings and names change where they change", async () => {
    const { events } = await readOne(
      lines(
        user("Go.", { permissionMode: "plan" }),
        { ...said("a", "A."), effort: "high" },
        { type: "custom-title", customTitle: "Named", sessionId: ID },
        user("On.", { permissionMode: "plan", cwd: "/home/dev/demo/sub" }),
        { type: "permission-mode", permissionMode: "default", sessionId: ID },
      ),
    );
    expect(
      events.flatMap((event): unknown[] =>
        event.type === "capabilities.changed"
          ? [event.payload.settings]
          : event.type === "session.bound"
            ? [event.payload]
            : [],
      ),
    ).toEqual(
      expect.arrayContaining([
        { mode: "plan" },
        { thought_level: "high" },
        { model: "claude-opus-5-5" },
        { mode: "default" },
        { cwd: "/home/dev/demo/sub" },
        { title: "Named", titleBy: "user" },
      ]),
    );
  });
});

test("an output kept in a file of its own is told of, and so is the file", async () => {
  const { ref, events } = await readOne(
    lines(
      user("Go."),
      said("a", call("t1")),
      result(
        "t1",
        `<persisted-output>\nOutput too large (33.1KB). Full output saved to: /x/tool-results/b.txt\n\nPreview:\n1`,
      ),
    ),
    { [`projects/-home-dev-demo/${ID}/tool-results/b.txt`]: "1\n2\n" },
  );
  expect(ref.files.map(({ relative, role }) => [relative, role])).toEqual([
    [`projects/-home-dev-demo/${ID}.jsonl`, "transcript"],
    [`projects/-home-dev-demo/${ID}/tool-results/b.txt`, "companion"],
  ]);
  expect(events.flatMap((event) => (event.type === "artifact.observed" ? [event.payload.uri] : []))).toEqual([
    "/x/tool-results/b.txt",
    `projects/-home-dev-demo/${ID}/tool-results/b.txt`,
  ]);
});

test("a subagent that stands in its parent's file is a session of its own", async () => {
  const [read, ...more] = await readText(
    lines(
      user("Go."),
      said("a", call("t1", { prompt: "Count." }, "Task")),
      user("Count.", { parentUuid: null, isSidechain: true, uuid: "00000000-0000-4000-8000-00000000aaaa" }),
      { ...said("s", "Two."), isSidechain: true },
      { ...result("t1", "Two."), parentUuid: uuidOf(2) },
      said("b", "Done."),
    ),
  );
  expect(more).toEqual([]);
  expect(told(read?.events ?? [])).toEqual([
    "user: Go.",
    "assistant: tool-call",
    "result t1: Two.",
    "assistant: Done.",
  ]);
  expect(read?.ref.children.map(({ parent, messages, title }) => ({ parent, messages, title }))).toEqual([
    { parent: { id: ID, relation: "subagent" }, messages: 2, title: "Count." },
  ]);
});

test("a side record that stands twice is two events, each with an id of its own", async () => {
  const note = {
    type: "system",
    subtype: "informational",
    content: "Note",
    parentUuid: null,
    uuid: uuidOf(9),
  };
  const { events } = await readOne(lines(user("Go."), note, note, said("m", "Done.")));
  const ids = events.flatMap(({ type, nativeId }) => (type === "unknown.observed" ? [nativeId] : []));
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(2);
  expect(ids).toContain(uuidOf(9));
});
