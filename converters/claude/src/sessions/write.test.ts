import { readdirSync } from "node:fs";
import { join } from "node:path";
import { carryOut, loadFixture, sessionsIn, sourceOf } from "@asp-convert/conformance/toolbox";
import {
  event,
  LossLedger,
  RefusedError,
  type SessionEvent,
  type SessionInput,
  type SessionRef,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { sentOf } from "../../test-kit/transcript.js";
import claude from "../index.js";
import { Record as LooseRecord, WrittenRecord } from "../records.js";
import type { Json } from "./value.js";

const environment = { env: {}, home: "/home/dev", platform: "linux" as const, cwd: "/" };
const target: Target = { root: "/t", environment, source: sourceOf(new Map()), copy: 0 };

function refOf(more: Partial<SessionRef> = {}): SessionRef {
  return {
    harness: "other",
    id: "native-1",
    path: "/o/1",
    files: [],
    cwd: "/home/dev/demo",
    size: 0,
    messages: 1,
    children: [],
    createdAt: "2026-11-03T09:00:00.000Z",
    ...more,
  };
}

interface Written {
  records: Json[];
  ledger: LossLedger;
  path: string;
  mtimeMs: number | undefined;
  files: Map<string, Uint8Array>;
  id: string;
}

async function write(
  events: readonly SessionEvent[],
  more: Partial<SessionRef> = {},
  to: Partial<Target> = {},
): Promise<Written> {
  const ledger = new LossLedger("x");
  for (let i = 0; i < 100; i++) ledger.record();
  const input: SessionInput = {
    ref: refOf(more),
    ledger,
    children: [],
    events: async function* () {
      yield* events;
    },
  };
  const plan = await claude.sessions.write(input, { ...target, ...to });
  const files = await carryOut(plan);
  const [[path, bytes] = ["", Buffer.alloc(0)]] = [...files];
  const [action] = plan.actions;
  const records = Buffer.from(bytes)
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);
  return {
    records,
    ledger,
    path,
    mtimeMs: action?.do === "create" ? action.mtimeMs?.() : undefined,
    files,
    id: plan.id,
  };
}

let count = 0;
const at = (seconds: number) =>
  new Date(Date.parse("2026-11-03T09:00:00.000Z") + seconds * 1000).toISOString();
const rest = (nativeId = `n${++count}`) => ({
  nativeId,
  time: at(count),
  origin: [{ record: count % 100, file: 0, offset: 0, length: 1 }],
});
const user = (text: string, more = {}) =>
  event(
    "message.completed",
    { messageId: `u${count}`, role: "user", blocks: [{ type: "text", text }], ...more },
    rest(),
  );
const agent = (...blocks: (string | object)[]) =>
  event(
    "message.completed",
    {
      messageId: `a${count}`,
      role: "assistant",
      model: "gpt-5.5",
      blocks: blocks.map((block) =>
        typeof block === "string" ? { type: "text", text: block } : block,
      ) as never,
    },
    rest(),
  );
const callOf = (toolCallId: string, args: unknown = { cmd: "ls" }, more = {}) => ({
  type: "tool-call",
  toolCallId,
  name: "exec",
  arguments: args,
  ...more,
});
const resultOf = (toolCallId: string, text: string, more = {}) =>
  event("tool.completed", { toolCallId, result: [{ type: "text", text }], isError: false, ...more }, rest());

const chain = (records: readonly Json[]) => records.filter(({ uuid }) => uuid !== undefined);
const contentOf = (record: Json | undefined) => (record?.message as Json | undefined)?.content;
const lossesOf = (ledger: LossLedger) =>
  ledger.losses.map(({ axis, level, reason, count: n }) => `${axis} ${level} ${reason} ${n}`);

