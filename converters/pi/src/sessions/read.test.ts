import type { SessionEvent } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import * as kit from "../../test-kit/session.js";

const { answer, call, chain, header, read, result, store, text, user } = kit;

/** Type and payload of events after the first, without ids and times. */
const told = (events: readonly SessionEvent[]) =>
  events.slice(1).map(({ type, payload }) => ({ type, payload }));
const messages = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "message.completed" ? [event.payload] : []));

describe("the head", () => {
  test("says where and when; version 1 says what with", async () => {
    const bare = { provider: "anthropic", modelId: "claude-x", thinkingLevel: "high", version: undefined };
    const { events, ref } = await read(store(header(bare), user("one"), answer("two")));
    expect(ref).toMatchObject({ id: "s1", cwd: "/home/dev/demo", createdAt: "2026-11-30T10:00:00.000Z" });
    expect(events[0]).toMatchObject({ type: "session.started", payload: { nativeSessionId: "s1" } });
    expect(events[1]).toMatchObject({
      type: "capabilities.changed",
      payload: { settings: { model: "anthropic/claude-x", thought_level: "high" } },
    });
  });
});

describe("what was said", () => {
  test("by whom, with which model, at what cost, and when", async () => {
    const usage = {
      input: 1,
      output: 2,
      cacheRead: 3,
      cacheWrite: 4,
      reasoning: 5,
      totalTokens: 10,
      cost: { total: 0.5 },
    };
    const { events } = await read(
      store(header(), ...chain({ a: user("one"), b: answer("two", { usage, model: "m", provider: "p" }) })),
    );
    expect(events.slice(1)).toMatchObject([
      { nativeId: "a", time: "2026-11-30T10:00:01.000Z", payload: { role: "user", messageId: "a" } },
      {
        nativeId: "b",
        time: "2026-11-30T10:00:02.000Z",
        payload: {
          role: "assistant",
          model: "p/m",
          stopReason: "stop",
          usage: {
            inputTokens: 1,
            outputTokens: 2,
            cacheReadTokens: 3,
            cacheWriteTokens: 4,
            reasoningTokens: 5,
            totalTokens: 10,
            costUsd: 0.5,
          },
        },
      },
    ]);
  });

  test("a time may be milliseconds, and that of the message where the entry has none", async () => {
    const at = (more: object) => ({ ...user("x"), id: "a", parentId: null, ...more });
    const [ms] = (await read(store(header(), at({ timestamp: kit.START + 5000 })))).events.slice(1);
    expect(ms?.time).toBe("2026-11-30T10:00:05.000Z");
    const message = { role: "user", content: "x", timestamp: kit.START + 6000 };
    const [own] = (await read(store(header(), at({ timestamp: "soon", message })))).events.slice(1);
    expect(own?.time).toBe("2026-11-30T10:00:06.000Z");
  });

  test("by an answer that failed is shown and not sent, and says why", async () => {
    const failed = answer([], { stopReason: "error", errorMessage: "boom" });
    const stopped = answer("half", { stopReason: "aborted" });
    const { events } = await read(store(header(), ...chain({ a: user("one"), b: failed, c: stopped })));
    expect(messages(events).slice(1)).toMatchObject([
      { audience: ["user"], stopReason: "error", blocks: [{ type: "error", message: "boom" }] },
      { audience: ["user"], stopReason: "aborted", blocks: [{ text: "half" }, { type: "error" }] },
    ]);
  });

  test("by nobody: Pi's own instructions, extensions, commands, hidden or not", async () => {
    const system = {
      type: "message",
      message: {
        role: "system",
        content: "Be brief.",
        sections: { docs: "DOCS", cwd: null },
        toolsAdded: [],
      },
    };
    const bash = { role: "bashExecution", command: "ls", output: "a\n", exitCode: 2 };
    const { events } = await read(
      store(
        header(),
        ...chain({
          a: system,
          b: { type: "custom_message", customType: "x", content: "note", display: true },
          c: { type: "custom_message", customType: "x", content: [text("hidden")], display: false },
          d: { type: "message", message: bash },
          e: { type: "message", message: { ...bash, excludeFromContext: true } },
          f: { type: "branch_summary", fromId: "z", summary: "S" },
        }),
      ),
    );
    expect(messages(events)).toMatchObject([
      { role: "system", injected: "harness", blocks: [{ text: "Be brief." }, { text: "DOCS" }] },
      { role: "user", injected: "notice", blocks: [{ text: "note" }] },
      { injected: "notice", audience: ["assistant"] },
      { injected: "command", blocks: [{ text: "Ran `ls`\n```\na\n\n```\n\nCommand exited with code 2" }] },
      { injected: "command", audience: ["user"] },
      {
        injected: "notice",
        audience: ["assistant"],
        blocks: [{ text: expect.stringContaining("<summary>\nS</summary>") }],
      },
    ]);
    expect(messages(events)[1]).not.toHaveProperty("audience");
  });

  test("and then edited: the words that were typed are kept beside those that are sent", async () => {
    const edit = (targetId: string, replacement: unknown) => ({
      type: "context_edit",
      targetId,
      replacement,
    });
    const { events } = await read(
      store(
        header(),
        ...chain({
          a: user("/do it"),
          b: answer("x"),
          c: user("gone"),
          e1: edit("a", { content: "first try" }),
          e2: edit("a", { content: "Do it, please." }),
          e3: edit("c", null),
          e4: edit("nobody", null),
        }),
      ),
    );
    expect(messages(events)).toMatchObject([
      { blocks: [{ text: "Do it, please." }], display: "/do it" },
      { role: "assistant" },
      { blocks: [{ text: "gone" }], audience: ["user"] },
    ]);
    // An edit belongs to what it edits; one that holds nothing is left by itself.
    expect(events[1]?.origin).toHaveLength(2);
    expect(told(events).slice(-2)).toMatchObject([
      { type: "unknown.observed", payload: { nativeType: "pi.context_edit", reason: "superseded" } },
      { type: "unknown.observed", payload: { nativeType: "pi.context_edit", reason: "superseded" } },
    ]);
  });
});

