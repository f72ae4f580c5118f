import { convert, readAll, sessionsIn, sourceOf, TARGET_ROOT } from "@asp-convert/conformance/toolbox";
import {
  type Block,
  type EventOf,
  type EventType,
  LossLedger,
  type Payloads,
  type SessionEvent,
  type SessionInput,
  type SessionRef,
} from "@asp-convert/core";
import { beforeEach, describe, expect, test } from "vitest";
import * as r from "../../test-kit/rollout.js";
import codex from "../index.js";
import { WrittenLine } from "../records.js";

beforeEach(r.restart);

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

let record = 0;
function happened<T extends EventType>(
  type: T,
  payload: Payloads[T],
  more: Partial<EventOf<T>> = {},
): SessionEvent {
  return {
    type,
    payload,
    time: "2026-05-04T10:00:00.500Z",
    origin: [{ record: record++, file: 0, offset: 0, length: 1 }],
    ...more,
  } as SessionEvent;
}
const says = (
  role: "user" | "assistant" | "system",
  blocks: Block[],
  more: Partial<Payloads["message.completed"]> = {},
) => happened("message.completed", { messageId: `m${record}`, role, blocks, ...more });
const text = (words: string): Block => ({ type: "text", text: words });
const calls = (toolCallId: string, name = "Bash", args: unknown = { command: "ls" }, more = {}): Block => ({
  type: "tool-call",
  toolCallId,
  name,
  arguments: args,
  ...more,
});
const answers = (toolCallId: string, result: Block[] = [text("a.txt")], isError = false, more = {}) =>
  happened("tool.completed", { toolCallId, result, isError, ...more });

const REF: SessionRef = {
  harness: "claude",
  id: "aaaaaaaa-0000-4000-8000-000000000001",
  path: "/x.jsonl",
  files: [],
  cwd: "/home/dev/demo",
  git: { branch: "main", commit: "abc" },
  createdAt: "2026-05-04T09:59:00.000Z",
  updatedAt: "2026-05-04T10:05:00.000Z",
  size: 1,
  children: [],
};

interface Written {
  lines: { timestamp: string; type: string; payload: Record<string, unknown> }[];
  items: Record<string, unknown>[];
  events: Record<string, unknown>[];
  losses: string[];
  kept: ReadonlyMap<string, number>;
  path: string;
  index: string;
  mtime: number | undefined;
  id: string;
  files: Map<string, Uint8Array>;
}

/** Writes events as a session of another program, and holds every line against the shapes that are allowed. */
async function write(
  events: readonly SessionEvent[],
  ref: Partial<SessionRef> = {},
  children: SessionEvent[][] = [],
): Promise<Written> {
  const input = (of: SessionRef, said: readonly SessionEvent[], below: SessionEvent[][]): SessionInput => {
    const ledger = new LossLedger(of.id);
    for (let i = 0; i <= record; i++) ledger.record();
    return {
      ref: of,
      ledger,
      events: async function* () {
        yield* said;
      },
      children: below.map((each, i) => input({ ...REF, id: `child-${i}`, children: [] }, each, [])),
    };
  };
  const session = input({ ...REF, ...ref }, events, children);
  const target = {
    root: "/t",
    environment: { env: {}, home: "/h", platform: "linux" as const, cwd: "/" },
    source: sourceOf(new Map()),
    copy: 0,
  };
  const plan = await codex.sessions.write(session, target);
  const files = new Map<string, Uint8Array>();
  let mtime: number | undefined;
  let index = "";
  for (const each of [plan, ...plan.children]) {
    for (const action of each.actions) {
      if (action.do === "create" && typeof action.content === "function") {
        let whole = "";
        for await (const part of action.content()) whole += part;
        files.set(action.path, Buffer.from(whole));
        mtime ??= action.mtimeMs?.();
      } else if (action.do === "append" && each === plan) index = action.lines();
    }
  }
  for (const bytes of files.values()) {
    for (const line of Buffer.from(bytes).toString("utf8").trimEnd().split("\n"))
      WrittenLine.parse(JSON.parse(line));
  }
  const path = plan.actions[0] && "path" in plan.actions[0] ? plan.actions[0].path : "";
  const lines: Written["lines"] = Buffer.from(files.get(path) ?? [])
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const of = (type: string) => lines.filter((line) => line.type === type).map(({ payload }) => payload);
  return {
    lines,
    items: of("response_item"),
    events: of("event_msg"),
    losses: session.ledger.losses.map(({ axis, level, reason }) => `${axis} ${level} ${reason}`),
    kept: session.ledger.kept,
    path,
    index,
    mtime,
    id: plan.id,
    files,
  };
}

