import { join } from "node:path";
import { loadFixture, sourceOf } from "@asp-convert/conformance/toolbox";
import { candidateOf, type Environment, memorySource, pathOf } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import opencode from "./index.js";

const environment: Environment = { env: {}, home: "/home/dev", platform: "linux", cwd: "/home/dev" };
const probed = async (files: Record<string, string>, path: string) =>
  opencode.probe(await candidateOf(path, memorySource(files)));

describe("what is OpenCode's", () => {
  test("a database by its name or its tables, and nobody else's", async () => {
    const { files, root } = await loadFixture(
      join(import.meta.dirname, "../../../fixtures/opencode/tools/home/.local/share/opencode"),
      "tools",
    );
    const bytes = files.get(`${root}/opencode.db`) as Uint8Array;
    const as = async (path: string, content: Uint8Array | string = bytes) =>
      opencode.probe(await candidateOf(path, sourceOf(new Map([[path, Buffer.from(content)]]))));
    expect(await as("/x/opencode.db")).toBe(90);
    expect(await as("/x/opencode-beta.db")).toBe(90);
    expect(
      await as("/x/copy.sqlite", "SQLite format 3\0 CREATE TABLE `part` (id) CREATE TABLE `session` (id)"),
    ).toBe(80);
    expect(await as("/x/kilo.db", "SQLite format 3\0 and other tables")).toBe(0);
    expect(await as("/x/opencode.db", "no database")).toBe(0);
  });

  test("an export, rows of a bundle, a session of the old tree", async () => {
    const file = async (text: string, name = "x.json") => probed({ [`/x/${name}`]: text }, `/x/${name}`);
    expect(await file('{"info":{"id":"ses_1","agent":"build"},"messages":[]}')).toBe(90);
    expect(await file('{"info":{"id":"ses_1","agent":"code"},"messages":[]}')).toBe(
      40, // Kilo's is surer of it
    );
    expect(await file('{"info":{"id":"abc"},"messages":[]}')).toBe(0);
    expect(await file('{"table":"session","id":"ses_1","project_id":"global"}\n', "ses_1.jsonl")).toBe(90);
    expect(await file('{\n  "id": "ses_1", "projectID": "global"}')).toBe(80);
    expect(await file('{"type":"session","version":3,"id":"x","cwd":"/"}', "x.jsonl")).toBe(0);
  });

  test("a store, the tree of 1.1, a project; no folder that only has such a name in it", async () => {
    expect(await probed({ "/d/opencode.db": "" }, "/d")).toBe(95);
    const tree = {
      "/opencode/storage/session/p/ses_1.json": "{}",
      "/opencode/storage/message/ses_1/msg_1.json": "{}",
    };
    expect(await probed(tree, "/opencode")).toBe(85);
    expect(await probed({ "/d/storage/session/x": "" }, "/d")).toBe(0);
    expect(await probed({ "/p/opencode.json": "{}" }, "/p")).toBe(55);
    expect(await probed({ "/p/.opencode/agent/a.md": "" }, "/p")).toBe(55);
  });
});

describe("where it is", () => {
  test("in the folder that XDG names, or where the variable's file lies", () => {
    const at = (env: Record<string, string>) => opencode.locate({ ...environment, env });
    expect(at({})).toEqual(["/home/dev/.local/share/opencode"]);
    expect(at({ XDG_DATA_HOME: "/data" })).toEqual(["/data/opencode"]);
    expect(at({ XDG_DATA_HOME: "relative" })).toEqual(["/home/dev/.local/share/opencode"]);
    expect(at({ OPENCODE_DB: "/elsewhere/my.db" })).toEqual([
      "/elsewhere",
      "/home/dev/.local/share/opencode",
    ]);
    expect(at({ OPENCODE_DB: ":memory:" })).toEqual(["/home/dev/.local/share/opencode"]);
  });

  test("a session is resumed in its own folder, and a store elsewhere is named by its database", () => {
    const { command, variables, needs } = opencode.sessions.resume;
    expect(command("ses_1", "/x")).toEqual(["opencode", "--session", "ses_1"]);
    expect(variables?.("/out", environment)).toEqual({
      OPENCODE_DB: pathOf(environment).join("/out", "opencode.db"),
    });
    const ref = { harness: "claude", id: "x", path: "", files: [], size: 0, children: [] };
    expect(needs.flatMap((need) => need.missing(ref) ?? [])).toEqual([expect.stringMatching(/--cwd/)]);
    expect(needs.flatMap((need) => need.missing({ ...ref, cwd: "/x" }) ?? [])).toEqual([]);
  });
});
