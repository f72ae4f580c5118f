import {
  type Block,
  type EventOf,
  type EventType,
  event,
  type Payloads,
  type SessionEvent,
} from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import * as kit from "../../test-kit/session.js";
import type { Written } from "../records.js";

const { answer, call, chain, header, result, store, talkOfLines, user, written } = kit;

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
) => happened("message.completed", { messageId: "m", role, blocks, ...more }, rest);
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

type Entry = Exclude<Written, { type: "session" }>;
const entries = (lines: readonly Written[]) => lines.slice(2) as Entry[];
/** Messages of the talk: role and content. */
const messages = (lines: readonly Written[]) =>
  (talkOfLines(lines) as Entry[]).flatMap((line) => (line.type === "message" ? [line.message] : []));

describe("a session of another harness", () => {
  test("begins with a header in the target's folder, and says where it came from in a place of our own", async () => {
    const { lines } = await written([started(), says("user", [text("one")])], {
      titleFrom: "user",
      title: "A\nname",
    });
    expect(lines[0]).toMatchObject({ type: "session", version: 3, cwd: "/home/dev/demo" });
    expect(lines[1]).toMatchObject({
      type: "custom",
      parentId: null,
      customType: "asp.provenance",
      data: { converted_from: { harness: "sample", session_id: "foreign" } },
    });
    expect(entries(lines).map(({ type }) => type)).toEqual(["message", "session_info"]);
    expect(lines.at(-1)).toMatchObject({ name: "A name" });
  });

  test("goes where it is told to, and is refused without a folder", async () => {
    const { lines } = await written([started()], {}, { cwd: "/srv/x" });
    expect(lines[0]).toMatchObject({ cwd: "/srv/x" });
    const { cwd: _, ...homeless } = { cwd: undefined };
    await expect(written([started()], { ...homeless, cwd: "" })).rejects.toThrow(/--cwd/);
  });

  test("has no system message: Pi's own would be gone, and its tools with it", async () => {
    const { lines, losses } = await written([
      started(),
      says("system", [text("preamble")], { injected: "harness" }),
      says("system", [text("told by the program")]),
      says("user", [text("one")]),
    ]);
    expect(JSON.stringify(lines)).not.toContain('"role":"system"');
    expect(entries(lines)[0]).toMatchObject({
      type: "custom_message",
      display: true,
      content: [text("told by the program")],
    });
    expect(losses).toContain("injected-context dropped harness-preamble 1");
  });

  test("what nobody typed stays apart from what somebody did, and is read again as what it was", async () => {
    const { lines } = await written([
      started(),
      says("user", [text("typed")]),
      says("user", [text("body")], { injected: "skill", display: "/skill" }),
      says("user", [text("hidden")], { audience: ["assistant"] }),
      says("user", [text("told")], { kind: "summary", audience: ["assistant"] }),
      says("user", [text("shown")], { audience: ["user"] }),
      says("user", [text("expanded")], { display: "short" }),
    ]);
    expect(entries(lines)).toMatchObject([
      { type: "message", message: { role: "user" } },
      { type: "custom_message", customType: "asp.skill", display: true, details: { display: "/skill" } },
      { type: "custom_message", customType: "asp.message", display: false },
      { type: "custom_message", customType: "asp.summary", display: false },
      { type: "message", message: { content: [text("shown")] } },
      { type: "context_edit", replacement: null },
      { type: "message", message: { content: [text("short")] } },
      { type: "context_edit", replacement: { content: [text("expanded")] } },
    ]);
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { events } = await kit.read(new Map([[kit.PATH, bytes]]));
    const again = events.flatMap((one) => (one.type === "message.completed" ? [one.payload] : []));
    expect(
      again.map(({ injected, kind, audience, display, blocks }) => [
        blocks[0],
        injected,
        kind,
        audience,
        display,
      ]),
    ).toEqual([
      [text("typed"), undefined, undefined, undefined, undefined],
      [text("body"), "skill", undefined, undefined, "/skill"],
      [text("hidden"), undefined, undefined, ["assistant"], undefined],
      [text("told"), undefined, "summary", ["assistant"], undefined],
      [text("shown"), undefined, undefined, ["user"], undefined],
      [text("expanded"), undefined, undefined, undefined, "short"],
    ]);
  });

  test("an answer names who gave it; reasoning goes along only where it does no harm", async () => {
    const thought: Block = { type: "thinking", text: "t", signature: "sig" };
    const { lines, losses } = await written([
      started(),
      says("assistant", [thought, text("a")], { model: "claude-opus-5" }),
      says("assistant", [{ type: "thinking", text: "t" }, text("a")], { model: "claude-opus-5" }),
      says("assistant", [{ type: "thinking", text: "t" }, text("a")], { model: "gpt-6" }),
      says("assistant", [thought, text("a")], { model: "glm-9" }),
      says(
        "assistant",
        [{ type: "unknown", nativeType: "codex.encrypted_reasoning", value: "x" }, text("a")],
        { model: "gpt-6" },
      ),
      says("assistant", [text("a")], { model: "openrouter/z/glm" }),
    ]);
    expect(messages(lines)).toMatchObject([
      {
        provider: "anthropic",
        api: "anthropic-messages",
        model: "claude-opus-5",
        content: [{ thinkingSignature: "sig" }, {}],
      },
      { content: [text("a")] },
      { provider: "openai", api: "openai-responses", content: [{ type: "thinking", thinking: "t" }, {}] },
      { provider: "unknown", content: [{ type: "thinking", thinking: "t" }, {}] },
      { content: [text("a")] },
      { provider: "openrouter", model: "z/glm", api: "openai-completions" },
    ]);
    expect(JSON.stringify(lines.slice(4))).not.toContain("thinkingSignature");
    expect(losses).toEqual(
      expect.arrayContaining([
        "thinking evidence-only not-supported 1",
        "opaque-reasoning evidence-only foreign-signature 2",
      ]),
    );
  });

  test("an answer that failed is kept, and never sent; one that was only shown is shown", async () => {
    const { lines, losses } = await written([
      started(),
      says("user", [text("one")]),
      says("assistant", [{ type: "error", message: "no" }], { audience: ["user"], stopReason: "error" }),
      says("assistant", [text("half"), calls("c")], { audience: ["user"], stopReason: "aborted" }),
      done("c"),
      says("assistant", [text("seen")], { audience: ["user"] }),
    ]);
    expect(entries(lines)).toMatchObject([
      {},
      { message: { stopReason: "error", errorMessage: "no", content: [] } },
      { message: { stopReason: "aborted", content: [text("half"), { type: "toolCall" }] } },
      { message: { stopReason: "stop", content: [text("seen")] } },
      { type: "context_edit", replacement: null },
    ]);
    // Pi leaves the call out: its result would stand alone.
    expect(losses).toContain("tool-results evidence-only orphan-result 1");
  });
});