describe("every record has a shape that the program writes", () => {
  const captured = join(import.meta.dirname, "../../../../fixtures/claude");
  test.each(readdirSync(captured).filter((name) => name !== "mcp-config"))("%s", async (name) => {
    const { files, root } = await loadFixture(join(captured, name, "config"), name);
    for (const bytes of [...files]
      .filter(([path]) => path.endsWith(".jsonl") && path.includes("/projects/"))
      .map(([, value]) => value)) {
      for (const line of Buffer.from(bytes).toString("utf8").trimEnd().split("\n"))
        LooseRecord.parse(JSON.parse(line));
    }
    const source = sourceOf(files);
    for (const ref of await sessionsIn(claude, root, source)) {
      const ledger = new LossLedger(ref.id);
      const input = (one: SessionRef, own: LossLedger): SessionInput => ({
        ref: one,
        ledger: own,
        children: one.children.map((child) => input(child, new LossLedger(child.id))),
        events: () => claude.sessions.read(one, { source, environment, ledger: own }),
      });
      const written = await carryOut(await claude.sessions.write(input(ref, ledger), target));
      for (const [path, bytes] of written)
        if (path.endsWith(".jsonl")) strict(Buffer.from(bytes).toString("utf8"));
    }
  });
});

/** Shapes, one linear chain (but for branches), times that go up, ids that are told once. */
function strict(text: string): Json[] {
  const records = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);
  for (const record of records)
    expect(
      WrittenRecord.safeParse(record).error?.issues,
      JSON.stringify(record).slice(0, 300),
    ).toBeUndefined();
  const linked = chain(records);
  expect(new Set(linked.map(({ uuid }) => uuid)).size).toBe(linked.length);
  linked.forEach((record, n) => {
    if (record.parentUuid !== null)
      expect(linked.slice(0, n).some(({ uuid }) => uuid === record.parentUuid)).toBe(true);
  });
  const calls = linked
    .flatMap((record) => (Array.isArray(contentOf(record)) ? (contentOf(record) as Json[]) : []))
    .filter(({ type }) => type === "tool_use");
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  return records;
}

