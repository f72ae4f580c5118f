/** A store kept by one command, changed by its program, and taken out again as it was. */
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { place } from "./run.js";

const SESSION = "aaaaaaaa-0000-4000-8000-000000000002";

test("capture --once, log list and log export of a state that is no more", async () => {
  const { run, store, cwd } = place();
  const root = store("claude", "tools");
  const path = join(root, "projects", "-home-dev-demo", `${SESSION}.jsonl`);
  const original = readFileSync(path);
  const once = ["capture", root, "--into", "log", "--once", "--json"];
  expect(JSON.parse((await run(once)).out)).toMatchObject({ id: SESSION, why: "first", revision: 1 });
  appendFileSync(path, '{"type":"custom-title","customTitle":"Named","sessionId":"x"}\n');
  expect(JSON.parse((await run(once)).out)).toMatchObject({ why: "grew", revision: 2 });
  expect((await run(once)).out).toBe("");
  rmSync(path);
  const listed = (await run(["log", "list", "--log", "log", "--json"])).out.trim().split("\n");
  expect(listed.map((line) => JSON.parse(line).why)).toEqual(["first", "grew"]);
  const out = ["--log", "log", "--revision", "1", "--to", "claude", "--out", "again"];
  expect((await run(["log", "export", "aaaa", ...out])).code).toBe(0);
  const again = join(cwd, "again", "projects", "-home-dev-demo", `${SESSION}.jsonl`);
  expect(readFileSync(again).equals(original)).toBe(true);
  expect(await run(["log", "verify", "--log", "log"])).toMatchObject({ code: 0 });
});