describe("calls and results", () => {
  test("arguments are an object; a family's name goes before the tool's", async () => {
    const { lines } = await written([
      started(),
      says("assistant", [
        calls("1", { a: 1 }),
        calls("2", "free text", { freeform: true }),
        calls("3", ["x"]),
        calls("4", null),
        calls("5", {}, { namespace: "mcp__docs" }),
      ]),
      ...["1", "2", "3", "4", "5"].map((id) => done(id)),
    ]);
    expect(messages(lines)[0]).toMatchObject({
      stopReason: "toolUse",
      content: [
        { arguments: { a: 1 } },
        { arguments: { input: "free text" } },
        { arguments: { input: ["x"] } },
        { arguments: {} },
        { name: "mcp__docs__bash" },
      ],
    });
    expect(messages(lines)[5]).toMatchObject({
      role: "toolResult",
      toolName: "mcp__docs__bash",
      toolCallId: "5",
    });
  });

  test("every call has an id of its own, and its own result; a result without a call stays behind", async () => {
    const { lines, losses } = await written([
      started(),
      says("assistant", [calls("same")]),
      done("same", [text("first")]),
      says("assistant", [calls("same"), calls("")]),
      done("same", [text("second")]),
      done("", [text("third")]),
      done("same", [text("again")]),
      done("nobody"),
    ]);
    expect(
      messages(lines).map((message) =>
        message.role === "toolResult"
          ? message.toolCallId
          : message.content.map((block) => (typeof block === "object" && "id" in block ? block.id : "")),
      ),
    ).toEqual([["same"], "same", ["same_2", "call"], "same_2", "call"]);
    expect(losses).toContain("ids partial duplicate-id 2");
    expect(losses).toContain("tool-results evidence-only orphan-result 2");
  });

  test("what was shown of a result stays behind, but for Pi's own", async () => {
    const foreign = await written([
      started(),
      says("assistant", [calls("c")]),
      done("c", [], { detail: { exit: 1 } }),
    ]);
    expect(messages(foreign.lines)[1]).not.toHaveProperty("details");
    expect(foreign.losses).toContain("tool-details evidence-only no-counterpart 1");
    const own = await kit.rewritten(
      store(
        header(),
        ...chain({ a: user("1"), b: answer([call("c")]), r: result("c", "r", { details: { exit: 1 } }) }),
      ),
    );
    expect(messages(own.lines)[2]).toMatchObject({ details: { exit: 1 } });
  });
});

