import type { Block, EventOf, SessionEvent } from "@asp-convert/core";
import { expect, test } from "vitest";
import { CWD, listed, ROOT, written } from "../../test-kit/session.js";
import gemini from "../index.js";
import { sha256 } from "../layout.js";

const origin = [{ record: 0, file: 0, offset: 0, length: 1 }];
const time = "2026-11-30T10:00:01.000Z";
let n = 0;

const started: SessionEvent = {
  type: "session.started",
  payload: { nativeSessionId: "foreign", cwd: CWD },
  origin,
};

function message(
  role: "user" | "assistant" | "system",
  content: string | Block[],
  more: Partial<EventOf<"message.completed">["payload"]> = {},
  place: Pick<SessionEvent, "branch" | "branchFrom"> = {},
): SessionEvent {
  const messageId = `m${n++}`;
  const blocks: Block[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return {
    type: "message.completed",
    payload: { messageId, role, blocks, ...more },
    nativeId: messageId,
    time,
    origin,
    ...place,
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

async function rows(...events: SessionEvent[]): Promise<Record<string, unknown>[]> {
  const { lines } = await written([started, ...events]);
  return lines.slice(1).map((line) => ({ ...line }));
}

test("the head names the project and where the session came from, and no time that would have it deleted", async () => {
  const { lines, files } = await written([started, message("user", "hi")], {
    title: "A name",
    titleFrom: "user",
  });
  expect(lines[0]).toEqual({
    sessionId: expect.any(String),
    projectHash: sha256(CWD),
    startTime: "2026-11-30T10:00:00.000Z",
    kind: "main",
    directories: [CWD],
    summary: "A name",
    asp: { converted_from: { harness: "sample", session_id: "foreign" } },
  });
  expect([...files.keys()].sort()).toEqual([
    `${ROOT}/.gemini/history/demo-${sha256(CWD).slice(0, 8)}/.project_root`,
    `${ROOT}/.gemini/projects.json`,
    expect.stringMatching(/tmp\/demo-[0-9a-f]{8}\/\.project_root$/),
    expect.stringMatching(/tmp\/demo-[0-9a-f]{8}\/chats\/session-2026-11-30T10-00-[0-9a-f]{8}\.jsonl$/),
  ]);
});

test("the program's own folder for the project is taken, and what else the registry says stays", async () => {
  const before = '{\n  "projects": {\n    "/other": "other",\n    "/home/dev/demo": "demo"\n  }\n}';
  const { files } = await written(
    [started, message("user", "hi")],
    {},
    new Map([[`${ROOT}/.gemini/projects.json`, Buffer.from(before)]]),
  );
  expect([...files.keys()].some((path) => path.includes("/tmp/demo/chats/"))).toBe(true);
  expect(files.has(`${ROOT}/.gemini/projects.json`)).toBe(false);
});

test("a folder that is another project's is not taken", async () => {
  const present = new Map([
    [`${ROOT}/.gemini/projects.json`, Buffer.from('{"projects":{"/home/dev/demo":"demo"}}')],
    [`${ROOT}/.gemini/tmp/demo/.project_root`, Buffer.from("/elsewhere/demo")],
  ]);
  const { files } = await written([started, message("user", "hi")], {}, present);
  expect([...files.keys()].filter((path) => path.includes("/tmp/demo/"))).toEqual([]);
  expect(JSON.parse(Buffer.from(files.get(`${ROOT}/.gemini/projects.json`) ?? []).toString())).toEqual({
    projects: { [CWD]: `demo-${sha256(CWD).slice(0, 8)}` },
  });
});

test("thoughts, words and calls stand where the program puts them; results inside their calls, once", async () => {
  const [, said] = await rows(
    message("user", "go"),
    message("assistant", [{ type: "thinking", text: "hm" }, text("Reading."), call("c"), call("d")], {
      model: "m-1",
    }),
    result("c", [text("41")]),
    result("d", [text("no")], true),
  );
  expect(said).toMatchObject({
    type: "gemini",
    content: "Reading.",
    thoughts: [{ subject: "", description: "hm", timestamp: time }],
    model: "m-1",
    toolCalls: [
      {
        id: "c",
        name: "Read",
        args: { path: "a" },
        status: "success",
        result: [{ functionResponse: { id: "c", name: "Read", response: { output: "41" } } }],
      },
      { id: "d", status: "error", result: [{ functionResponse: { response: { error: "no" } } }] },
    ],
  });
});

test("words after a call keep their place", async () => {
  const [, said] = await rows(
    message("user", "go"),
    message("assistant", [text("a"), call("c"), text("b")]),
    result("c", [text("1")]),
  );
  expect(said).toMatchObject({
    content: [{ text: "a" }, { functionCall: { id: "c" } }, { text: "b" }],
    thoughts: [],
    toolCalls: [{ id: "c" }],
  });
});

test("ids are used once; arguments are an object; a result without a call is left", async () => {
  const { lines, losses } = await written([
    started,
    message("user", "go"),
    message("assistant", [call("c", "free text")]),
    result("c", [text("1")]),
    message("assistant", [call("c")]),
    result("c", [text("2")]),
    result("nobody", [text("3")]),
  ]);
  expect(lines.flatMap((line) => ("toolCalls" in line ? (line.toolCalls ?? []) : []))).toMatchObject([
    { id: "c", args: { input: "free text" } },
    { id: "c_2" },
  ]);
  expect(losses).toContain("tool-results evidence-only orphan-result 1");
});

test("words that the program would leave out on resume are written so that it sends them", async () => {
  const [slash, context] = await rows(
    message("user", "/compact now"),
    message("user", "<session_context>said by a person"),
  );
  expect(slash).toMatchObject({
    content: [{ text: "/compact now", thought: false }],
    displayContent: [{ text: "/compact now" }],
  });
  expect(context).toMatchObject({ content: [{ thought: false }], asp: { said: true } });
});

test("what was shown and not sent is a note of the program's; what was sent and not typed says so", async () => {
  const lines = await rows(
    message("user", "hi"),
    message("assistant", [{ type: "error", message: "quota" }], { audience: ["user"] }),
    message("user", "/clear", { audience: ["user"] }),
    message("user", "skill body", { injected: "skill" }),
    message("user", "expanded", { display: "typed" }),
    message("user", "reminder", { injected: "harness" }),
  );
  expect(lines).toMatchObject([
    { type: "user" },
    { type: "error", content: "quota" },
    { type: "info", content: "/clear", asp: { shown: "user" } },
    { type: "user", content: [{ text: "skill body" }], asp: { injected: "skill" } },
    { content: [{ text: "expanded" }], displayContent: [{ text: "typed" }] },
  ]);
  expect(lines).toHaveLength(5);
});

test("a compaction is a list that replaces what was said; a branch is taken back", async () => {
  const first = message("user", "a");
  const lines = await rows(
    first,
    message("assistant", "b"),
    {
      type: "status.changed",
      payload: { status: "compacted", context: [message("user", "so far", { kind: "summary" })] },
      origin,
    },
    message("user", "c"),
    message(
      "user",
      "left",
      {},
      { branch: "x", ...(first.nativeId !== undefined && { branchFrom: first.nativeId }) },
    ),
  );
  expect(lines).toMatchObject([
    { type: "user" },
    { type: "gemini" },
    { $set: { messages: [{ type: "user", content: [{ text: "so far" }], asp: { kind: "summary" } }] } },
    { type: "user", content: [{ text: "c" }] },
    { content: [{ text: "left" }], asp: { from: lines[0]?.id } },
    { $rewindTo: lines[4]?.id },
  ]);
});

test("pictures go with their bytes, and without a name: the program refuses a part that has one", async () => {
  const { lines, losses } = await written([
    started,
    message("user", [
      text("see"),
      { type: "image", mimeType: "image/png", data: "AAAA", alt: "dot.png" },
      { type: "image", uri: "https://x/y.png" },
    ]),
  ]);
  expect(lines[1]).toMatchObject({
    content: [{ text: "see" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }],
  });
  expect(losses).toEqual(
    expect.arrayContaining(["images evidence-only no-counterpart 1", "images evidence-only not-supported 1"]),
  );
});

test("no folder, or nothing said: refused, and why", async () => {
  const { needs } = gemini.sessions.resume;
  const ref = { harness: "sample", id: "x", path: "/x", files: [], size: 0, children: [] };
  const reasons = (more: object) => needs.flatMap(({ missing }) => missing({ ...ref, ...more }) ?? []);
  expect(reasons({})).toEqual([expect.stringContaining("--cwd")]);
  expect(reasons({ cwd: CWD, messages: 0 })).toEqual([expect.stringContaining("resumes no such session")]);
  expect(reasons({ cwd: CWD, messages: 1 })).toEqual([]);
});

test("what is written is listed with its title, folder and times", async () => {
  const { files } = await written([started, message("user", "hi there"), message("assistant", "hello")]);
  expect(await listed(new Map(files))).toMatchObject([
    {
      title: "hi there",
      titleFrom: "prompt",
      cwd: CWD,
      createdAt: "2026-11-30T10:00:00.000Z",
      updatedAt: time,
      messages: 2,
    },
  ]);
});

test("a store without the folder's mark is read by what the registry and the session say", async () => {
  const { files } = await written([started, message("user", "hi")]);
  const bare = new Map([...files].filter(([path]) => path.endsWith(".jsonl")));
  expect(await listed(bare)).toMatchObject([{ cwd: CWD }]);
});
