import { hash } from "node:crypto";
import {
  type Block,
  type EventOf,
  type EventType,
  event,
  type Payloads,
  type SessionEvent,
} from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import * as kit from "../test-kit/store.js";

const { written } = kit;

let made = 0;
function happened<T extends EventType>(
  type: T,
  payload: Payloads[T],
  more: Partial<EventOf<T>> = {},
): SessionEvent {
  const time = new Date(kit.START + 1000 * ++made).toISOString();
  const origin = [{ record: 0, file: 0, offset: 0, length: 1 }];
  return event(type, payload, { origin, time, nativeId: `n${made}`, ...more }) as SessionEvent;
}
const text = (words: string): Block => ({ type: "text", text: words });
const says = (
  role: "user" | "assistant" | "system",
  blocks: Block[],
  more: Partial<Payloads["message.completed"]> = {},
  rest: Partial<EventOf<"message.completed">> = {},
) => happened("message.completed", { messageId: `m${made}`, role, blocks, ...more }, rest);
const calls = (toolCallId: string, args: unknown = {}, more: object = {}): Block => ({
  type: "tool-call",
  toolCallId,
  name: "bash",
  arguments: args,
  ...more,
});
const done = (toolCallId: string, blocks: Block[] = [text("r")], more: object = {}) =>
  happened("tool.completed", { toolCallId, result: blocks, isError: false, ...more });
const started = (more: Partial<Payloads["session.started"]> = {}) =>
  happened("session.started", { nativeSessionId: "foreign", ...more });
const write = (...events: SessionEvent[]) => written([started(), ...events]);
const kinds = ({ parts }: kit.Written["messages"][number]) => parts.map(({ type }) => type);

describe("ids and order: what the program goes by", () => {
  test("prefixes and forms are the program's own; sessions sort newest first, messages and parts as they were said", async () => {
    const { sessions, messages } = await write(
      says("user", [text("one")]),
      says("assistant", [text("two"), calls("c1"), text("three")]),
      done("c1"),
      says("user", [text("four")]),
    );
    expect(sessions[0]?.id).toMatch(/^ses_[0-9a-f]{12}[0-9A-Za-z]{14}$/);
    for (const { id, parts } of messages) {
      expect(id).toMatch(/^msg_[0-9a-f]{12}[0-9A-Za-z]{14}$/);
      for (const part of parts) expect(part.id).toMatch(/^prt_[0-9a-f]{12}[0-9A-Za-z]{14}$/);
      expect(parts.map((part) => part.id)).toEqual(parts.map((part) => part.id).sort());
    }
    expect(messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id).sort());
    const later = await written([started()], { createdAt: "2026-12-30T10:00:00.000Z" });
    expect(String(later.sessions[0]?.id) < String(sessions[0]?.id)).toBe(true);
  });

  test("times of messages rise, whatever the source says: of one time, the answer would come before the question", async () => {
    const at = { time: "2026-11-30T10:00:00.000Z" };
    const { messages, losses } = await write(
      says("user", [text("one")], {}, at),
      says("assistant", [text("two")], {}, at),
      says("user", [text("three")], {}, { time: "2026-11-30T09:00:00.000Z" }),
    );
    const times = messages.map((message) => message.at);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(messages.map(({ data }) => data.role)).toEqual(["user", "assistant", "user"]);
    expect(losses).toContain("times partial re-encoded 2");
  });

  test("the same conversion gives the same rows; a copy gets ids of its own", async () => {
    const events = [started(), says("user", [text("one")])];
    const [one, two] = [await written(events), await written(events)];
    expect(two.messages).toEqual(one.messages);
    expect((await written(events, { id: "other" })).plan.id).not.toBe(one.plan.id);
  });
});

