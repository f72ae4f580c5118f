import { sessionsIn, sourceOf } from "@asp-convert/conformance/toolbox";
import { describe, expect, test } from "vitest";
import { call, ID, lines, ROOT, readOne, result, said, user, uuidOf } from "../../test-kit/transcript.js";
import claude from "../index.js";

const talk = [user("First prompt."), said("a", "A."), user("Second prompt."), said("b", "B.")];
const own = `projects/-home-dev-demo/${ID}`;

describe("titles, in the order the program's picker takes them", () => {
  const prompt = { type: "last-prompt", lastPrompt: "Last prompt.", leafUuid: uuidOf(4), sessionId: ID };
  const summary = { type: "summary", summary: "A summary.", leafUuid: uuidOf(4) };
  const made = { type: "ai-title", aiTitle: "Made up.", sessionId: ID };
  const custom = (customTitle: string) => ({ type: "custom-title", customTitle, sessionId: ID });
  const side = { [`${own}/custom-title.json`]: '{"customTitle":"Beside","by":"user"}' };

  test.each([
    ["the first prompt", [], {}, "First prompt.", "prompt"],
    ["the last prompt noted", [prompt], {}, "Last prompt.", "prompt"],
    ["an old summary", [prompt, summary], {}, "A summary.", "agent"],
    ["the program's title", [made, prompt, summary], {}, "Made up.", "agent"],
    ["the file beside", [made, summary], side, "Beside", "user"],
    ["the last custom title", [custom("Old"), made, custom("New"), summary], side, "New", "user"],
  ] as const)("%s", async (_, records, beside, title, titleFrom) => {
    const { ref } = await readOne(lines(...talk, ...records), beside);
    expect(ref).toMatchObject({ title, titleFrom });
  });

  test("commands and what the program put in are no titles; a long prompt is cut between characters", async () => {
    const long = `${"w".repeat(199)}😀 and more`;
    const { ref } = await readOne(
      lines(
        user("<local-command-caveat>x</local-command-caveat>", { isMeta: true }),
        user("<command-name>/plan</command-name>"),
        user(`${long}\n\n again`),
      ),
    );
    expect(ref.title).toBe(`${"w".repeat(199)}\ufffd…`);
  });

  test("a session of nothing but a command bears its name", async () => {
    const { ref } = await readOne(
      lines(
        user("<command-name>/review</command-name>\n<command-args>12</command-args>"),
        said("a", "Fine."),
      ),
    );
    expect(ref.title).toBe("/review 12");
  });
});

describe("a session in the list", () => {
  test("counts what was typed and the agent's messages, on the active line", async () => {
    const { ref } = await readOne(
      lines(
        user("One."),
        said("a", "A."),
        said("a", call("t1")),
        result("t1", "R"),
        {
          type: "attachment",
          attachment: { type: "queued_command", prompt: "Queued.", commandMode: "prompt" },
        },
        user("<bash-stdout>x</bash-stdout>"),
        user("meta", { isMeta: true }),
        said("b", "B."),
        { ...said("e", "API Error"), isApiErrorMessage: true },
        user("Left.", { parentUuid: uuidOf(2) }),
        { type: "last-prompt", leafUuid: uuidOf(9), sessionId: ID },
      ),
    );
    expect(ref.messages).toBe(4); // One., Queued., a, b
  });

  test("times are of the first and the last thing said, model and version of the last that says so", async () => {
    const { ref } = await readOne(
      lines(...talk, { type: "system", subtype: "turn_duration", durationMs: 1 }),
    );
    expect(ref).toMatchObject({
      createdAt: "2026-11-30T10:00:01.000Z",
      updatedAt: "2026-11-30T10:00:04.000Z",
      model: "claude-opus-5-5",
      harnessVersion: "2.1.332",
      git: { branch: "main" },
      cwd: "/home/dev/demo",
    });
    expect(ref.timesInferred).toBeUndefined();
  });

  test("of several directories, the one that its folder is named after", async () => {
    const { ref } = await readOne(
      lines(user("One.", { cwd: "/elsewhere" }), said("a", "A."), user("Two.", { cwd: "/home/dev/demo" })),
    );
    expect(ref.cwd).toBe("/home/dev/demo");
  });

  test("one folder may hold the sessions of two projects (P34)", async () => {
    const files = new Map(
      ["/a/b_c", "/a/b/c"].map((cwd, n): [string, Uint8Array] => [
        `${ROOT}/projects/-a-b-c/aaaaaaaa-0000-4000-8000-00000000000${n}.jsonl`,
        Buffer.from(lines(user("One.", { cwd }))),
      ]),
    );
    expect((await sessionsIn(claude, ROOT, sourceOf(files))).map(({ cwd }) => cwd)).toEqual([
      "/a/b_c",
      "/a/b/c",
    ]);
  });

  test("what is no session is not listed", async () => {
    const files = new Map<string, Uint8Array>([
      [
        `${ROOT}/history.jsonl`,
        Buffer.from('{"display":"x","project":"/p","sessionId":"s","timestamp":1}\n'),
      ],
      [
        `${ROOT}/projects/-p/history.jsonl`,
        Buffer.from('{"display":"x","project":"/p","sessionId":"s","timestamp":1}\n'),
      ],
      [
        `${ROOT}/projects/-p/aaaaaaaa-0000-4000-8000-000000000000.jsonl`,
        Buffer.from('{"type":"summary","summary":"x","leafUuid":"y"}\n'),
      ],
      [`${ROOT}/projects/-p/aaaaaaaa-0000-4000-8000-000000000001.jsonl`, Buffer.alloc(0)],
      [`${ROOT}/projects/-p/sessions-index.json`, Buffer.from("{}")],
    ]);
    expect(await sessionsIn(claude, ROOT, sourceOf(files))).toEqual([]);
  });
});

