import type { Block, EventOf, SessionEvent } from "@asp-convert/core";
import { expect, test } from "vitest";
import { listed, ROOT, told, written } from "../../test-kit/session.js";

const origin = [{ record: 0, file: 0, offset: 0, length: 1 }];
const time = "2026-11-30T10:00:01.000Z";
let n = 0;

function message(
  role: "user" | "assistant" | "system",
  content: string | Block[],
  more: Partial<EventOf<"message.completed">["payload"]> = {},
): SessionEvent {
  const messageId = `m${n++}`;
  const blocks: Block[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return {
    type: "message.completed",
    payload: { messageId, role, blocks, ...more },
    nativeId: messageId,
    time,
    origin,
  };
}

const result = (toolCallId: string, blocks: Block[], isError = false): SessionEvent => ({
  type: "tool.completed",
  payload: { toolCallId, result: blocks, isError },
  time,
  origin,
});

const text = (words: string): Block => ({ type: "text", text: words });
const call = (toolCallId: string, args: unknown = { path: "a" }): Block => ({
  type: "tool-call",
  toolCallId,
  name: "Read",
  arguments: args,
});

const contents = async (...events: SessionEvent[]) =>
  (await written(events)).messages.map(({ content }) => content);

test("a person's words are marked as the program marks them; a note to the model is not", async () => {
  expect(await contents(message("user", "hi"), message("user", "ran", { injected: "notice" }))).toEqual([
    [{ type: "text", text: '<user_input mode="act">hi</user_input>' }],
    [{ type: "text", text: "ran" }],
  ]);
});

test("words that hold the program's own marks stay where marks around them keep them, else are said to change", async () => {
  const kept = await written([message("user", 'say <user_input mode="act"> to it', { injected: "notice" })]);
  expect(kept.messages[0]?.content).toEqual([
    { type: "text", text: '<user_input mode="act">say <user_input mode="act"> to it</user_input>' },
  ]);
  const both = 'a </user_input> <user_input mode="act">b</user_input>';
  const { messages, losses } = await written([message("user", both)]);
  expect(messages[0]?.content).toEqual([{ type: "text", text: both }]);
  expect(losses).toContain("messages partial not-supported 1");
});

test("each result is a text, names its tool, and stands in a message of its own", async () => {
  expect(
    await contents(
      message("user", "go"),
      message("assistant", [call("1"), call("2", "free"), call("1")]),
      result("1", [text("one"), text("more")]),
      result("2", [text("no")], true),
    ),
  ).toEqual([
    [{ type: "text", text: expect.any(String) }],
    [
      { type: "tool_use", id: "1", name: "Read", input: { path: "a" } },
      { type: "tool_use", id: "2", name: "Read", input: { input: "free" } },
      { type: "tool_use", id: "1_2", name: "Read", input: { path: "a" } },
    ],
    [{ type: "tool_result", tool_use_id: "1_2", name: "Read", content: "one\nmore" }],
    [{ type: "tool_result", tool_use_id: "2", name: "Read", content: "no", is_error: true }],
  ]);
});

test("pictures stand in their result; an address is nothing that the program would fetch", async () => {
  const { messages, losses } = await written([
    message("user", [text("see"), { type: "image", uri: "https://example.com/a.png" }]),
    message("assistant", [call("1")]),
    result("1", [text("dot"), { type: "image", mimeType: "image/png", data: "AAAA" }]),
  ]);
  expect(messages[2]?.content).toMatchObject([
    {
      content: [
        { type: "text", text: "dot" },
        { type: "image", data: "AAAA", mediaType: "image/png" },
      ],
    },
  ]);
  expect(losses).toContain("images evidence-only not-supported 1");
});

test("a compaction stands beside the messages, and names the last one that it stands for", async () => {
  const summary = message("user", "all", { kind: "summary" });
  const { messages, compaction, manifest } = await written([
    message("user", "one"),
    message("assistant", "two"),
    message("assistant", [{ type: "error", message: "oops" }], { audience: ["user"] }),
    { type: "status.changed", payload: { status: "compacted", context: [summary] }, origin },
    message("user", "three"),
  ]);
  expect(messages).toHaveLength(4);
  expect(compaction).toMatchObject({
    source_message_count: 2,
    source_last_message_key: `id:${messages[1]?.id}`,
    messages: [{ content: [{ type: "text", text: "all" }], metadata: { kind: "compaction_summary" } }],
  });
  expect(manifest.compaction_path).toMatch(/\.compaction\.json$/);
});

test("a compaction of nothing is just what was said", async () => {
  const context = [message("user", "all", { kind: "summary" })];
  const { messages, compaction } = await written([
    { type: "status.changed", payload: { status: "compacted", context }, origin },
    message("user", "three"),
  ]);
  expect(messages).toHaveLength(2);
  expect(compaction).toBeUndefined();
});

test("nothing said, nothing written", async () => {
  const harness = message("user", "<env>", { injected: "harness" });
  await expect(written([harness])).rejects.toThrow("nothing was said");
  await expect(written([], { cwd: undefined as never })).rejects.toThrow("folder");
});

test("the manifest has the title, and the paths are where the files are", async () => {
  const { manifest, files } = await written([message("user", "hello there")], {
    title: "Mine",
    titleFrom: "user",
    git: { branch: "main" },
  });
  expect(files.has(manifest.messages_path)).toBe(true);
  expect(manifest).toMatchObject({
    prompt: "hello there",
    metadata: { title: "Mine", git: { branch: "main" } },
  });
  expect(await listed(files, ROOT)).toMatchObject([
    { title: "Mine", titleFrom: "user", git: { branch: "main" } },
  ]);
});

test("what was written is read as it was", async () => {
  const { files } = await written([
    message("user", "typed", { display: "/typed" }),
    message("system", "rules"),
    message("assistant", [{ type: "thinking", text: "hm" }, text("done")]),
  ]);
  const [own] = [...files].filter(([path]) => path.endsWith(".messages.json"));
  expect(await told({ text: Buffer.from(own?.[1] ?? []).toString("utf8") })).toEqual([
    "user: typed [/typed]",
    "system: rules",
    "assistant: <thinking hm> | done",
  ]);
});