describe("a talk of another harness", () => {
  test("one block a record, ids and model of its own, results after their calls, one chain", async () => {
    const events = [
      user("Look."),
      agent({ type: "thinking", text: "Hm." }, "I look.", callOf("call_1|fc_1"), callOf("call 2")),
      resultOf("call_1|fc_1", "a.txt"),
      resultOf("call 2", "b.txt", { isError: true, detail: { exit: 1 } }),
      agent("Two files."),
    ];
    const { records, ledger } = await write(events);
    strict(records.map((record) => JSON.stringify(record)).join("\n"));
    const linked = chain(records);
    expect(linked.map(contentOf)).toMatchObject([
      "Look.",
      [{ type: "thinking", thinking: "Hm.", signature: "" }],
      [{ type: "text", text: "I look." }],
      [{ type: "tool_use", name: "exec", input: { cmd: "ls" } }],
      [{ type: "tool_use" }],
      [{ type: "tool_result", content: "a.txt" }],
      [{ type: "tool_result", content: "b.txt", is_error: true }],
      [{ type: "text", text: "Two files." }],
    ]);
    const blocks = linked.flatMap((record) =>
      Array.isArray(contentOf(record)) ? (contentOf(record) as Json[]) : [],
    );
    const ids = blocks.flatMap(({ type, id }) => (type === "tool_use" ? [id] : []));
    expect(blocks.flatMap(({ type, tool_use_id }) => (type === "tool_result" ? [tool_use_id] : []))).toEqual(
      ids,
    );
    const messages = linked.filter(({ type }) => type === "assistant").map(({ message }) => message as Json);
    expect(new Set(messages.map(({ model }) => model))).toEqual(new Set(["gpt-5.5"]));
    // A thought that another vendor's model had is under an id of its own: so the program never sends it.
    const [thought, text, first, second] = messages.map(({ id }) => id);
    expect(thought).not.toBe(text);
    expect([first, second]).toEqual([text, text]);
    expect(linked.map(({ parentUuid }) => parentUuid)).toEqual([
      null,
      ...linked.slice(0, -1).map(({ uuid }) => uuid),
    ]);
    expect(lossesOf(ledger)).toEqual(
      expect.arrayContaining([
        "ids partial id-not-legal 2",
        "thinking partial shown-not-sent 1",
        "tool-details evidence-only no-counterpart 1",
      ]),
    );
  });

  test("calls that are answered later share one message: another id would lose the first result", async () => {
    const { records } = await write([
      user("Go."),
      agent(callOf("c1")),
      agent(callOf("c2")),
      resultOf("c1", "1"),
      resultOf("c2", "2"),
      agent("Done."),
    ]);
    const ids = chain(records)
      .filter(({ type }) => type === "assistant")
      .map(({ message }) => (message as Json).id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[1]);
  });

  test("the last words and the leaf stand at the end, the title at both ends, where it comes from at the start", async () => {
    const { records, id, path, mtimeMs } = await write([user("One."), agent("A.")], {
      title: "A name",
      titleFrom: "user",
      harnessVersion: "9.9",
    });
    expect(path).toBe(`/t/projects/-home-dev-demo/${id}.jsonl`);
    expect(records.filter(({ uuid }) => uuid === undefined)).toEqual([
      {
        type: "asp-provenance",
        sessionId: id,
        convertedFrom: { harness: "other", sessionId: "native-1", version: "9.9" },
      },
      { type: "custom-title", customTitle: "A name", sessionId: id },
      { type: "custom-title", customTitle: "A name", sessionId: id },
      { type: "last-prompt", lastPrompt: "One.", leafUuid: chain(records).at(-1)?.uuid, sessionId: id },
    ]);
    expect(mtimeMs).toBe(Date.parse(String(chain(records).at(-1)?.timestamp)));
  });

  test("the same conversion gives the same bytes; a copy gets other ids", async () => {
    const events = [user("One."), agent("A.", callOf("c1")), resultOf("c1", "1")];
    const [one, two, copy] = [await write(events), await write(events), await write(events, {}, { copy: 1 })];
    expect(one.files).toEqual(two.files);
    expect(copy.id).not.toBe(one.id);
    expect(one.id).toBe(uuidFrom("claude other native-1 0"));
  });

  test("times are the events' own, strictly one after the other, never today's", async () => {
    const same = { nativeId: "same-1", time: "2025-08-10T10:00:00.000Z", origin: [] };
    const { records } = await write(
      [
        event(
          "message.completed",
          { messageId: "m1", role: "user", blocks: [{ type: "text", text: "One." }] },
          same,
        ),
        event(
          "message.completed",
          { messageId: "m2", role: "assistant", blocks: [{ type: "text", text: "A." }] },
          { ...same, nativeId: "same-2" },
        ),
        event(
          "message.completed",
          { messageId: "m3", role: "user", blocks: [{ type: "text", text: "Two." }] },
          { nativeId: "none", origin: [] },
        ),
      ],
      { createdAt: "2025-08-10T10:00:00.000Z" },
    );
    expect(chain(records).map(({ timestamp }) => timestamp)).toEqual([
      "2025-08-10T10:00:00.000Z",
      "2025-08-10T10:00:00.001Z",
      "2025-08-10T10:00:00.002Z",
    ]);
  });
});

