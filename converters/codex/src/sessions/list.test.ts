import { beforeEach, describe, expect, test } from "vitest";
import * as r from "../../test-kit/rollout.js";
import codex from "../index.js";

beforeEach(r.restart);

const talk = (text = "hello") => [
  r.user(text),
  r.said("user_message", { message: text }),
  r.assistant("yes"),
];
const environment = { env: {}, home: "/home/dev", platform: "linux" as const, cwd: "/" };

describe("one session", () => {
  test("title, times, counts, model, version, git", async () => {
    const ref = r.only(
      await r.opened([
        r.meta({ git: { branch: "main", commit_hash: "abc", repository_url: "https://x" } }),
        ...talk("first line\nsecond"),
        r.line("turn_context", { model: "m1" }),
        r.line("turn_context", { model: "m2" }),
        ...talk("more"),
        r.said("thread_goal_updated"),
      ]),
    );
    expect(ref).toMatchObject({
      id: r.ID,
      title: "first line",
      titleFrom: "prompt",
      cwd: "/home/dev/demo",
      createdAt: "2026-11-30T10:00:00.000Z",
      updatedAt: "2026-11-30T10:00:08.000Z", // the last thing said, not the last record
      messages: 4,
      model: "m2",
      harnessVersion: "0.171.0",
      git: { branch: "main", commit: "abc", repository: "https://x" },
    });
  });
  test("a name from the index: the last line of a thread counts; one that repeats the prompt is none", async () => {
    const index = (...names: string[]) =>
      r.jsonl(names.map((thread_name) => ({ id: r.ID, thread_name, updated_at: "x" })));
    const named = (text: string) => ({
      [r.pathOf()]: r.jsonl([r.meta(), ...talk()]),
      [`${r.ROOT}/session_index.jsonl`]: text,
    });
    expect(r.only(await r.opened(named(index("old", "New name"))))).toMatchObject({
      title: "New name",
      titleFrom: "user",
    });
    expect(r.only(await r.opened(named(index("hello"))))).toMatchObject({
      title: "hello",
      titleFrom: "prompt",
    });
    expect(r.only(await r.opened(named(`no json\n${index("New name", " ")}`)))).toMatchObject({
      title: "hello",
    });
  });
  test("without any time the file's own is used, and it is said", async () => {
    const ref = r.only(
      await r.opened({
        [r.pathOf()]: r.jsonl([{ type: "session_meta", timestamp: "x", payload: { id: r.ID, cwd: "/x" } }]),
      }),
    );
    expect(ref.timesInferred).toBe(true);
  });
  test("archived, packed and of no session are told apart", async () => {
    const archived = await r.opened({
      [`${r.ROOT}/archived_sessions/rollout-2026-11-30T10-00-00-${r.ID}.jsonl`]: r.jsonl([
        r.meta(),
        ...talk(),
      ]),
    });
    expect(r.only(archived).archived).toBe(true);
    const others = await r.opened({
      [`${r.pathOf()}.lock`]: "x",
      [`${r.ROOT}/sessions/2026/11/30/notes.jsonl`]: "{}",
      [r.pathOf(r.OTHER)]: "",
    });
    expect(others.refs).toEqual([]);
  });
});

describe("subagents (P29)", () => {
  const spawned = (id: string, parent: string, more = {}) =>
    r.meta({
      id,
      parent_thread_id: parent,
      thread_source: "subagent",
      source: { subagent: { thread_spawn: { parent_thread_id: parent, depth: 1 } } },
      ...more,
    });
  const THIRD = "01a22d00-0000-7000-8000-0000000000aa";
  test("they stand below the session that started them, with the call", async () => {
    const store = await r.opened({
      [r.pathOf()]: r.jsonl([
        r.meta(),
        ...talk(),
        r.call("call_spawn", {}, { name: "spawn_agent" }),
        r.output("call_spawn", `{"agent_id":"${r.OTHER}"}`),
        r.output("call_wait", `{"${r.OTHER}":"done"}`),
      ]),
      [r.pathOf(r.OTHER)]: r.jsonl([spawned(r.OTHER, r.ID), ...talk("sub")]),
      [r.pathOf(THIRD)]: r.jsonl([spawned(THIRD, r.OTHER), ...talk("subsub")]),
    });
    expect(store.refs).toMatchObject([
      {
        id: r.ID,
        children: [
          {
            id: r.OTHER,
            title: "sub",
            parent: { id: r.ID, relation: "subagent", toolCallId: "call_spawn" },
            children: [{ id: THIRD, parent: { id: r.OTHER } }],
          },
        ],
      },
    ]);
  });
  test("a review's too; one whose parent is not there, or that names itself, stands alone", async () => {
    const store = await r.opened({
      [r.pathOf()]: r.jsonl([
        r.meta({ id: r.ID, source: { subagent: "review" }, parent_thread_id: r.OTHER }),
        ...talk(),
      ]),
    });
    expect(r.only(store).parent).toEqual({ id: r.OTHER, relation: "subagent" });
    expect(r.only(await r.opened([spawned(r.ID, r.ID), ...talk()])).parent).toBeUndefined();
    const circle = await r.opened({
      [r.pathOf()]: r.jsonl([spawned(r.ID, r.OTHER), ...talk()]),
      [r.pathOf(r.OTHER)]: r.jsonl([spawned(r.OTHER, r.ID), ...talk()]),
    });
    expect(circle.refs.flatMap((ref) => [ref.id, ...ref.children.map(({ id }) => id)]).sort()).toEqual([
      r.ID,
      r.OTHER,
    ]);
  });
});

