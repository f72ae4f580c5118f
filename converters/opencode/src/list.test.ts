import { join } from "node:path";
import { type Files, loadFixture } from "@asp-convert/conformance/toolbox";
import { SourceError } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import * as kit from "../test-kit/store.js";

const { answer, done, listed, onlyOne, store, user } = kit;
const TALK = [user("msg_1", "First words.\nMore"), answer("msg_2", "two")];
const iso = (seconds: number) => new Date(kit.START + seconds * 1000).toISOString();
const child = (id: string, parent: string, more: object = {}): kit.Session => ({
  row: { id, parent_id: parent, title: `Look (@general subagent)`, ...more },
  said: [user(`msg_${id}`, "look")],
});
const captured = (name: string) =>
  loadFixture(
    join(import.meta.dirname, "../../../fixtures/opencode", name, "home/.local/share/opencode"),
    name,
  );

describe("a session in the list", () => {
  test("has its head, its times, its size and its model", async () => {
    const model = JSON.stringify({ id: "mock-1", providerID: "mock", variant: "high" });
    const files = await store({ row: { model, cost: 0.5 }, said: TALK });
    const path = `${kit.DATABASE}/${kit.SESSION}.jsonl`;
    expect(await onlyOne(files)).toMatchObject({
      harness: "opencode",
      id: kit.SESSION,
      path,
      files: [{ path, relative: `opencode.db/${kit.SESSION}.jsonl`, role: "transcript" }],
      title: "A title",
      titleFrom: "agent",
      cwd: "/home/dev/demo",
      createdAt: iso(0),
      updatedAt: iso(2),
      messages: 2,
      model: "mock/mock-1",
      harnessVersion: "1.18.33",
      children: [],
    });
  });

  test("without a title of its own is called by what was typed first, not by what the program added", async () => {
    const row = { title: "New session - 2026-11-30T19:32:45.251Z" };
    const said = [user("msg_0", [kit.text("added", { synthetic: true }), kit.text("typed\nwords")]), ...TALK];
    expect(await onlyOne(await store({ row, said }))).toMatchObject({
      title: "typed words",
      titleFrom: "prompt",
    });
    const { title } = await onlyOne(await store({ row: { title: "a\u001b[31mb\nc" }, said }));
    expect(title).toBe("a [31mb c");
  });

  test("is archived where the program says so, and counts only what an undo left", async () => {
    const revert = JSON.stringify({ messageID: "msg_2" });
    const ref = await onlyOne(await store({ row: { time_archived: 5, revert }, said: TALK }));
    expect(ref).toMatchObject({ archived: true, messages: 1 });
  });

  test("holds its subagents, and the call that each was made by", async () => {
    const link = { metadata: { sessionId: "ses_b" } };
    const said = [...TALK, answer("msg_3", [done("call_1", "found", link)])];
    const ref = await onlyOne(await store(child("ses_c", "ses_b"), child("ses_b", kit.SESSION), { said }));
    expect(ref.children).toMatchObject([
      {
        id: "ses_b",
        parent: { id: kit.SESSION, relation: "subagent", toolCallId: "call_1" },
        children: [{ id: "ses_c", parent: { id: "ses_b" } }],
      },
    ]);
  });

  test("of a parent that is not there, or that goes in a circle, stands by itself", async () => {
    const refs = await listed(
      await store(child("ses_a", "ses_gone"), child("ses_b", "ses_c"), child("ses_c", "ses_b")),
    );
    expect(refs.map(({ id }) => id).sort()).toEqual(["ses_a", "ses_b", "ses_c"]);
  });
});

describe("what is listed", () => {
  test("a session whose id the program would choke on, and all others beside it", async () => {
    // The program itself answers with an error for all sessions where one id has no `ses`.
    const odd = ["b3", "ses_../x", "ses_a*b", ".."].map((id) => ({ row: { id }, said: [] }));
    const refs = await listed(await store(...odd, { said: TALK }));
    expect(refs.map(({ id }) => id).sort()).toEqual(["..", "b3", "ses_../x", "ses_a*b", kit.SESSION].sort());
    for (const { path } of refs)
      expect(path.slice(kit.DATABASE.length + 1)).not.toMatch(/[/*]|^\.\.?\.jsonl/);
  });

  test("what stands in the log of the database alone", async () => {
    const { root, files } = await captured("wal-only");
    expect(files.get(`${root}/opencode.db`)?.length).toBe(4096);
    expect(await listed(files, root)).toMatchObject([{ title: "Title from the model", messages: 2 }]);
  });

  test("a database that was copied without its log is an error that says so, not a store without sessions", async () => {
    const { root, files } = await captured("wal-only");
    const alone: Files = new Map([...files].filter(([path]) => path.endsWith(".db")));
    const error: unknown = await listed(alone, root).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SourceError);
    expect(String(error)).toMatch(/opencode\.db: is empty.*opencode\.db-wal\. Copy both/);
  });

  test("the JSON tree of 1.1, with its todos; what is in the database too only once", async () => {
    const { root, files } = await captured("legacy-json");
    const [ref, ...more] = await listed(files, root);
    expect(more).toEqual([]);
    const kinds = new Set(ref?.files.map(({ relative }) => relative.split("/")[1]));
    expect([...kinds]).toEqual(["session", "todo", "message", "part"]);
    expect(ref).toMatchObject({ id: expect.stringMatching(/^ses_/), cwd: "/home/dev/demo" });
    const moved = await store({ row: { id: ref?.id, title: "in the database" }, said: TALK });
    const both: Files = new Map([
      ...[...files].map(([path, bytes]) => [path.replace(root, kit.ROOT), bytes] as const),
      ...moved,
    ]);
    expect(await listed(both)).toMatchObject([{ title: "in the database" }]);
  });

  test("an exported session that was pointed at", async () => {
    const exported = {
      info: {
        id: kit.SESSION,
        slug: "s",
        directory: "/home/dev/demo",
        title: "T",
        version: "1.18.33",
        time: { created: 1, updated: 2 },
      },
      messages: [
        {
          info: { id: "msg_1", role: "user", time: { created: 1 } },
          parts: [{ id: "prt_1", type: "text", text: "hi" }],
        },
      ],
    };
    const path = "/exported/one.json";
    const files: Files = new Map([[path, Buffer.from(JSON.stringify(exported))]]);
    expect(await listed(files, path)).toMatchObject([{ id: kit.SESSION, title: "T", messages: 1, path }]);
  });

  test("nothing where a database of the same name is another program's", async () => {
    const { databaseWith } = await import("@asp-convert/core");
    const { sourceOf } = await import("@asp-convert/conformance/toolbox");
    const create = ["CREATE TABLE session (id TEXT PRIMARY KEY)"];
    const bytes = await databaseWith(sourceOf(new Map()), kit.DATABASE, [
      { do: "rows", path: kit.DATABASE, create, rows: async function* () {} },
    ]);
    expect(await listed(new Map([[kit.DATABASE, bytes]]))).toEqual([]);
  });
});