describe("what vendors refuse is not written", () => {
  test("a call that nobody answered gets a result that says so", async () => {
    const { records, ledger } = await write([
      user("Go."),
      agent(callOf("c1")),
      user("Never mind."),
      agent("All right.", callOf("c2")),
    ]);
    const results = chain(records)
      .flatMap((record) => (Array.isArray(contentOf(record)) ? (contentOf(record) as Json[]) : []))
      .filter(({ type }) => type === "tool_result");
    expect(results).toMatchObject([
      { tool_use_id: "c1", is_error: true },
      { tool_use_id: "c2", is_error: true },
    ]);
    expect(contentOf(chain(records)[2])).toMatchObject([{ tool_use_id: "c1" }]);
    expect(lossesOf(ledger)).toContain("tool-results not-in-source missing-result 2");
  });

  test("a result without its call becomes words", async () => {
    const { records, ledger } = await write([user("Go."), resultOf("gone", "left over"), agent("Odd.")]);
    expect(chain(records)[1]).toMatchObject({
      type: "user",
      isMeta: true,
      message: { content: [{ type: "text" }, { type: "text", text: "left over" }] },
    });
    expect(lossesOf(ledger)).toContain("tool-results partial orphan-result 1");
  });

  test("empty texts, halves of characters, inputs that are no objects, an id used twice", async () => {
    const { records, ledger } = await write([
      user(""),
      user("cut \ud83d off \\ud83d"),
      agent("  ", callOf("c1", "*** Begin Patch", { freeform: true })),
      resultOf("c1", ""),
      agent(callOf("c1", [1, 2])),
      resultOf("c1", "again"),
    ]);
    strict(records.map((record) => JSON.stringify(record)).join("\n"));
    const blocks = chain(records).flatMap((record) =>
      Array.isArray(contentOf(record)) ? (contentOf(record) as Json[]) : [],
    );
    expect(contentOf(chain(records)[0])).toBe("cut \ufffd off \\ud83d");
    expect(blocks.filter(({ type }) => type === "tool_use").map(({ input }) => input)).toEqual([
      { input: "*** Begin Patch" },
      { value: [1, 2] },
    ]);
    const [first, second] = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    expect(blocks.filter(({ type }) => type === "tool_result").map(({ tool_use_id }) => tool_use_id)).toEqual(
      [first, second],
    );
    expect(second).not.toBe(first);
    expect(lossesOf(ledger)).toEqual(
      expect.arrayContaining([
        "messages dropped empty 2",
        "messages partial invalid-text 1",
        "tool-calls partial re-encoded 2",
        "ids partial duplicate-id 1",
      ]),
    );
  });

  test("without a working directory it is refused, with one given it is not", async () => {
    const { cwd: _, ...nowhere } = refOf();
    const input: SessionInput = {
      ref: nowhere,
      ledger: new LossLedger("x"),
      children: [],
      events: async function* () {},
    };
    await expect(claude.sessions.write(input, target)).rejects.toThrow(RefusedError);
    await expect(claude.sessions.write(input, target)).rejects.toThrow("--cwd");
    expect((await claude.sessions.write(input, { ...target, cwd: "/new" })).cwd).toBe("/new");
  });
});

describe("blocks", () => {
  test("pictures, documents and what is another vendor's own", async () => {
    const { records, ledger } = await write([
      user("", {
        blocks: [
          { type: "text", text: "See." },
          { type: "image", data: "/9j/AA" },
          { type: "image", uri: "data:image/webp;base64,UklG" },
          { type: "image", uri: "https://example.com/a.png" },
          { type: "image", uri: "file:///x.png" },
          { type: "reference", uri: "a.pdf", title: "A", mediaType: "application/pdf", data: "JVBE" },
          { type: "reference", uri: "notes", text: "words" },
          { type: "reference", uri: "/src/a.ts", title: "a.ts" },
        ],
      }),
      agent("Seen.", { type: "unknown", nativeType: "codex.encrypted_reasoning", value: "gAAA" }),
    ]);
    strict(records.map((record) => JSON.stringify(record)).join("\n"));
    expect(contentOf(chain(records)[0])).toEqual([
      { type: "text", text: "See." },
      { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "/9j/AA" } },
      { type: "image", source: { type: "base64", media_type: "image/webp", data: "UklG" } },
      { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "JVBE" },
        title: "A",
      },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "words" } },
      { type: "text", text: "a.ts (/src/a.ts)" },
    ]);
    expect(lossesOf(ledger)).toEqual(
      expect.arrayContaining([
        "images dropped not-supported 1",
        "opaque-reasoning evidence-only foreign-signature 1",
      ]),
    );
  });

  test("MCP tools are named as Claude names them", async () => {
    const { records } = await write([
      user("Go."),
      agent(callOf("c1", {}, { name: "echo", namespace: "mcp__demo" })),
      resultOf("c1", "x"),
      agent(callOf("c2", {}, { name: "add", namespace: "calc" })),
      resultOf("c2", "y"),
    ]);
    const names = chain(records)
      .flatMap((record) => (Array.isArray(contentOf(record)) ? (contentOf(record) as Json[]) : []))
      .flatMap(({ name }) => (name === undefined ? [] : [name]));
    expect(names).toEqual(["mcp__demo__echo", "mcp__calc__add"]);
  });
});