describe("what Pi has no place for is counted", () => {
  test.each<[string, SessionEvent, string]>([
    ["git", started({ git: { branch: "main" } }), "git evidence-only no-counterpart 1"],
    [
      "a document",
      says("user", [{ type: "reference", uri: "x.pdf" }, text("a")]),
      "documents evidence-only not-supported 1",
    ],
    [
      "a picture by address",
      says("user", [{ type: "image", uri: "https://x/a.png" }, text("a")]),
      "images evidence-only not-supported 1",
    ],
    ["a turn", happened("turn.started", { turnId: "t" }), "turns evidence-only no-counterpart 1"],
    [
      "a turn's error",
      happened("turn.completed", { turnId: "t", status: "failed", error: "e" }),
      "errors evidence-only no-counterpart 1",
    ],
    ["a plan", happened("task.updated", { plan: [] }), "plans evidence-only no-counterpart 1"],
    [
      "a question",
      happened("approval.requested", { approvalId: "a", detail: 1 }),
      "approvals evidence-only no-counterpart 1",
    ],
    [
      "a mode",
      happened("capabilities.changed", { settings: { mode: "plan" } }),
      "settings evidence-only no-equal 1",
    ],
    [
      "a compaction of unknown outcome",
      happened("status.changed", { status: "compacted" }),
      "compaction evidence-only not-in-source 1",
    ],
    ["half a character", says("user", [text("a\ud83d")]), "raw partial invalid-text 1"],
    ["blanks", says("user", [text("a"), text(" \n")]), "messages dropped empty 1"],
    ["nothing", says("assistant", []), "messages evidence-only empty 1"],
    [
      "a record that nobody knows",
      happened("unknown.observed", { nativeType: "x", axis: "usage" }),
      "usage evidence-only no-counterpart 1",
    ],
    [
      "a time that is missing",
      { ...says("user", [text("a")]), time: "?" } as SessionEvent,
      "times partial time-inferred 1",
    ],
    [
      "how an answer ended, in other words",
      says("assistant", [text("a")], { stopReason: "end_turn" }),
      "turns partial re-encoded 1",
    ],
  ])("%s", async (_, one, loss) => {
    const { losses } = await written(one.type === "session.started" ? [one] : [started(), one]);
    expect(losses).toContain(loss);
  });

  test("its parent, and the ids it had", async () => {
    const { losses } = await written([started(), says("user", [text("a")])], {
      parent: { id: "p", relation: "fork" },
    });
    expect(losses).toContain("lineage evidence-only no-counterpart 1");
    expect(losses).toContain("ids evidence-only generated 2");
  });
});

test("a picture goes along, however it is held", async () => {
  const { lines, kept } = await written([
    started(),
    says("user", [
      { type: "image", data: "aGk=", mimeType: "image/jpeg" },
      { type: "image", uri: "data:image/gif;base64,aGk=" },
    ]),
  ]);
  expect(messages(lines)[0]?.content).toEqual([
    { type: "image", data: "aGk=", mimeType: "image/jpeg" },
    { type: "image", data: "aGk=", mimeType: "image/gif" },
  ]);
  expect(kept.get("images")).toBe(2);
});

