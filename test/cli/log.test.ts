/** There and back again by three commands, and what the log tells of it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { place } from "./run.js";

const SESSION = "aaaaaaaa-0000-4000-8000-000000000002";
const inProject = join("projects", "-home-dev-demo", `${SESSION}.jsonl`);

async function thereAndBack() {
  const here = place();
  const original = join(here.store("claude", "tools"), inProject);
  expect((await here.run([here.store("claude", "tools"), "--to", "codex", "--out", "away"])).code).toBe(0);
  const back = await here.run(["away", "--to", "claude", "--out", "home"]);
  return { ...here, original, back, log: join(here.home, ".local/state/asp-convert/log") };
}

describe("there and back", () => {
  test("the file begins with the very bytes that it left with, and the report says so", async () => {
    const { cwd, original, back } = await thereAndBack();
    const [before, after] = [readFileSync(original), readFileSync(join(cwd, "home", inProject))];
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect(back.out).toContain(`restored  the 38,315 bytes of Claude Code's own session ${SESSION}`);
  });

  test("--no-remember keeps nothing and looks at nothing", async () => {
    const { run, store, log } = await thereAndBack();
    const anew = ["away", "--to", "claude", "--out", "anew", "--json", "--no-remember"];
    expect(JSON.parse((await run(anew)).out).sessions[0].how).toBe("written");
    rmSync(log, { recursive: true });
    const once = [store("claude", "tools"), "--to", "codex", "--out", "once", "--no-remember"];
    expect((await run(once)).code).toBe(0);
    expect(existsSync(log)).toBe(false);
  });

  test("lineage tells both ways of it, from either end", async () => {
    const { run } = await thereAndBack();
    const { relations } = JSON.parse((await run(["lineage", SESSION, "--json"])).out);
    expect(relations.map(({ type, how }: { type: string; how: string }) => [type, how])).toEqual([
      ["handoff", "written"],
      ["handoff", "returned"],
    ]);
    const other = await run(["lineage", relations[0].targetSessionId]);
    expect(other.out).toMatch(/came home +Claude Code aaaaaaaa/);
    expect((await run(["lineage", "nothing"])).err).toContain("nothing is known");
  });
});

describe("log", () => {
  test("a session that was deleted since comes out again, byte for byte", async () => {
    const { run, cwd, original } = await thereAndBack();
    const bytes = readFileSync(original);
    rmSync(original);
    expect((await run(["log", "export", "aaaa", "--to", "claude", "--out", "again"])).code).toBe(0);
    expect(readFileSync(join(cwd, "again", inProject))).toEqual(bytes);
    expect((await run(["log", "export", "aaaa", "--out", "x.asp"])).code).toBe(0);
    expect((await run(["verify", "x.asp"])).code).toBe(0);
    expect((await run(["log", "export", "aaaa", "--revision", "7"])).err).toContain("no revision 7");
  });

  test("list and show tell what is kept", async () => {
    const { run } = await thereAndBack();
    const lines = (await run(["log", "list", "--json"])).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { harness: "claude", id: SESSION, revision: 1, size: 38315 },
      { harness: "codex" },
    ]);
    expect((await run(["log", "show", SESSION])).out).toMatch(/[0-9a-f]{64} {2}38 kB/);
  });

  test("verify names a flipped bit by its frame, and a blob that is not what it was", async () => {
    const { run, log } = await thereAndBack();
    expect(await run(["log", "verify"])).toMatchObject({ code: 0 });
    const lineage = join(log, "lineage.aspf");
    const bytes = readFileSync(lineage);
    bytes[100] = (bytes[100] as number) ^ 4;
    writeFileSync(lineage, bytes);
    const found = await run(["log", "verify"]);
    expect(found.code).toBe(1);
    expect(found.out).toMatch(/damaged: frame 0, bytes 0 to \d+ of/);
  });

  test("gc forgets what is older, and removes what nothing needs", async () => {
    const { run, log } = await thereAndBack();
    const all = ["log", "gc", "--older-than", "2126-01-01", "--json"];
    expect(JSON.parse((await run(all)).out)).toMatchObject({ conversions: 2, pieces: 2 });
    expect((await run(["log", "list"])).err).toContain("no session is kept");
    expect(readFileSync(join(log, "lineage.aspf")).length).toBe(0);
  });
});