describe("injected context", () => {
  test("the other program's preamble stays behind; the rest is meta, what a system says is a reminder", async () => {
    const { records, ledger } = await write([
      user("<environment_context/>", { injected: "harness" }),
      user("Base directory for this skill: /x", { injected: "skill" }),
      user("Remember.", { injected: "command", role: "system" }),
      user("Go."),
      event(
        "message.completed",
        {
          messageId: "shown",
          role: "assistant",
          blocks: [{ type: "error", message: "Overloaded", code: "server_error" }],
          audience: ["user"],
        },
        rest(),
      ),
    ]);
    expect(
      chain(records).map((record) => [record.isMeta, record.isApiErrorMessage, contentOf(record)]),
    ).toEqual([
      [true, undefined, "Base directory for this skill: /x"],
      [true, undefined, "<system-reminder>\nRemember.\n</system-reminder>"],
      [undefined, undefined, "Go."],
      [undefined, true, [{ type: "text", text: "Overloaded" }]],
    ]);
    expect(lossesOf(ledger)).toContain("injected-context dropped harness-preamble 1");
  });

  test("a mode that asks less than the default is not written", async () => {
    const set = (mode: string) => event("capabilities.changed", { settings: { mode } }, rest());
    const { records, ledger } = await write([
      set("bypassPermissions"),
      user("One."),
      set("plan"),
      user("Two."),
      set("acceptEdits"),
      user("Three."),
    ]);
    expect(chain(records).map(({ permissionMode }) => permissionMode)).toEqual([
      undefined,
      "plan",
      undefined,
    ]);
    expect(lossesOf(ledger)).toContain("settings evidence-only unsafe 2");
  });
});

describe("compaction, branches, rewinds", () => {
  const summary = (text: string) => user(text, { kind: "summary" });

  test("a boundary, the summary, and what was kept by its place in the transcript", async () => {
    const kept = [user("Two."), agent("B.")];
    const context = [summary("So far."), ...kept];
    const { records } = await write([
      user("One."),
      agent("A."),
      ...kept,
      event("status.changed", { status: "compacted", trigger: "manual", context }, rest("cut")),
      user("Three."),
    ]);
    strict(records.map((record) => JSON.stringify(record)).join("\n"));
    const linked = chain(records);
    const [, , two, b, cut, sum, three] = linked;
    expect(cut).toMatchObject({
      type: "system",
      subtype: "compact_boundary",
      parentUuid: null,
      logicalParentUuid: b?.uuid,
      compactMetadata: {
        trigger: "manual",
        preservedMessages: { anchorUuid: sum?.uuid, uuids: [two?.uuid, b?.uuid] },
      },
    });
    expect(sum).toMatchObject({
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
      parentUuid: cut?.uuid,
    });
    expect(three).toMatchObject({ parentUuid: sum?.uuid });
    expect(linked).toHaveLength(7);
  });

  test("what was kept but stands nowhere is written again, under ids of its own", async () => {
    const { records } = await write([
      user("One."),
      agent("A."),
      event(
        "status.changed",
        { status: "compacted", context: [summary("So far."), user("One, again.")] },
        rest(),
      ),
      user("Two."),
    ]);
    expect(chain(records).map((record) => record.subtype ?? contentOf(record))).toMatchObject([
      "One.",
      [{ text: "A." }],
      "compact_boundary",
      "So far.",
      "One, again.",
      "Two.",
    ]);
  });

  test("a compaction that nothing follows leaves no boundary: the program would lose the talk", async () => {
    const { records, ledger } = await write([
      user("One."),
      agent("A."),
      event("status.changed", { status: "compacted", context: [] }, rest()),
    ]);
    expect(chain(records)).toHaveLength(2);
    expect(lossesOf(ledger)).toContain("compaction evidence-only not-supported 1");
  });

  test("what a compaction does not say leaves the talk as it is", async () => {
    const { records, ledger } = await write([
      user("One."),
      event("status.changed", { status: "compacted" }, rest()),
      user("Two."),
    ]);
    expect(chain(records).map(contentOf)).toEqual(["One.", "Two."]);
    expect(lossesOf(ledger)).toContain("compaction evidence-only encrypted 1");
  });

  test("branches hang where they were left, the leaf stays the main line's", async () => {
    const a = agent("A.");
    const main = [user("One."), a, user("Taken."), agent("C.")];
    const left = [
      { ...user("Left."), branch: "b", branchFrom: String(a.nativeId) },
      { ...agent("B."), branch: "b" },
    ] as SessionEvent[];
    const { records } = await write([...main, ...left]);
    const [, second, , fourth, fifth, sixth] = chain(records);
    expect(fifth?.parentUuid).toBe(second?.uuid);
    expect(sixth?.parentUuid).toBe(fifth?.uuid);
    expect(records.slice(-2)).toMatchObject([
      { type: "last-prompt", lastPrompt: "Taken.", leafUuid: fourth?.uuid },
      { type: "last-prompt", leafUuid: fourth?.uuid, explicit: true },
    ]);
    const files = new Map([
      [
        `/t/projects/-home-dev-demo/${"00000000-0000-4000-8000-000000000001"}.jsonl`,
        Buffer.from(records.map((record) => JSON.stringify(record)).join("\n")),
      ],
    ]);
    const source = sourceOf(files);
    const [ref] = await sessionsIn(claude, "/t", source);
    const back: SessionEvent[] = [];
    for await (const each of claude.sessions.read(ref as SessionRef, {
      source,
      environment,
      ledger: new LossLedger("y"),
    }))
      back.push(each);
    expect(sentOf(back)).toEqual([
      ["user", "One."],
      ["assistant", "A."],
      ["user", "Taken."],
      ["assistant", "C."],
    ]);
    expect(
      back.filter((each) => each.branch !== undefined && each.type === "message.completed"),
    ).toHaveLength(2);
  });

  test("a branch that hangs on the leaf itself is not taken for what goes on", async () => {
    const a = agent("A.");
    const left = { ...user("Left."), branch: "b", branchFrom: String(a.nativeId) } as SessionEvent;
    const { records } = await write([user("One."), a, left]);
    const path = `/t/projects/-home-dev-demo/${uuidFrom("leaf")}.jsonl`;
    const source = sourceOf(
      new Map([[path, Buffer.from(records.map((record) => JSON.stringify(record)).join("\n"))]]),
    );
    const [ref] = await sessionsIn(claude, "/t", source);
    const back: SessionEvent[] = [];
    for await (const each of claude.sessions.read(ref as SessionRef, {
      source,
      environment,
      ledger: new LossLedger("y"),
    }))
      back.push(each);
    expect(sentOf(back)).toEqual([
      ["user", "One."],
      ["assistant", "A."],
    ]);
  });

  test("turns that were taken back are a branch the talk left", async () => {
    const turn = (id: string, events: SessionEvent[]) => events.map((each) => ({ ...each, turnId: id }));
    const { records } = await write([
      ...turn("1", [user("One."), agent("A.")]),
      ...turn("2", [user("Two."), agent("B.")]),
      event("status.changed", { status: "rewound", turns: 1 }, rest()),
      ...turn("3", [user("Three.")]),
    ]);
    const [, a, , , three] = chain(records);
    expect(three?.parentUuid).toBe(a?.uuid);
    expect(records.at(-1)).toMatchObject({ leafUuid: three?.uuid });
  });
});