test("model and thinking level are set where Pi has them, and once", async () => {
  const set = (settings: Record<string, string>) => happened("capabilities.changed", { settings });
  const { lines } = await written([
    started(),
    set({ model: "gpt-6", thought_level: "high" }),
    set({ model: "gpt-6", thought_level: "high" }),
    set({ model: "opus", thought_level: "ultra" }),
    set({ thought_level: "low" }),
  ]);
  expect(entries(lines)).toMatchObject([
    { type: "model_change", provider: "openai", modelId: "gpt-6" },
    { type: "thinking_level_change", thinkingLevel: "high" },
    { type: "thinking_level_change", thinkingLevel: "low" },
  ]);
});

describe("compactions", () => {
  test("of another program begin the talk anew, in its own words alone", async () => {
    const summary = says("user", [text("Earlier: …")], { kind: "summary", audience: ["assistant"] });
    const kept = says("assistant", [calls("c")]);
    const { lines } = await written([
      started(),
      says("user", [text("long ago")]),
      kept,
      done("c"),
      happened("status.changed", { status: "compacted", context: [summary, kept, done("c")] }),
      says("user", [text("now")]),
    ]);
    const talk = talkOfLines(lines) as Entry[];
    expect(talk[0]).toMatchObject({ parentId: null, type: "custom_message", content: [text("Earlier: …")] });
    expect(talk.map(({ type }) => type)).toEqual(["custom_message", "message", "message", "message"]);
    // The calls are the same ones, on another path: they keep their ids.
    expect(messages(lines)[0]?.content).toMatchObject([{ type: "toolCall", id: "c" }]);
    expect(JSON.stringify(lines)).toContain("long ago");
  });

  test("of Pi are Pi's again: the summary bare, and where what is kept begins", async () => {
    const compaction = (firstKeptEntryId: string) => ({
      type: "compaction",
      summary: "S",
      firstKeptEntryId,
      tokensBefore: 9,
    });
    const { lines } = await kit.rewritten(
      store(
        header(),
        ...chain({
          a: user("1"),
          b: answer("2"),
          n: { type: "custom_message", customType: "x", content: "note", display: true },
          k: compaction("b"),
          c: user("3"),
          l: compaction("l"),
          d: user("4"),
        }),
      ),
    );
    const found = (entries(lines) as { type: string; id: string; message?: { role: string } }[]).filter(
      ({ type }) => type === "compaction",
    ) as unknown as { id: string; summary: string; firstKeptEntryId: string }[];
    const second = entries(lines).find(
      (line) => line.type === "message" && line.message.role === "assistant",
    );
    expect(found).toMatchObject([{ summary: "S", firstKeptEntryId: second?.id }, { summary: "S" }]);
    expect(found[1]?.firstKeptEntryId).toBe(found[1]?.id);
  });
});

describe("branches", () => {
  test("hang where they departed, from what was written there; the last line is the talk's", async () => {
    const [one, two, mark] = [
      says("user", [text("1")]),
      says("assistant", [text("2")]),
      happened("turn.started", { turnId: "t" }),
    ];
    const side = (words: string, branch: string, branchFrom?: string) =>
      says("user", [text(words)], {}, { branch, ...(branchFrom !== undefined && { branchFrom }) });
    const { lines, kept } = await written([
      started(),
      one,
      two,
      mark,
      says("user", [text("3")]),
      side("left", "x", mark.nativeId),
      side("left again", "x"),
      side("root", "y", "never written"),
    ]);
    const at = (words: string) =>
      entries(lines).find(
        (line) => line.type === "message" && JSON.stringify(line.message.content).includes(`"${words}"`),
      );
    expect(at("left")?.parentId).toBe(at("2")?.id);
    expect(at("left again")?.parentId).toBe(at("left")?.id);
    expect(at("root")?.parentId).toBeNull();
    expect(messages(lines).map(({ content }) => content)).toEqual([[text("1")], [text("2")], [text("3")]]);
    expect(lines.at(-1)).toMatchObject({ type: "custom", customType: "asp.leaf" });
    expect(kept.get("branches")).toBe(2);
  });

  test("a name that was given on one is not the session's", async () => {
    const named = (title: string, more = {}) => happened("session.bound", { title }, more);
    const { lines, losses } = await written(
      [started(), named("first"), named("second"), named("left", { branch: "x" })],
      {
        title: "second",
        titleFrom: "user",
      },
    );
    expect(entries(lines).flatMap((line) => (line.type === "session_info" ? [line.name] : []))).toEqual([
      "first",
      "second",
    ]);
    expect(losses).toContain("branches evidence-only superseded 1");
  });
});