describe("reasoning, by the API it came over", () => {
  const thought = (thinking: string, more: object = {}) => ({ type: "thinking", thinking, ...more });
  const blocksOf = async (api: string, ...content: object[]) => {
    const { events } = await read(
      store(header(), ...chain({ a: answer(content as Record<string, unknown>[], { api }) })),
    );
    return messages(events)[0]?.blocks;
  };

  test("Anthropic's signature is one to that vendor; what it redacted is opaque", async () => {
    expect(
      await blocksOf(
        "anthropic-messages",
        thought("t", { thinkingSignature: "sig" }),
        thought("[Reasoning redacted]", { thinkingSignature: "cmVk", redacted: true }),
        thought("unsigned"),
      ),
    ).toEqual([
      { type: "thinking", text: "t", signature: "sig" },
      {
        type: "unknown",
        nativeType: "pi.thinking",
        value: { api: "anthropic-messages", signature: "cmVk", redacted: true, alone: true },
      },
      { type: "thinking", text: "unsigned" },
      { type: "unknown", nativeType: "pi.thinking", value: { api: "anthropic-messages" } },
    ]);
  });

  test("Chat Completions has the name of a field, Responses a whole item, Gemini a mark on the call", async () => {
    expect(
      await blocksOf("openai-completions", thought("t", { thinkingSignature: "reasoning_content" })),
    ).toEqual([{ type: "thinking", text: "t" }]);
    const item = JSON.stringify({ type: "reasoning", id: "rs_1", encrypted_content: "x" });
    expect(
      await blocksOf(
        "openai-responses",
        thought("", { thinkingSignature: item }),
        { ...text("hi"), textSignature: '{"v":1,"id":"msg_1"}' },
        { ...call("c"), thoughtSignature: "R0VN" },
      ),
    ).toMatchObject([
      { nativeType: "pi.thinking", value: { signature: item, alone: true } },
      { type: "text", text: "hi" },
      { nativeType: "pi.text_signature", value: '{"v":1,"id":"msg_1"}' },
      { type: "tool-call", toolCallId: "c" },
      { nativeType: "pi.thought_signature", value: "R0VN" },
    ]);
  });
});

describe("calls and results", () => {
  test("a result has what the screen shows of it beside what the model saw", async () => {
    const more = { details: { diff: "x" }, nestedCalls: [{ name: "y" }], isError: true };
    const { events } = await read(
      store(header(), ...chain({ a: user("1"), b: answer([call("c")]), c: result("c", "r", more) })),
    );
    expect(events.at(-1)).toMatchObject({
      type: "tool.completed",
      payload: {
        toolCallId: "c",
        toolResultId: "c",
        isError: true,
        result: [{ text: "r" }],
        detail: { details: { diff: "x" }, nestedCalls: [{ name: "y" }] },
      },
    });
  });

  test("a call without a result gets the one that Pi would send, and that is told", async () => {
    const { events, losses } = await read(
      store(header(), ...chain({ a: user("1"), b: answer([call("c")]), d: user("2") })),
    );
    expect(events.map(({ type }) => type).slice(1)).toEqual([
      "message.completed",
      "message.completed",
      "tool.completed",
      "message.completed",
    ]);
    expect(events[3]).toMatchObject({ origin: [], payload: { synthetic: true, isError: true } });
    expect(losses).toEqual(["tool-results not-in-source missing-result 1"]);
  });

  test("a result that comes late stands behind its call", async () => {
    const { events, losses } = await read(
      store(
        header(),
        ...chain({
          a: user("1"),
          b: answer([call("c")]),
          m: user("meanwhile"),
          r: result("c", "late"),
          e: answer([call("c")]),
          s: result("c", "second"),
        }),
      ),
    );
    expect(events.slice(1).map((event) => event.nativeId)).toEqual(["a", "b", "r", "m", "e", "s"]);
    expect(losses).toEqual([]);
  });

  test("a result that was edited away is none, and what it was is told", async () => {
    const edit = { type: "context_edit", targetId: "r", replacement: null };
    const { events, losses } = await read(
      store(header(), ...chain({ a: user("1"), b: answer([call("c")]), r: result("c", "secret"), e: edit })),
    );
    expect(events[3]).toMatchObject({
      payload: { synthetic: true, result: [{ text: "No result provided" }] },
    });
    expect(losses).toEqual(["tool-results evidence-only superseded 1"]);
  });
});