describe("an answer", () => {
  test("is a step between its marks, with the call answered in its place: nothing is glued together", async () => {
    const { messages } = await write(
      says("user", [text("go")]),
      says("assistant", [text("before"), calls("c1", { command: "ls" })]),
      done("c1", [text("out")]),
      says("assistant", [text("after")]),
    );
    expect(messages.map(kinds)).toEqual([
      ["text"],
      ["step-start", "text", "tool", "step-finish"],
      ["step-start", "text", "step-finish"],
    ]);
    const [question, first] = messages;
    expect(first?.data).toMatchObject({
      parentID: question?.id,
      finish: "tool-calls",
      path: { cwd: "/home/dev/demo" },
    });
    expect(first?.parts[2]).toMatchObject({
      callID: "c1",
      tool: "bash",
      // All of these are wanted, or the program cannot show the session.
      state: {
        status: "completed",
        input: { command: "ls" },
        output: "out",
        title: "ls",
        metadata: {},
        time: {},
      },
    });
    expect(messages[2]?.data).toMatchObject({ finish: "stop" });
  });

  test("has every call answered: by its error, by a later result, or by what the program says of none", async () => {
    const { messages, losses } = await write(
      says("user", [text("go")]),
      says("assistant", [calls("c1"), calls("c2"), calls("c3")]),
      done("c1", [text("no")], { isError: true }),
      says("user", [text("meanwhile")]),
      done("c2", [text("late")]),
    );
    const states = messages[1]?.parts.flatMap(({ state }) => (state ? [state] : []));
    expect(states).toMatchObject([
      { status: "error", error: "no" },
      { status: "completed", output: "late" },
      { status: "error", error: "[Tool execution was interrupted]" },
    ]);
    expect(losses).toContain("tool-results partial missing-result 2");
  });

  test("keeps the calls' ids where they are legal and once; input that is no object is wrapped, and read back", async () => {
    const { messages, losses, files } = await write(
      says("user", [text("go")]),
      says("assistant", [
        calls("a|b", "free text", { freeform: true }),
        calls("x", {}, { namespace: "mcp__docs", name: "find" }),
      ]),
      done("a|b"),
      done("x"),
      says("assistant", [calls("x")]),
      done("x"),
    );
    const tools = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool"));
    expect(
      tools.map(({ callID, tool, state }) => [callID, tool, (state as { input: unknown }).input]),
    ).toEqual([
      [expect.stringMatching(/^a_b_[0-9a-f]+$/), "bash", { input: "free text" }],
      ["x", "mcp__docs_find", {}],
      ["x_2", "bash", {}],
    ]);
    expect(losses).toEqual(
      expect.arrayContaining(["ids partial id-not-legal 1", "ids partial duplicate-id 1"]),
    );
    const { events } = await kit.read(files, kit.TARGET_ROOT);
    const back = events.flatMap((one) => (one.type === "message.completed" ? one.payload.blocks : []));
    expect(back.filter(({ type }) => type === "tool-call")).toMatchObject([
      { toolCallId: "a|b", arguments: "free text", freeform: true },
      { toolCallId: "x", namespace: "mcp__docs", name: "find" },
      { toolCallId: "x" },
    ]);
  });

  test("that failed is kept for the person, and sent to no model", async () => {
    const { messages } = await write(
      says("user", [text("go")]),
      says("assistant", [{ type: "error", message: "overloaded", code: "529" }], { audience: ["user"] }),
    );
    expect(messages[1]?.data).toMatchObject({
      error: { name: "UnknownError", data: { message: "overloaded" } },
    });
    expect(messages[1]?.data.finish).toBeUndefined();
  });

  test("has another vendor's thoughts for the way back only: as words they would be sent as said", async () => {
    const thought: Block = { type: "thinking", text: "hm", signature: "sig" };
    const { messages, losses, files } = await write(
      says("user", [text("go")]),
      says("assistant", [thought, text("so")]),
    );
    const [, reasoning] = messages[1]?.parts ?? [];
    expect(reasoning).toMatchObject({ type: "reasoning", text: "" });
    expect(losses).toEqual(
      expect.arrayContaining([
        "thinking evidence-only not-supported 1",
        "opaque-reasoning evidence-only foreign-signature 1",
      ]),
    );
    const { events } = await kit.read(files, kit.TARGET_ROOT);
    const back = events.flatMap((one) => (one.type === "message.completed" ? one.payload.blocks : []));
    expect(back).toContainEqual(thought);
  });
});

describe("what is not the person's words", () => {
  test("is synthetic beside them, or ignored where it was only shown; a program's preamble stays behind", async () => {
    const { messages, losses } = await write(
      says("system", [text("You are")], { injected: "harness" }),
      says("user", [text("typed")]),
      says("user", [text("body")], { injected: "skill" }),
      says("user", [text("shown")], { audience: ["user"] }),
      says("system", [text("told")]),
    );
    const parts = messages.flatMap((message) => message.parts);
    expect(parts.map(({ text: words, synthetic, ignored }) => [words, synthetic, ignored])).toEqual([
      ["typed", undefined, undefined],
      ["body", true, undefined],
      ["shown", undefined, true],
    ]);
    expect(losses).toContain("injected-context dropped harness-preamble 2");
  });
});

test("pictures go along with messages and results; how closely they were looked at does not, and it is said", async () => {
  const image = (more: object = {}): Block => ({
    type: "image",
    mimeType: "image/png",
    data: "AAAA",
    ...more,
  });
  const { messages, losses } = await write(
    says("user", [text("look"), image(), image({ detail: "high" })]),
    says("assistant", [calls("c1")]),
    done("c1", [text("seen"), image()]),
  );
  const url = "data:image/png;base64,AAAA";
  expect(messages[0]?.parts.slice(1)).toMatchObject([
    { type: "file", mime: "image/png", url },
    { type: "file", mime: "image/png", url },
  ]);
  const state = messages[1]?.parts[1]?.state as { attachments: object[] };
  expect(state.attachments).toMatchObject([
    { id: expect.stringMatching(/^prt_/), messageID: messages[1]?.id, type: "file", url },
  ]);
  expect(losses).toContain("images evidence-only no-counterpart 1");
});