describe("the file", () => {
  test("name, head, times and index entry", async () => {
    const written = await write([says("user", [text("q")])], { title: "A name\u0007", titleFrom: "user" });
    expect(written.path).toMatch(
      new RegExp(`^/t/sessions/2026/05/0\\d/rollout-2026-05-0\\dT\\d\\d-59-00-${written.id}\\.jsonl$`),
    );
    expect(written.lines[0]).toMatchObject({
      timestamp: REF.createdAt,
      type: "session_meta",
      payload: {
        id: written.id,
        session_id: written.id,
        timestamp: REF.createdAt,
        cwd: "/home/dev/demo",
        source: "cli",
        git: { branch: "main", commit_hash: "abc" },
        asp: { converted_from: { harness: "claude", session_id: REF.id } },
      },
    });
    // What would pin the session to a provider or a prompt that is not the person's own.
    for (const key of ["model_provider", "base_instructions"])
      expect(written.lines[0]?.payload).not.toHaveProperty(key);
    expect(written.mtime).toBe(Date.parse(REF.updatedAt as string));
    expect(JSON.parse(written.index)).toEqual({
      id: written.id,
      thread_name: "A name",
      updated_at: REF.updatedAt,
    });
    expect(written.lines.every(({ timestamp }) => timestamp.startsWith("2026-05-04"))).toBe(true);
  });
  test("the same session has the same id, a further copy another one", async () => {
    const one = await write([says("user", [text("q")])]);
    expect((await write([says("user", [text("q")])])).id).toBe(one.id);
    expect((await write([says("user", [text("q")])], { id: "other" })).id).not.toBe(one.id);
    expect(one.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });
  test("first words of a prompt are no name; a name that comes on the way is one", async () => {
    expect((await write([says("user", [text("q")])], { title: "q", titleFrom: "prompt" })).index).toBe("");
    const named = await write([
      happened("session.bound", { title: "Later", titleBy: "agent" }),
      says("user", [text("q")]),
    ]);
    expect(JSON.parse(named.index).thread_name).toBe("Later");
  });
  test("without a working directory it is refused, with what to do", async () => {
    await expect(write([], { cwd: "" })).rejects.toThrow(/--cwd/);
  });
  test("a subagent's session stands beside, bound to the one that started it", async () => {
    const written = await write([says("user", [text("q")])], {}, [[says("user", [text("sub")])]]);
    expect(written.files.size).toBe(2);
    const [, child] = [...written.files.values()];
    const head = JSON.parse(
      Buffer.from(child ?? [])
        .toString("utf8")
        .split("\n", 1)[0] ?? "",
    );
    expect(head.payload).toMatchObject({
      session_id: written.id,
      parent_thread_id: written.id,
      thread_source: "subagent",
      source: { subagent: { thread_spawn: { parent_thread_id: written.id, depth: 1 } } },
    });
    const store = await sessionsIn(codex, "/t", sourceOf(written.files));
    expect(store).toMatchObject([
      { id: written.id, children: [{ parent: { id: written.id, relation: "subagent" } }] },
    ]);
  });
});

describe("what the model is sent", () => {
  test("one part for each text, pictures as data", async () => {
    const { items } = await write([
      says("user", [text("a"), { type: "image", mimeType: "image/png", data: PIXEL }, text("b")]),
    ]);
    expect(items).toEqual([
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "a" },
          { type: "input_image", image_url: `data:image/png;base64,${PIXEL}` },
          { type: "input_text", text: "b" },
        ],
      },
    ]);
  });
  test.each([
    ["an address", { type: "image", uri: "https://example.org/x.png" }],
    ["no picture", { type: "image", mimeType: "image/png", data: "AAAA" }],
  ] as const)("%s would become a text of the program's own: it is left out and said", async (_, image) => {
    const { items, losses } = await write([says("user", [text("look"), { ...image }])]);
    expect(items[0]?.content).toEqual([{ type: "input_text", text: "look" }]);
    expect(losses).toContain("images dropped not-supported");
  });
  test("nothing empty (P08), no half characters (P05)", async () => {
    const { items, losses } = await write([
      says("assistant", [text(" \n"), text("ok \ud83d")]),
      says("user", [text("")]),
    ]);
    expect(items).toEqual([
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "ok \ufffd" }] },
    ]);
    expect(losses).toEqual(
      expect.arrayContaining(["messages dropped empty", "messages partial invalid-text"]),
    );
  });
  test("calls of another program stay calls; ids and names are made legal, both times alike (P14)", async () => {
    const id = "functions.f:0|x";
    const { items } = await write([
      says("assistant", [
        text("I look."),
        calls(id, "my tool!", { a: 1 }),
        calls("c2", "mcp__demo__echo", { t: 1 }),
        calls("c3", "patch", "raw text", { freeform: true }),
      ]),
      answers(id),
      answers("c2", [text("one"), text("two")]),
      answers("c3", []),
    ]);
    const [, first, second, third, ...outputs] = items;
    expect(first).toMatchObject({
      type: "function_call",
      arguments: '{"a":1}',
      call_id: expect.stringMatching(/^functions_f_0_x_[0-9a-f]{10}$/),
    });
    expect(first?.name).toMatch(/^my_tool__[0-9a-f]{10}$/);
    expect(second).toMatchObject({ name: "echo", namespace: "mcp__demo" });
    expect(third).toMatchObject({ type: "custom_tool_call", name: "patch", input: "raw text" });
    expect(outputs).toEqual([
      { type: "function_call_output", call_id: first?.call_id, output: "a.txt" },
      {
        type: "function_call_output",
        call_id: "c2",
        output: [
          { type: "input_text", text: "one" },
          { type: "input_text", text: "two" },
        ],
      },
      { type: "custom_tool_call_output", call_id: "c3", output: "" },
    ]);
  });
  test("a result without its call is not written, a call without result is said", async () => {
    const { items, losses } = await write([answers("c9"), says("assistant", [calls("c1")])]);
    expect(items).toMatchObject([{ type: "function_call" }, { output: "aborted", asp: { synthetic: true } }]);
    expect(losses).toEqual(
      expect.arrayContaining([
        "tool-results evidence-only orphan-result",
        "tool-results not-in-source missing-result",
      ]),
    );
  });
  test("another vendor's reasoning is shown, never sent (P11)", async () => {
    const { items, events, losses } = await write([
      says("assistant", [{ type: "thinking", text: "hm", signature: "SIG" }, text("a")]),
    ]);
    expect(JSON.stringify(items)).not.toMatch(/hm|SIG/);
    expect(events).toContainEqual({ type: "agent_reasoning", text: "hm" });
    expect(losses).toEqual(
      expect.arrayContaining([
        "thinking partial shown-not-sent",
        "opaque-reasoning evidence-only foreign-signature",
      ]),
    );
  });
  test("context that the source adds by itself does not come along; other injected texts are sent, not shown", async () => {
    const { items, events, losses } = await write([
      says("user", [text("<system-reminder>")], { injected: "harness" }),
      says("user", [text("<bash-stdout>x")], { injected: "command" }),
      says("assistant", [text("API error")], { audience: ["user"] }),
      says("user", [text("unseen")], { audience: ["assistant"] }),
    ]);
    expect(items).toEqual([
      {
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: "<bash-stdout>x" }],
        asp: { injected: "command" },
      },
      { type: "message", role: "user", content: [{ type: "input_text", text: "unseen" }] },
    ]);
    expect(events.filter(({ type }) => /message/.test(String(type)))).toEqual([
      { type: "agent_message", message: "API error" },
    ]);
    expect(losses).toContain("injected-context dropped harness-preamble");
  });
  test("a compaction's context takes the place of the history", async () => {
    const context = [
      says("user", [text("preamble")], { injected: "harness" }),
      says("user", [text("the summary")], { kind: "summary" }),
      says("assistant", [calls("c1")]),
      answers("c1"),
    ];
    const { lines, items } = await write([
      says("user", [text("old")]),
      happened("status.changed", { status: "compacted", trigger: "auto", context }),
      says("user", [text("new")]),
    ]);
    expect(lines.find(({ type }) => type === "compacted")?.payload).toEqual({
      message: "the summary",
      replacement_history: [
        {
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: "the summary" }],
          asp: { kind: "summary" },
        },
        { type: "function_call", name: "Bash", arguments: '{"command":"ls"}', call_id: "c1" },
        { type: "function_call_output", call_id: "c1", output: "a.txt" },
      ],
    });
    expect(items).toHaveLength(2);
  });
  test("an abandoned branch stays in the source", async () => {
    const { items, losses } = await write([
      says("user", [text("q")]),
      { ...says("user", [text("left")]), branch: "b" },
    ]);
    expect(items).toHaveLength(1);
    expect(losses).toContain("branches evidence-only abandoned-branch");
  });
});

