import { type Files, sessionsIn, sourceOf } from "@asp-convert/conformance/toolbox";
import { candidateOf } from "@asp-convert/core";
import { expect, test } from "vitest";
import {
  CONTEXT,
  CWD,
  call,
  fileOf,
  head,
  listed,
  model,
  PATH,
  ROOT,
  read,
  response,
  store,
  told,
  user,
} from "../../test-kit/session.js";
import gemini from "../index.js";
import { sha256 } from "../layout.js";

const CHATS = `${ROOT}/.gemini/tmp/demo/chats`;
const DOCUMENT = {
  sessionId: String(head().sessionId),
  ...head(),
  summary: "An old one",
  messages: [user("1", "go"), model("2", "Reading.", { toolCalls: [call("c", [response("c", "41")])] })],
};

test("a session in which nobody said anything is none: the program leaves one behind at each resume", async () => {
  expect(await listed(store(head(), { $set: { messages: [CONTEXT] } }))).toEqual([]);
});

test("an old session is one document, indented or not; its messages are records", async () => {
  for (const indent of [undefined, 2]) {
    const files: Files = new Map([
      [`${CHATS}/session-old.json`, Buffer.from(JSON.stringify(DOCUMENT, undefined, indent))],
    ]);
    const { ref, events } = await read(files);
    expect(ref).toMatchObject({ title: "An old one", messages: 2, id: DOCUMENT.sessionId });
    expect(events.map(({ type }) => type)).toEqual([
      "session.started",
      "message.completed",
      "message.completed",
      "tool.completed",
    ]);
  }
});

test("a document that is cut off gives what it has, and says that it is", async () => {
  const whole = JSON.stringify(DOCUMENT, undefined, 2);
  const files: Files = new Map([
    [`${CHATS}/session-old.json`, Buffer.from(whole.slice(0, whole.indexOf("Reading.")))],
  ]);
  const { events } = await read(files);
  expect(events.find(({ type }) => type === "message.completed")).toMatchObject({
    payload: { blocks: [{ text: "go" }] },
  });
  expect(events.at(-1)).toMatchObject({ payload: { axis: "raw", reason: "torn-tail" } });
});

test("of an old session and the new form that the program made of it, what was used last is listed", async () => {
  const files = store(head(), user("1", "go"), user("2", "more", { timestamp: "2026-11-30T11:00:00.000Z" }));
  files.set(PATH.replace(/l$/, ""), Buffer.from(JSON.stringify(DOCUMENT)));
  expect((await listed(files)).map(({ path }) => path)).toEqual([PATH]);
});

test("a checkpoint is a session with the tag for its title, and all of it is sent", async () => {
  const history = [
    { role: "user", parts: [{ text: "<session_context>x</session_context>" }, { text: "first" }] },
    { role: "model", parts: [{ functionCall: { id: "c", name: "f", args: {} }, thoughtSignature: "c2ln" }] },
    { role: "user", parts: [response("c", "1")] },
  ];
  for (const content of [{ history, authType: "x" }, history]) {
    const files: Files = new Map([
      [`${ROOT}/.gemini/tmp/demo/checkpoint-my%20tag.json`, Buffer.from(JSON.stringify(content))],
    ]);
    const { ref, events } = await read(files);
    expect(ref).toMatchObject({ id: "checkpoint-my%20tag", title: "my tag", timesInferred: true });
    expect(events.slice(1)).toMatchObject([
      { payload: { injected: "harness" } },
      { payload: { role: "user", blocks: [{ text: "first" }] } },
      { payload: { role: "assistant" } },
      { type: "tool.completed", payload: { toolCallId: "c" } },
    ]);
    expect(events[2]?.payload).not.toHaveProperty("audience");
  }
});

test("a subagent's session stands inside the one that called it, and names the call", async () => {
  const files = store(
    head(),
    user("1", "go"),
    model("2", "", { toolCalls: [call("c", [response("c", "1")], { agentId: "sub" })] }),
  );
  files.set(
    `${CHATS}/aaaaaaaa-0000-4000-8000-000000000000/sub.jsonl`,
    fileOf([
      head({ sessionId: "sub", kind: "subagent" }),
      user("1", [{ text: "\n<loaded_context>x</loaded_context>" }, { text: "Review" }]),
    ]),
  );
  const [ref, more] = await listed(files);
  expect(more).toBeUndefined();
  expect(ref?.children).toMatchObject([
    { id: "sub", title: "Review", parent: { relation: "subagent", toolCallId: "c" } },
  ]);
});

test("long outputs and plans that lie beside a session belong to it", async () => {
  const files = store(head(), user("1", "go"));
  const tmp = `${ROOT}/.gemini/tmp/demo`;
  files.set(`${tmp}/tool-outputs/session-aaaaaaaa-0000-4000-8000-000000000000/a.txt`, Buffer.from("long"));
  files.set(`${tmp}/aaaaaaaa-0000-4000-8000-000000000000/plans/p.md`, Buffer.from("plan"));
  const { ref, events } = await read(files);
  expect(ref.files.map(({ role }) => role)).toEqual(["transcript", "companion", "companion"]);
  expect(events.slice(-2).map(({ type }) => type)).toEqual(["artifact.observed", "unknown.observed"]);
});

test("the folder of an old store is the hash of the project", async () => {
  const files: Files = new Map([
    [`${ROOT}/.gemini/tmp/${sha256(CWD)}/chats/session-x.jsonl`, fileOf([head(), user("1", "go")])],
    [`${ROOT}/.gemini/projects.json`, Buffer.from(JSON.stringify({ projects: { [CWD]: "demo" } }))],
  ]);
  expect(await listed(files)).toMatchObject([{ cwd: CWD }]);
});

test("a store is found by its home, its state folder, a folder in it and a session in that", async () => {
  const files = store(head(), user("1", "go"));
  const source = sourceOf(files);
  for (const path of [ROOT, `${ROOT}/.gemini`, `${ROOT}/.gemini/tmp/demo`, CHATS, PATH]) {
    expect(await gemini.probe(await candidateOf(path, source)), path).toBeGreaterThanOrEqual(80);
    expect(await sessionsIn(gemini, path, source), path).toHaveLength(1);
  }
});

test("the context that the program adds is not a title", async () => {
  expect(await told(head(), CONTEXT, user("1", "go"))).toHaveLength(2);
  expect((await read(store(head(), CONTEXT, user("1", "go")))).ref.title).toBe("go");
});