describe("a compaction of another program", () => {
  test("leaves what it kept as the session, and what was before in one below it", async () => {
    const context = [says("user", [text("summary")], { kind: "summary" })];
    const { sessions, messages, plan, losses } = await write(
      says("user", [text("old")]),
      says("assistant", [text("older")]),
      happened("status.changed", { status: "compacted", context }),
      says("user", [text("new")]),
    );
    const words = (id: unknown) =>
      messages.filter(({ session }) => session === id).flatMap(({ parts }) => parts.map((part) => part.text));
    const before = sessions.find(({ id }) => id !== plan.id);
    expect(words(plan.id)).toEqual(["summary", "new"]);
    expect(words(before?.id).filter((word) => word !== undefined)).toEqual(["old", "older"]);
    expect(before).toMatchObject({
      parent_id: plan.id,
      title: expect.stringMatching(/before the compaction/),
    });
    expect(losses).toContain("compaction partial re-encoded 1");
  });
});

describe("the session", () => {
  test("belongs to its folder's project, and says where it came from in a place of our own", async () => {
    const { sessions, todos } = await written(
      [
        started({ title: "T", model: "claude-opus-5" }),
        says("user", [text("go")]),
        happened("task.updated", { plan: [{ content: "a", status: "pending" }] }),
        happened("task.updated", { plan: [{ content: "a", status: "completed", priority: "high" }] }),
      ],
      { title: "T", titleFrom: "user" },
    );
    expect(sessions).toMatchObject([
      {
        project_id: "global",
        directory: "/home/dev/demo",
        path: "home/dev/demo",
        title: "T",
        parent_id: null,
      },
    ]);
    expect(JSON.parse(String(sessions[0]?.metadata))).toEqual({
      asp: { from: { harness: "sample", id: "foreign" } },
    });
    // A model that the person does not have would stop the session.
    expect(sessions[0]?.model).toBeNull();
    expect(todos).toMatchObject([{ content: "a", status: "completed", priority: "high", position: 0 }]);
  });

  test("is of the project of its repository's remote, as the program finds it", async () => {
    const present = new Map([
      ["/home/dev/demo/.git/config", Buffer.from('[remote "origin"]\n\turl = git@Host.example:a/b.git\n')],
      ["/home/dev/demo/.git/HEAD", Buffer.from("ref: refs/heads/main\n")],
    ]);
    const { sessions } = await written([started()], { cwd: "/home/dev/demo/sub" }, { present });
    expect(sessions).toMatchObject([
      { project_id: hash("sha1", "git-remote:host.example/a/b"), path: "sub" },
    ]);
  });

  test("goes where it is told to, and is refused without a folder", async () => {
    expect((await written([started()], {}, { cwd: "/srv/x" })).sessions).toMatchObject([
      { directory: "/srv/x" },
    ]);
    await expect(written([started()], { cwd: "" })).rejects.toThrow(/--cwd/);
  });

  test("without a title gets one that the program will replace", async () => {
    expect((await written([started()])).sessions[0]?.title).toBe("New session - 2026-11-30T10:00:00.000Z");
  });

  test("an earlier title is declared", async () => {
    const { losses, sessions } = await written(
      [started({ title: "first" }), happened("session.bound", { title: "second" })],
      { title: "second", titleFrom: "user" },
    );
    expect(sessions[0]?.title).toBe("second");
    expect(losses).toContain("title evidence-only superseded 1");
  });
});

describe("a database that is there", () => {
  test("of a version that nobody has seen is written to only if its tables fit", async () => {
    const { databaseWith } = await import("@asp-convert/core");
    const { sourceOf } = await import("@asp-convert/conformance/toolbox");
    const path = `${kit.TARGET_ROOT}/opencode.db`;
    const first = await written([started()]);
    const strange = first.files.get(path) as Uint8Array;
    const odd = await databaseWith(sourceOf(new Map()), path, [
      {
        do: "rows",
        path,
        create: ["CREATE TABLE session (id TEXT PRIMARY KEY)"],
        rows: async function* () {},
      },
    ]);
    await expect(written([started()], {}, { present: new Map([[path, odd]]) })).rejects.toThrow(
      /has no table project.*does not know.*--out/s,
    );
    const again = await written([started()], { id: "second" }, { present: new Map([[path, strange]]) });
    expect(again.sessions).toHaveLength(2);
  });
});

test("an agent of its own goes on; one of another program of the family, which may not be there, would stop Kilo", async () => {
  const said = [
    started(),
    happened("capabilities.changed", { settings: { mode: "reviewer" } }),
    says("user", [text("one")]),
  ];
  for (const [harness, agent] of [
    ["opencode", "reviewer"],
    ["kilo", "build"],
  ] as const) {
    const { sessions, messages, losses } = await written(said, { harness });
    expect([sessions[0]?.agent, messages[0]?.data.agent]).toEqual([agent, agent]);
    expect(losses.includes("settings partial no-equal 1")).toBe(harness === "kilo");
  }
});
