import type { Block, EventOf, SessionEvent } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { CWD, written } from "../../test-kit/session.js";

const origin = [{ record: 0, file: 0, offset: 0, length: 1 }];
const time = "2026-11-30T10:00:01.000Z";
let n = 0;

const started: SessionEvent = {
  type: "session.started",
  payload: { nativeSessionId: "foreign", cwd: CWD },
  origin,
};
const text = (words: string): Block => ({ type: "text", text: words });
const call = (toolCallId: string, args: unknown = { path: "a" }): Block => ({
  type: "tool-call",
  toolCallId,
  name: "Read",
  arguments: args,
});

function message(
  role: "user" | "assistant" | "system",
  content: string | Block[],
  more: Partial<EventOf<"message.completed">["payload"]> = {},
  place: Pick<SessionEvent, "branch" | "branchFrom"> = {},
): SessionEvent {
  const messageId = `m${n++}`;
  const blocks: Block[] = typeof content === "string" ? [text(content)] : content;
  const payload = { messageId, role, blocks, ...more };
  return { type: "message.completed", payload, nativeId: messageId, time, origin, ...place };
}

const result = (toolCallId: string, blocks: Block[], isError = false): SessionEvent => ({
  type: "tool.completed",
  payload: { toolCallId, result: blocks, isError },
  time,
  origin,
});

const rows = async (...events: SessionEvent[]) => (await written([started, ...events])).lines;

test("the file is where the program looks, each record follows the one before, the first says where it came from", async () => {
  const { lines, path } = await written([started, message("user", "hi"), message("assistant", "Hello.")]);
  expect(path).toMatch(/^\/home\/dev\/\.qwen\/projects\/-home-dev-demo\/chats\/[0-9a-f-]{36}\.jsonl$/);
  const [first, second] = lines;
  expect(first).toMatchObject({
    parentUuid: null,
    type: "user",
    provenance: "real_user",
    asp: { converted_from: { harness: "sample", session_id: "foreign" } },
  });
  expect(second).toMatchObject({ parentUuid: first?.uuid, type: "assistant" });
});

test("thoughts are sent back, as parts; calls beside them, each result in a record of its own", async () => {
  const [, said, one, two] = await rows(
    message("user", "go"),
    message("assistant", [{ type: "thinking", text: "hm" }, text("Reading."), call("c"), call("d", "free")], {
      model: "m-1",
      usage: { inputTokens: 3, outputTokens: 2 },
    }),
    result("c", [text("41"), { type: "image", mimeType: "image/png", data: "AAAA" }]),
    result("d", [text("no")], true),
  );
  expect(said).toMatchObject({
    model: "m-1",
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    message: {
      parts: [
        { text: "hm", thought: true },
        { text: "Reading." },
        { functionCall: { id: "c", name: "Read", args: { path: "a" } } },
        { functionCall: { id: "d", args: { input: "free" } } },
      ],
    },
  });
  expect(one).toMatchObject({
    message: {
      parts: [
        {
          functionResponse: {
            response: { output: "41" },
            parts: [{ inlineData: { mimeType: "image/png" } }],
          },
        },
      ],
    },
    toolCallResult: { callId: "c", status: "success" },
  });
  expect(two).toMatchObject({ toolCallResult: { callId: "d", status: "error" } });
});

describe("titles", () => {
  const title = (words: string): SessionEvent => ({
    type: "session.bound",
    payload: { title: words, titleBy: "user" },
    time,
    origin,
  });

  test("each in its place, the one that counts last", async () => {
    const { lines } = await written([started, title("First"), message("user", "hi")], {
      title: "Last",
      titleFrom: "agent",
    });
    const named = lines.filter((line) => line.type === "system");
    expect(named.map((line) => line.systemPayload)).toEqual([
      { customTitle: "First", titleSource: "manual" },
      { customTitle: "Last", titleSource: "auto" },
    ]);
  });
});

test("a branch departs from where it did, and the file ends where the talk does", async () => {
  const [one, two] = [message("user", "one"), message("assistant", "two")];
  const aside = message("user", "aside", {}, { branch: "b", branchFrom: one.nativeId as string });
  const [first, second, third, last] = await rows(one, two, aside);
  expect(third).toMatchObject({ parentUuid: first?.uuid });
  expect(last).toMatchObject({ subtype: "asp_leaf", parentUuid: second?.uuid });
});

test("a compaction is a history of turns, which says nothing of who answered in it", async () => {
  const context = [message("user", "So far."), message("assistant", "Yes.", { model: "m-1" })];
  const { lines, losses } = await written([
    started,
    message("user", "one"),
    { type: "status.changed", payload: { status: "compacted", context }, time, origin },
    message("user", "two"),
  ]);
  expect(lines[1]).toMatchObject({
    subtype: "chat_compression",
    systemPayload: {
      compressedHistory: [
        { role: "user", parts: [{ text: "So far." }] },
        { role: "model", parts: [{ text: "Yes." }] },
      ],
    },
  });
  expect(losses).toContain("models evidence-only no-counterpart 1");
});

test("a result without a call, and what was only shown, have no place and are told of", async () => {
  const { losses } = await written([
    started,
    message("user", "hi"),
    result("nobody", [text("?")]),
    message("assistant", [{ type: "error", message: "Overloaded" }], { audience: ["user"] }),
  ]);
  expect(losses).toEqual(
    expect.arrayContaining([
      "tool-results evidence-only orphan-result 1",
      "errors evidence-only no-counterpart 1",
    ]),
  );
});

test("a session in which nobody said anything is refused", async () => {
  await expect(written([started])).rejects.toThrow("nothing was said");
});
