/** What is Kilo's own; all else is held by the tests of OpenCode, whose code it is. */
import { join } from "node:path";
import {
  convert,
  loadFixture,
  sample,
  sampleFixture,
  sessionsIn,
  sourceOf,
  TARGET_ROOT,
} from "@asp-convert/conformance/toolbox";
import { candidateOf, type Environment, memorySource } from "@asp-convert/core";
import { expect, test } from "vitest";
import kilo from "./index.js";

const environment: Environment = { env: {}, home: "/home/dev", platform: "linux", cwd: "/home/dev" };

test("its store is told from OpenCode's by the database's name, its own table, the agents' names", async () => {
  const { files, root } = await loadFixture(
    join(import.meta.dirname, "../../../fixtures/kilo/basic/home/.local/share/kilo"),
    "basic",
  );
  const probed = async (path: string, content: Uint8Array | string) =>
    kilo.probe(await candidateOf(path, sourceOf(new Map([[path, Buffer.from(content)]]))));
  expect(await probed("/x/kilo.db", files.get(`${root}/kilo.db`) ?? "")).toBe(90);
  const tables = "SQLite format 3\0 CREATE TABLE `part` (id) CREATE TABLE `session` (id)";
  expect(await probed("/x/copy.db", tables)).toBe(0);
  expect(await probed("/x/copy.db", `${tables} CREATE TABLE kilo_board (id)`)).toBe(85);
  expect(await probed("/x/opencode.db", tables)).toBe(0);
  expect(await probed("/x/a.json", '{"info":{"id":"ses_1","agent":"code"},"messages":[]}')).toBe(90);
  expect(await probed("/x/a.json", '{"info":{"id":"ses_1","agent":"build"},"messages":[]}')).toBe(40);
});

test("it is found where it keeps its store, and resumes by its own name", () => {
  expect(kilo.locate({ ...environment, env: { KILO_DB: "/a/b.db", OPENCODE_DB: "/c/d.db" } })).toEqual([
    "/a",
    "/home/dev/.local/share/kilo",
  ]);
  expect(kilo.sessions.resume.command("ses_1", "/x")).toEqual(["kilo", "--session", "ses_1"]);
  expect(kilo.sessions.resume.variables?.("/out", environment)).toEqual({ KILO_DB: "/out/kilo.db" });
});

test("a project that only OpenCode has is none of its", async () => {
  const at = async (files: Record<string, string>) =>
    kilo.probe(await candidateOf("/p", memorySource(files)));
  expect(await at({ "/p/opencode.json": "{}" })).toBe(0);
  expect(await at({ "/p/.kilocode/rules/a.md": "x" })).toBe(55);
});

test("what is written to it speaks as its own first agent, and it finds it again", async () => {
  const { files } = sampleFixture();
  const source = sourceOf(files);
  const [ref] = await sessionsIn(sample, sampleFixture().root, source);
  if (!ref) throw new Error("the sample is not listed");
  const { files: made, plan } = await convert({ from: sample, ref, source, to: kilo });
  const written = sourceOf(made);
  expect((await sessionsIn(kilo, TARGET_ROOT, written)).map(({ id }) => id)).toContain(plan.id);
  const database = await written.openDatabase(`${TARGET_ROOT}/kilo.db`);
  const agents = database.all("SELECT DISTINCT json_extract(data, '$.agent') AS agent FROM message");
  database.close();
  expect(agents).toEqual([{ agent: "code" }]);
});
