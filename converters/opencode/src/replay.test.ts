import { join } from "node:path";
import {
  carryOut,
  ENVIRONMENT,
  type Files,
  loadFixture,
  openStore,
  sourceOf,
  TARGET_ROOT,
} from "@asp-convert/conformance/toolbox";
import type { SessionRef, Target } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import * as kit from "../test-kit/store.js";
import opencode from "./index.js";

const { answer, done, store, user } = kit;

async function replayed(
  files: Files,
  change: Partial<Target> = {},
  root = kit.ROOT,
): Promise<kit.Written & { ref: SessionRef }> {
  const { refs, source } = await openStore(opencode, root, sourceOf(files));
  const ref = refs[0] as SessionRef;
  const target = {
    root: TARGET_ROOT,
    environment: ENVIRONMENT,
    source: sourceOf(new Map()),
    copy: 0,
    ...change,
  };
  const plan = await opencode.sessions.replay(ref, source, target);
  return { ref, ...(await kit.rowsOf(await carryOut(plan), plan)) };
}

/** Its evidence: the rows of the session, byte for byte. */
async function evidence(files: Files, root: string, id: string): Promise<string> {
  const { refs, source } = await openStore(opencode, root, sourceOf(files));
  const ref = refs.find((one) => one.id === id) as SessionRef;
  return Buffer.from((await source.readFile(ref.path)) ?? []).toString();
}

const SPACED = '{ "role" : "user",  "time": {"created": 1}, "agent":"build" }';
const store1 = () =>
  store({
    row: { revert: JSON.stringify({ messageID: "msg_000000000003AAAAAAAAAAAAAA" }) },
    said: [
      user("msg_000000000001AAAAAAAAAAAAAA", "one"),
      answer(
        "msg_000000000002AAAAAAAAAAAAAA",
        [done("call_1", "out", { metadata: { sessionId: "ses_000000000001BBBBBBBBBBBBBB" } })],
        {
          parentID: "msg_000000000001AAAAAAAAAAAAAA",
        },
      ),
      user("msg_000000000003AAAAAAAAAAAAAA", "undone"),
    ],
    todos: [{ content: "a" }],
    rows: [
      {
        table: "message",
        row: { id: "msg_x", session_id: kit.SESSION, time_created: 5, time_updated: 5, data: SPACED },
      },
      {
        table: "session",
        row: {
          id: "ses_000000000001BBBBBBBBBBBBBB",
          project_id: "global",
          parent_id: kit.SESSION,
          slug: "c",
          directory: "/home/dev/demo",
          title: "C",
          version: "1",
          time_created: 9,
          time_updated: 9,
        },
      },
    ],
  });

describe("into another store of its own", () => {
  test("a session goes by its own rows, to the byte, its subagents with it", async () => {
    const files = await store1();
    const { plan, files: made } = await replayed(files);
    expect(plan.id).toBe(kit.SESSION);
    const [head, ...rows] = (await evidence(made, TARGET_ROOT, kit.SESSION)).split("\n");
    const [before, ...others] = (await evidence(files, kit.ROOT, kit.SESSION)).split("\n");
    expect(rows).toEqual(others);
    expect(rows.join("\n")).toContain(SPACED);
    // The session's own row has what the newer database wants besides.
    expect(JSON.parse(head ?? "")).toMatchObject(JSON.parse(before ?? "") as object);
    expect((await openStore(opencode, TARGET_ROOT, sourceOf(made))).refs[0]?.children).toMatchObject([
      { id: "ses_000000000001BBBBBBBBBBBBBB", parent: { toolCallId: "call_1" } },
    ]);
  });

  test("as a copy it has new ids wherever ids stand, and the old ones nowhere: the program skips rows whose ids it knows", async () => {
    const { plan, files, messages, sessions } = await replayed(await store1(), { copy: 1 });
    expect(plan.id).not.toBe(kit.SESSION);
    const all = await evidence(files, TARGET_ROOT, plan.id);
    for (const old of [
      kit.SESSION,
      "msg_000000000001AAAAAAAAAAAAAA",
      "ses_000000000001BBBBBBBBBBBBBB",
      "msg_x",
    ])
      expect(all).not.toContain(`"${old}"`);
    const of = (words: string) => messages.find(({ parts }) => parts.some(({ text }) => text === words))?.id;
    const [top] = sessions.filter(({ id }) => id === plan.id);
    expect(JSON.parse(String(top?.revert))).toEqual({ messageID: of("undone") });
    expect(messages.find(({ data }) => data.role === "assistant")?.data.parentID).toBe(of("one"));
    // The order of messages and parts, which goes by ids, is as it was.
    expect(of("one")?.slice(0, 16)).toBe("msg_000000000001");
  });

  test("in another folder it is of that folder and its project", async () => {
    const { sessions, plan } = await replayed(await store1(), { cwd: "/srv/elsewhere" });
    expect(plan.cwd).toBe("/srv/elsewhere");
    expect(new Set(sessions.map(({ directory }) => directory))).toEqual(new Set(["/srv/elsewhere"]));
  });

  test("from the JSON tree of 1.1 it becomes the rows that the program would make of it", async () => {
    const root = "/asp/source";
    const fixture = await loadFixture(
      join(import.meta.dirname, "../../../fixtures/opencode/legacy-json/home/.local/share/opencode"),
      "legacy-json",
    );
    const { ref, plan, sessions, messages, todos } = await replayed(fixture.files, {}, fixture.root ?? root);
    expect(plan.id).toBe(ref.id);
    expect(sessions).toMatchObject([{ id: ref.id, title: ref.title, directory: ref.cwd }]);
    expect(messages).toHaveLength(ref.messages ?? 0);
    expect(todos.length).toBeGreaterThan(0);
  });
});
