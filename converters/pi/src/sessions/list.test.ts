import { ENVIRONMENT, type Files, listAll } from "@asp-convert/conformance/toolbox";
import { memorySource } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import * as kit from "../../test-kit/session.js";
import pi from "../index.js";

const { answer, chain, header, listed, onlyOne, store, user } = kit;
const TALK = chain({ a: user("First words.\nMore"), b: answer("two", { model: "m", provider: "p" }) });
const at = (path: string, ...lines: kit.Line[]): [string, Uint8Array] => [
  `${kit.ROOT}/${path}`,
  kit.fileOf(lines),
];
const project = "sessions/--home-dev-demo--";

describe("a session in the list", () => {
  test("has its head, its times, its size and the model that answered last", async () => {
    const files = store(header(), ...TALK);
    expect(await onlyOne(files)).toEqual({
      harness: "pi",
      id: "s1",
      path: kit.PATH,
      files: [{ path: kit.PATH, relative: kit.PATH.slice(kit.ROOT.length + 1), role: "transcript" }],
      title: "First words.",
      titleFrom: "prompt",
      cwd: "/home/dev/demo",
      createdAt: "2026-11-30T10:00:00.000Z",
      updatedAt: "2026-11-30T10:00:02.000Z",
      size: files.get(kit.PATH)?.length,
      messages: 2,
      model: "p/m",
      children: [],
    });
  });

  test("is called as it was named last, wherever in the file; an empty name takes the name away", async () => {
    const named = (name: string) => ({ type: "session_info", name });
    const titles = async (...names: string[]) => {
      const infos = Object.fromEntries(names.map((name, i) => [`n${i}`, named(name)]));
      const { title, titleFrom } = await onlyOne(
        store(header(), ...TALK, ...chain(infos, "a"), ...chain({ z: user("x") }, "b")),
      );
      return [title, titleFrom];
    };
    expect(await titles("first", "second")).toEqual(["second", "user"]);
    expect(await titles("first", "")).toEqual(["First words.", "prompt"]);
    expect(await titles("a\u001b[31mb\nc")).toEqual(["a [31mb c", "user"]);
  });

  test("counts the talk alone, and is as old as what was said first", async () => {
    const late = header({ timestamp: "2026-11-30T12:00:00.000Z" });
    const ref = await onlyOne(
      store(late, ...TALK, ...chain({ x: user("side") }, "a"), ...chain({ c: user("3") }, "b")),
    );
    expect(ref).toMatchObject({
      messages: 3,
      // A header that is later than all that was said does not make a session newer than its talk.
      createdAt: "2026-11-30T10:00:01.000Z",
      updatedAt: "2026-11-30T10:00:01.000Z",
    });
  });

  test("without times has those of the file, and says so", async () => {
    const bare = { ...header({ timestamp: "?" }) };
    expect(await onlyOne(store(bare, { ...user("x"), id: "a", parentId: null }))).toMatchObject({
      timesInferred: true,
    });
  });

  test("names the session that it was forked from by its id, version 1 too", async () => {
    const from = `/home/dev/.pi/agent/${project}/2026-11-30T09-00-00-000Z_parent.jsonl`;
    for (const key of ["parentSession", "branchedFrom"])
      expect((await onlyOne(store(header({ [key]: from }), ...TALK))).parent).toEqual({
        id: "parent",
        relation: "fork",
      });
  });
});

describe("what is listed", () => {
  test("whatever its file is called, in folders of projects alone; no copies, nothing that says nothing", async () => {
    const files: Files = new Map([
      at(`${project}/anything.jsonl`, header({ id: "one" }), ...TALK),
      at(`${project}/x.checkpoint.1.jsonl`, header({ id: "no" }), ...TALK),
      at(`${project}/x.deleted.2026.jsonl`, header({ id: "no" }), ...TALK),
      at(`${project}/empty.jsonl`, ""),
      at(`${project}/other.jsonl`, { display: "x", sessionId: "y" }),
      at(`${project}/deeper/z.jsonl`, header({ id: "no" }), ...TALK),
      at("sessions/loose.jsonl", header({ id: "no" }), ...TALK),
      at("sessions/elsewhere/z.jsonl", header({ id: "no" }), ...TALK),
    ]);
    expect((await listed(files)).map(({ id }) => id)).toEqual(["one"]);
  });

  test("a file without its header, by the name that Pi gave it", async () => {
    expect((await onlyOne(store(...TALK))).id).toBe("s1");
  });

  test("one file, or one project, where that was pointed at", async () => {
    const files: Files = new Map([
      at(`${project}/a.jsonl`, header({ id: "a" }), ...TALK),
      at("sessions/--x--/b.jsonl", header({ id: "b" }), ...TALK),
    ]);
    const ids = async (path: string) => (await listed(files, path)).map(({ id }) => id);
    expect(await ids(`${kit.ROOT}/${project}/a.jsonl`)).toEqual(["a"]);
    expect(await ids(`${kit.ROOT}/sessions/--x--`)).toEqual(["b"]);
    expect((await ids(`${kit.ROOT}/sessions`)).sort()).toEqual(["a", "b"]);
  });

  test("a folder for all sessions: one that was pointed at, or that the settings name", async () => {
    const flat: Files = new Map([["/flat/x_s1.jsonl", kit.fileOf([header(), ...TALK])]]);
    expect((await onlyOne(flat, "/flat")).files[0]?.relative).toBe("x_s1.jsonl");
    const set: Files = new Map([
      ...flat,
      [`${kit.ROOT}/settings.json`, Buffer.from('{"sessionDir":"/flat"}')],
      at(`${project}/a.jsonl`, header({ id: "a" }), ...TALK),
    ]);
    const refs = await listed(set);
    expect(refs.map(({ id }) => id)).toEqual(["a", "s1"]);
    // Where a copy of the store would have it.
    expect(refs[1]?.files[0]?.relative).toBe(`${project}/2026-11-30T10-00-00-000Z_s1.jsonl`);
  });

  test("a store that is not there holds nothing", async () => {
    const opened = await pi.open("/nowhere", memorySource({}), ENVIRONMENT);
    expect(await listAll(pi, opened, memorySource({}))).toEqual([]);
  });
});