describe("what the screen shows", () => {
  test("each message of the person begins a turn, one that was queued does not; the clean words are shown", async () => {
    const { events } = await write([
      says("user", [text("wrapped q")], { display: "q" }),
      says("assistant", [text("a")]),
      says("user", [text("more")], { kind: "queued" }),
      says("user", [text("next")]),
    ]);
    expect(events.map(({ type, message }) => (message === undefined ? type : `${type} ${message}`))).toEqual([
      "task_started",
      "user_message q",
      "agent_message a",
      "user_message more",
      "task_complete",
      "task_started",
      "user_message next",
      "task_complete",
    ]);
  });
  test("the source's own turns are kept, and how they ended", async () => {
    const { events } = await write([
      happened("turn.started", { turnId: "t1" }),
      says("user", [text("q")]),
      says("user", [text("steer")]),
      happened("turn.completed", { turnId: "t1", status: "cancelled" }),
      happened("turn.started", { turnId: "t2" }),
      happened("turn.completed", { turnId: "t2", status: "failed", error: "boom" }),
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      "task_started",
      "user_message",
      "user_message",
      "turn_aborted",
      "task_started",
      "task_complete",
    ]);
    expect(events.at(-1)?.error).toEqual({ message: "boom", codex_error_info: "other" });
  });
  test("a call is shown with its result, under its program's or its server's name", async () => {
    const { events, items } = await write([
      says("user", [text("q")]),
      says("assistant", [calls("c1"), calls("c2", "mcp__demo__echo", { t: 1 })]),
      answers("c1", [text("no such file")], true),
      answers("c2"),
    ]);
    expect(events.filter(({ type }) => type === "mcp_tool_call_end")).toMatchObject([
      {
        call_id: "c1",
        invocation: { server: "claude", tool: "Bash", arguments: { command: "ls" } },
        result: { Ok: { content: [{ type: "text", text: "no such file" }], isError: true } },
      },
      { call_id: "c2", invocation: { server: "demo", tool: "echo" }, result: { Ok: { isError: false } } },
    ]);
    expect(items.find(({ type }) => type === "function_call_output")).toMatchObject({
      asp: { isError: true },
    });
  });
});