test("subagents lie in the session's folder, linked to the call that started them", async () => {
  const child = refOf({
    id: "child",
    title: "Count",
    titleFrom: "agent",
    parent: { id: "native-1", relation: "subagent", toolCallId: "call_1|x" },
  });
  const ledger = new LossLedger("x");
  for (let i = 0; i < 100; i++) ledger.record();
  const childEvents = [user("Count."), agent("Two.")];
  const input: SessionInput = {
    ref: refOf({ children: [child] }),
    ledger,
    events: async function* () {
      yield* [user("Go."), agent(callOf("call_1|x")), resultOf("call_1|x", "Two.")];
    },
    children: [
      {
        ref: child,
        ledger,
        children: [],
        events: async function* () {
          yield* childEvents;
        },
      },
    ],
  };
  const plan = await claude.sessions.write(input, target);
  const files = await carryOut(plan);
  const [own] = plan.children;
  const agentId = own?.id.replace("agent-", "") ?? "";
  const folder = `/t/projects/-home-dev-demo/${plan.id}/subagents`;
  const meta = JSON.parse(
    Buffer.from(files.get(`${folder}/agent-${agentId}.meta.json`) ?? "").toString("utf8"),
  ) as Json;
  const call = chain(
    Buffer.from(files.get(`/t/projects/-home-dev-demo/${plan.id}.jsonl`) ?? "")
      .toString("utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Json),
  )[1];
  expect(meta).toEqual({
    agentType: "general-purpose",
    description: "Count",
    toolUseId: (contentOf(call) as Json[])[0]?.id,
    spawnDepth: 1,
  });
  const text = Buffer.from(files.get(`${folder}/agent-${agentId}.jsonl`) ?? "").toString("utf8");
  for (const record of chain(strict(text)))
    expect(record).toMatchObject({ isSidechain: true, agentId, sessionId: plan.id });
});

describe("what Claude Code has no place for is declared", () => {
  const stopped = (stopReason: string) =>
    event(
      "message.completed",
      { messageId: "s", role: "assistant", blocks: [{ type: "text", text: "No." }], stopReason },
      rest(),
    );

  test("a stop that tells more than the answer; one that does not is not", async () => {
    const told = async (reason: string) => lossesOf((await write([user("Go."), stopped(reason)])).ledger);
    expect(await told("refusal")).toContainEqual(expect.stringContaining("turns"));
    expect(await told("stop")).not.toContainEqual(expect.stringContaining("turns"));
  });

  test("a turn that did not end well, and what it used", async () => {
    const ended = event(
      "turn.completed",
      { turnId: "t", status: "failed", error: "boom", usage: { inputTokens: 1 } },
      rest(),
    );
    const losses = lossesOf((await write([user("Go."), agent("Yes."), ended])).ledger);
    expect(losses).toContainEqual(expect.stringContaining("turns"));
    expect(losses).toContainEqual(expect.stringContaining("usage"));
  });

  test("a model that was chosen and that no answer bears", async () => {
    const chosen = (model: string) => event("capabilities.changed", { settings: { model } }, rest());
    const told = async (...models: string[]) =>
      lossesOf((await write([user("Go."), ...models.map(chosen), agent("Yes.")])).ledger);
    expect(await told("gpt-5.5")).not.toContainEqual(expect.stringContaining("models"));
    expect(await told("other", "gpt-5.5")).toContainEqual(expect.stringContaining("models"));
  });

  test("what was said between a call and its result", async () => {
    const between = [user("Go."), agent(callOf("c")), agent("Meanwhile."), resultOf("c", "R")];
    expect(lossesOf((await write(between)).ledger)).toContainEqual(expect.stringContaining("merged"));
    const before = [user("Go."), agent("Now.", callOf("c")), resultOf("c", "R")];
    expect(lossesOf((await write(before)).ledger)).not.toContainEqual(expect.stringContaining("merged"));
  });

  test("a second result of a call, which is no result without a call", async () => {
    const { records, ledger } = await write([
      user("Go."),
      agent(callOf("c")),
      resultOf("c", "One."),
      resultOf("c", "Two."),
    ]);
    expect(contentOf(chain(records).at(-1))).toEqual([
      { type: "text", text: "[Another result of the tool call c]" },
      { type: "text", text: "Two." },
    ]);
    expect(lossesOf(ledger)).not.toContainEqual(expect.stringContaining("orphan"));
    expect(lossesOf(ledger)).toContainEqual(expect.stringContaining("tool-results"));
  });

  test("a picture that is an address only", async () => {
    const seen = event(
      "message.completed",
      { messageId: "p", role: "user", blocks: [{ type: "image", uri: "https://example.com/a.png" }] },
      rest(),
    );
    expect(lossesOf((await write([seen, agent("Yes.")])).ledger)).toContainEqual(
      expect.stringContaining("images"),
    );
  });

  test("what a person saw instead of the words that the model was sent", async () => {
    const seen = event(
      "message.completed",
      { messageId: "p", role: "user", blocks: [{ type: "text", text: "Look. (file)" }], display: "Look." },
      rest(),
    );
    expect(lossesOf((await write([seen, agent("Yes.")])).ledger)).toContainEqual(
      expect.stringContaining("side-records"),
    );
  });

  test("titles that another one replaced", async () => {
    const started = event("session.started", { nativeSessionId: "s", title: "First" }, rest());
    const bound = event("session.bound", { title: "Second" }, rest());
    const { records, ledger } = await write([started, bound, user("Go."), agent("Yes.")]);
    expect(records.findLast(({ type }) => type === "custom-title")).toMatchObject({ customTitle: "Second" });
    expect(lossesOf(ledger)).toContainEqual(expect.stringContaining("superseded"));
  });
});