describe("several files of one thread", () => {
  test("the later segment is the session, the earlier one its own too", async () => {
    const first = r.numbered([r.meta(), ...talk("one"), ...talk("two")]);
    const end = Buffer.byteLength(r.jsonl(first.slice(0, 4)));
    const base = { history_base: { thread_id: r.ID, end_ordinal_exclusive: 4, end_byte_offset: end } };
    const store = await r.opened({
      [r.pathOf()]: r.jsonl(first),
      [r.pathOf(`${r.ID}_01a22d00-0000-7000-8000-0000000000bb`, "2026-11-30T11-00-00")]: r.jsonl(
        r.numbered([r.meta(base), ...talk("three")], 4),
      ),
    });
    const ref = r.only(store);
    expect(ref.path).toContain("bb.jsonl");
    expect(ref.files.map(({ role }) => role)).toEqual(["transcript", "companion"]);
    expect(ref.messages).toBe(4);
    expect(ref.createdAt).toBe("2026-11-30T10:00:00.000Z");
  });
  test("of two copies the newer one is used, the other is counted as superseded", async () => {
    const files = {
      [r.pathOf(r.ID, "2026-11-30T10-00-00")]: r.jsonl([r.meta(), ...talk("old")]),
      [r.pathOf(r.ID, "2026-11-30T11-00-00")]: r.jsonl([r.meta(), ...talk("old"), ...talk("new")]),
    };
    expect(r.only(await r.opened(files)).messages).toBe(4);
    const events = await r.eventsOf(files);
    expect(r.talk(events)).toHaveLength(4);
    expect(
      r.ofType(events, "unknown.observed").filter(({ payload }) => payload.reason === "superseded"),
    ).toHaveLength(4);
  });
});

describe("what a path is", () => {
  const files = {
    [r.pathOf()]: r.jsonl([r.meta(), ...talk()]),
    [r.pathOf(r.OTHER)]: r.jsonl([r.meta({ id: r.OTHER }), ...talk()]),
  };
  test.each([
    ["the store", r.ROOT, 2],
    ["its sessions folder", `${r.ROOT}/sessions`, 2],
    ["a day", `${r.ROOT}/sessions/2026/11/30`, 2],
    ["one file", r.pathOf(), 1],
  ])("%s is recognised and listed", async (_, path, count) => {
    const { source } = await r.opened(files);
    const { candidateOf } = await import("@asp-convert/core");
    expect(await codex.probe(await candidateOf(path, source))).toBeGreaterThanOrEqual(70);
    const store = await codex.open(path, source, environment);
    expect(store.root).toBe(r.ROOT);
    const ids: string[] = [];
    for await (const ref of codex.sessions.list(store, { source, environment })) ids.push(ref.id);
    expect(ids).toHaveLength(count);
  });
  test("a file that lies anywhere is a session all the same", async () => {
    const { source } = await r.opened({ "/home/dev/elsewhere/some.jsonl": r.jsonl([r.meta(), ...talk()]) });
    const { candidateOf } = await import("@asp-convert/core");
    expect(await codex.probe(await candidateOf("/home/dev/elsewhere/some.jsonl", source))).toBeGreaterThan(
      90,
    );
    const store = await codex.open("/home/dev/elsewhere/some.jsonl", source, environment);
    const ids: string[] = [];
    for await (const ref of codex.sessions.list(store, { source, environment })) ids.push(ref.id);
    expect(ids).toEqual([r.ID]);
  });
});