describe("there and back", () => {
  test("what we write we read as the same", async () => {
    const written = await write([
      says("user", [text("q"), { type: "image", mimeType: "image/png", data: PIXEL }]),
      says("user", [text("<hook>")], { injected: "command" }),
      says("assistant", [
        { type: "thinking", text: "hm" },
        text("I look."),
        calls("c1"),
        calls("c2", "mcp__demo__echo"),
      ]),
      answers("c1", [text("bad")], true),
      answers("c2"),
      says("assistant", [text("done")]),
    ]);
    const source = sourceOf(written.files);
    const [ref] = await sessionsIn(codex, "/t", source);
    if (!ref) throw new Error("it is not listed");
    expect(ref).toMatchObject({ id: written.id, title: "q", messages: 3, createdAt: REF.createdAt });
    expect(r.talk((await readAll(codex, ref, source)).events)).toEqual([
      "user: q [image]",
      "user (command): <hook>",
      "assistant (for user): (hm)",
      "assistant: I look. #c1 #c2",
      "!result c1 bad",
      "result c2 a.txt",
      "assistant: done",
    ]);
  });
  test("Codex to Codex: what only its vendor reads comes back as it was", async () => {
    const reasoning = {
      type: "reasoning",
      summary: [{ type: "summary_text", text: "hm" }],
      content: null,
      encrypted_content: "gAAA",
    };
    const search = { type: "web_search_call", status: "completed", action: { type: "search", query: "x" } };
    const store = await r.opened([
      r.meta(),
      r.user("q"),
      r.item(reasoning),
      r.item(search),
      r.assistant("a", { phase: "final_answer" }),
    ]);
    const { files } = await convert({ from: codex, ref: r.only(store), source: store.source, to: codex });
    const [bytes] = [...files]
      .filter(([path]) => path.startsWith(`${TARGET_ROOT}/sessions`))
      .map(([, each]) => each);
    const items = Buffer.from(bytes ?? [])
      .toString("utf8")
      .trimEnd()
      .split("\n")
      .map((each) => JSON.parse(each))
      .filter(({ type }) => type === "response_item")
      .map(({ payload }) => payload);
    expect(items).toEqual([
      { type: "message", role: "user", content: [{ type: "input_text", text: "q" }] },
      reasoning,
      search,
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "a" }],
        phase: "final_answer",
      },
    ]);
  });
});