describe("compactions", () => {
  test("say what the model still sees: the summary in Pi's words, then what was kept", async () => {
    const { events } = await read(
      store(
        header(),
        ...chain({
          a: user("1"),
          b: answer([call("c")]),
          r: result("c", "r"),
          k: { type: "compaction", summary: "S", firstKeptEntryId: "b", tokensBefore: 5 },
          d: user("2"),
        }),
      ),
    );
    const compacted = events.find(({ type }) => type === "status.changed");
    expect(compacted).toMatchObject({
      nativeId: "k",
      payload: {
        status: "compacted",
        context: [
          {
            payload: {
              kind: "summary",
              blocks: [{ text: expect.stringContaining("<summary>\nS\n</summary>") }],
            },
          },
          { nativeId: "b" },
          { nativeId: "r" },
        ],
      },
    });
  });
});

describe("branches", () => {
  test("come last, each with its leaf and where it departs", async () => {
    const { events } = await read(
      store(
        header(),
        ...chain({ a: user("1"), b: answer("2"), c: user("left"), d: answer("left") }),
        ...chain({ e: user("right") }, "b"),
        ...chain({ f: user("root") }),
        ...chain({ g: answer("right") }, "e"),
      ),
    );
    expect(events.slice(1).map(({ nativeId, branch, branchFrom }) => [nativeId, branch, branchFrom])).toEqual(
      [
        ["a", undefined, undefined],
        ["b", undefined, undefined],
        ["e", undefined, undefined],
        ["g", undefined, undefined],
        ["c", "d", "b"],
        ["d", "d", undefined],
        ["f", "f", undefined],
      ],
    );
  });

  test("a compaction on one keeps what stands on the trunk", async () => {
    const compaction = { type: "compaction", summary: "S", firstKeptEntryId: "b", tokensBefore: 1 };
    const { events } = await read(
      store(
        header(),
        ...chain({ a: user("1"), b: answer("2"), c: user("left"), k: compaction }),
        ...chain({ e: user("right") }, "b"),
      ),
    );
    const compacted = events.find(({ type }) => type === "status.changed");
    expect(compacted).toMatchObject({
      branch: "k",
      payload: { context: [{}, { nativeId: "b" }, { nativeId: "c" }] },
    });
  });
});

describe("what is not understood", () => {
  test("is kept by what it would have been", async () => {
    const { events } = await read(
      store(
        header(),
        ...chain({
          a: user("1"),
          l: { type: "label", targetId: "a", label: "here" },
          u: { type: "usage", kind: "cache_warm", provider: "p", model: "m", usage: {} },
          z: { type: "message", message: { role: "zz" } },
        }),
        "{ torn",
        "7",
        header({ id: "again" }),
      ),
    );
    expect(told(events).slice(1)).toMatchObject([
      { payload: { nativeType: "pi.label", axis: "side-records", reason: "no-counterpart" } },
      { payload: { nativeType: "pi.usage", axis: "usage" } },
      { payload: { nativeType: "pi.message", axis: "side-records" } },
      { payload: { nativeType: "raw", axis: "raw", reason: "unparsable" } },
      { payload: { nativeType: "pi.record" } },
      { payload: { nativeType: "pi.record" } },
    ]);
  });

  test("a lost line is bridged and told; bytes that are no text are too", async () => {
    const [a, , c] = chain({ a: user("1"), b: answer("2"), c: user("3") });
    const { losses } = await read(store(header(), a as kit.Line, c as kit.Line));
    expect(losses).toEqual(["messages partial dangling-parent 1"]);
    const bytes = kit.fileOf([header(), ...chain({ a: user("one ??") })]);
    bytes[bytes.indexOf("??")] = 0xff;
    expect((await read(new Map([[kit.PATH, bytes]]))).losses).toEqual(["raw partial invalid-text 1"]);
  });

  test("of two entries with one id the earlier is left by itself", async () => {
    const [a, b, c] = chain({ a: user("1"), b: answer("2"), c: user("3") }) as [kit.Line, kit.Line, kit.Line];
    const { events } = await read(
      store(header(), a, b, { ...(a as object), message: { role: "user", content: "again" } }, c),
    );
    expect(messages(events)[0]?.blocks).toEqual([{ type: "text", text: "again" }]);
    expect(events.at(-1)).toMatchObject({ payload: { nativeType: "pi.message", reason: "duplicate-id" } });
  });
});