describe("what has no place here is told", () => {
  const branch = { branch: "x" };
  const picture: Block = { type: "image", mimeType: "image/png", data: "AAAA", alt: "a cat" };
  const error: Block = { type: "error", message: "no", code: "overloaded" };
  const compacted = happened("status.changed", {
    status: "compacted",
    reason: "it was full",
    context: [
      says("user", [text("environment")], { injected: "harness" }),
      says("user", [text("summary")], { kind: "summary" }),
    ],
  });

  test.each<[what: string, SessionEvent, loss: string]>([
    ["the name of a picture", says("user", [picture]), "images evidence-only no-counterpart 1"],
    [
      "the code of an error",
      says("assistant", [error], { audience: ["user"] }),
      "errors evidence-only no-counterpart 1",
    ],
    ["what was shown of a compaction", compacted, "compaction evidence-only no-counterpart 1"],
    ["what a program told of itself again", compacted, "injected-context dropped harness-preamble 1"],
    ["that a branch was one", says("user", [text("side")], {}, branch), "branches partial re-encoded 1"],
    ["a model that nobody serves", started({ model: "zzz" }), "models evidence-only no-equal 1"],
    [
      "the version of the program",
      started({ harnessVersion: "9" }),
      "side-records evidence-only generated 1",
    ],
  ])("%s", async (_what, happening, loss) => {
    const { losses } = await written([started(), says("user", [text("1")]), happening]);
    expect(losses).toContain(loss);
  });

  test("an error's words are all kept", async () => {
    const { lines } = await written([
      started(),
      says("user", [text("1")]),
      says("assistant", [error, { ...error, message: "really" }], { audience: ["user"] }),
    ]);
    const [answered] = entries(lines).flatMap((line) =>
      line.type === "message" && line.message.role === "assistant" ? [line.message] : [],
    );
    expect(answered).toMatchObject({ stopReason: "error", errorMessage: "no\nreally" });
  });
});

test("the model and the name that a session has from the start stand first", async () => {
  const { lines } = await written(
    [started({ model: "openai/gpt-5", title: "First" }), says("user", [text("1")])],
    {
      title: "Last",
      titleFrom: "user",
    },
  );
  expect(entries(lines)).toMatchObject([
    { type: "session_info", name: "First" },
    { type: "model_change", provider: "openai", modelId: "gpt-5" },
    { type: "message" },
    { type: "session_info", name: "Last" },
  ]);
});

test("written, read and written again it is the same but for ids", async () => {
  const files = store(
    header(),
    ...chain({
      a: user("1"),
      b: answer([call("c")]),
      r: result("c", "r"),
      n: { type: "session_info", name: "N" },
      d: user("2"),
    }),
    ...chain({ x: user("side") }, "b"),
    ...chain({ e: answer("3") }, "d"),
  );
  const masked = (lines: readonly Written[]) => {
    const ids = new Map<string, number>();
    const number = (id: string) => ids.get(id) ?? ids.set(id, ids.size).size;
    return JSON.parse(
      JSON.stringify(lines).replace(/"[0-9a-f]{8}(-[0-9a-f-]{27})?"/g, (id) => `"#${number(id)}"`),
    ) as unknown;
  };
  const first = await kit.rewritten(files);
  const again = (bytes: Uint8Array | undefined) => kit.rewritten(new Map([[kit.PATH, bytes as Uint8Array]]));
  const second = await again([...first.files.values()][0]);
  const third = await again([...second.files.values()][0]);
  expect(masked(third.lines.slice(2))).toEqual(masked(second.lines.slice(2)));
  expect(masked(second.lines.slice(2))).toEqual(masked(first.lines.slice(2)));
});