describe("what Codex has no place for is declared", () => {
  const refuses = says("assistant", [text("No.")], { stopReason: "refusal", model: "claude-opus-5-5" });
  const hi = says("user", [text("Hi.")]);

  test("a stop that tells more than the answer; one that does not is not", async () => {
    const ended = says("assistant", [text("Yes.")], { stopReason: "end_turn" });
    expect((await write([hi, refuses])).losses).toContain("turns evidence-only no-counterpart");
    expect((await write([hi, ended])).losses).not.toContain("turns evidence-only no-counterpart");
  });

  test("the same inside the context of a compaction", async () => {
    const { losses } = await write([
      hi,
      happened("status.changed", { status: "compacted", context: [refuses] }),
    ]);
    expect(losses).toEqual(
      expect.arrayContaining([
        "turns evidence-only no-counterpart",
        "models evidence-only no-equal",
        "ids evidence-only generated",
      ]),
    );
  });

  test("the code of an error, and an error of a turn that is not told as failed", async () => {
    const error: Block = { type: "error", message: "Overloaded", code: "overloaded_error" };
    expect((await write([hi, says("assistant", [error], { audience: ["user"] })])).losses).toContain(
      "errors evidence-only no-counterpart",
    );
    const stopped = happened("turn.completed", { turnId: "t", status: "cancelled", error: "by hand" });
    expect((await write([hi, stopped])).losses).toContain("turns evidence-only no-counterpart");
  });

  test("what a person saw instead of the words that the model was sent", async () => {
    const done = says("user", [text("<task>done</task>")], { injected: "notice", display: "Agent is done" });
    const { items, losses } = await write([hi, done]);
    expect(items).toContainEqual(
      expect.objectContaining({ asp: { injected: "notice", display: "Agent is done" } }),
    );
    expect(losses).not.toContain("side-records evidence-only no-counterpart");
    // An answer that has no words of its own has no place for others.
    const unseen = await write([hi, says("assistant", [calls("c")], { display: "I look." }), answers("c")]);
    expect(unseen.losses).toContain("side-records evidence-only no-counterpart");
  });

  test("titles that another one replaced", async () => {
    const started = happened("session.started", { nativeSessionId: "s", title: "First" });
    const bound = (title: string, titleBy: "user" | "agent") => happened("session.bound", { title, titleBy });
    const { index, losses } = await write([started, bound("Mine", "user"), bound("Made up", "agent"), hi]);
    expect(JSON.parse(index)).toMatchObject({ thread_name: "Mine" });
    expect(losses).toContain("title evidence-only superseded");
  });

  test("which call started a subagent; its name comes along", async () => {
    const parent = { id: "p", relation: "subagent" as const, toolCallId: "call_1" };
    const { index, losses } = await write([hi], { parent, title: "Count", titleFrom: "agent" });
    expect(losses).toContain("lineage evidence-only no-counterpart");
    expect(JSON.parse(index)).toMatchObject({ thread_name: "Count" });
  });
});