describe("subagents", () => {
  const agent = (id: string, words: string, more = {}) =>
    lines(user(words, { isSidechain: true, agentId: id, ...more }), {
      ...said("s", "Done."),
      isSidechain: true,
      agentId: id,
    });

  test("with files of their own are linked to their call; copies of the conversation are evidence", async () => {
    const { ref } = await readOne(lines(...talk), {
      [`${own}/subagents/agent-a1.jsonl`]: agent("a1", "Count."),
      [`${own}/subagents/agent-a1.meta.json`]:
        '{"agentType":"counter","description":"Count the files","toolUseId":"toolu_1"}',
      [`${own}/subagents/agent-acompact-b2.jsonl`]: agent("acompact-b2", "Copy."),
    });
    expect(
      ref.children.map(({ id, title, titleFrom, parent, messages }) => ({
        id,
        title,
        titleFrom,
        parent,
        messages,
      })),
    ).toEqual([
      {
        id: "agent-a1",
        title: "Count the files",
        titleFrom: "agent",
        parent: { id: ID, relation: "subagent", toolCallId: "toolu_1" },
        messages: 2,
      },
    ]);
    expect(ref.files.map(({ relative }) => relative)).toEqual([
      `${own}.jsonl`,
      `${own}/subagents/agent-acompact-b2.jsonl`,
    ]);
  });

  test("of old versions lie beside the transcript, and name it", async () => {
    const { ref } = await readOne(lines(...talk), {
      "projects/-home-dev-demo/agent-0a1b.jsonl": agent("0a1b", "Count."),
    });
    expect(ref.children.map(({ id, files }) => [id, files[0]?.relative])).toEqual([
      ["agent-0a1b", "projects/-home-dev-demo/agent-0a1b.jsonl"],
    ]);
  });

  test("a meta file that is broken loses the link, not the session", async () => {
    const { ref } = await readOne(lines(...talk), {
      [`${own}/subagents/agent-a1.jsonl`]: agent("a1", "Count."),
      [`${own}/subagents/agent-a1.meta.json`]: "{",
    });
    expect(ref.children).toMatchObject([{ id: "agent-a1", parent: { id: ID, relation: "subagent" } }]);
  });
});

describe("opening", () => {
  const environment = { env: {}, home: "/home/dev", platform: "linux" as const, cwd: "/" };
  const path = `${ROOT}/${own}.jsonl`;
  const source = sourceOf(
    new Map([
      [path, Buffer.from(lines(...talk))],
      ["/loose/full.jsonl", Buffer.from(lines(...talk))],
    ]),
  );
  test.each([
    [ROOT, { root: ROOT }],
    [`${ROOT}/projects`, { root: ROOT }],
    [`${ROOT}/projects/-home-dev-demo`, { root: ROOT, focus: `${ROOT}/projects/-home-dev-demo` }],
    [path, { root: ROOT, focus: path }],
    ["/loose/full.jsonl", { root: "/loose", focus: "/loose/full.jsonl" }],
    ["/loose", { root: "/loose", focus: "/loose" }],
  ])("%s", async (at, store) => {
    expect(await claude.open(at, source, environment)).toEqual({ harness: "claude", ...store });
    const refs = [];
    for await (const ref of claude.sessions.list({ harness: "claude", ...store }, { source, environment }))
      refs.push(ref);
    // A file of another name goes by the session's id, and where it would lie.
    expect(refs).toMatchObject([{ id: ID, files: [{ relative: `${own}.jsonl` }] }]);
  });
});
