/** `--out FILE.json`: one session as the file that the target's own import takes. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Place, place } from "./run.js";

const convert = (at: Place, from: "claude" | "codex" | "opencode", name: string, ...more: string[]) =>
  at.run([at.store(from, name), "--to", "opencode", "--latest", "--out", "session.json", ...more]);

describe.each(["opencode", "kilo"])("%s", (to) => {
  test("the file is what import takes; the line takes it in and goes on with it", async () => {
    const at = place();
    const folder = join(at.cwd, "app");
    mkdirSync(folder);
    const args = [at.store("claude", "tools"), "--to", to, "--out", "session.json", "--cwd", folder];
    const { code, out, err } = await at.run(args);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^ {2}written +\.\/session\.json$/m);
    const { info, messages } = JSON.parse(readFileSync(join(at.cwd, "session.json"), "utf8"));
    for (const key of ["id", "slug", "projectID", "directory", "title", "version", "time"])
      expect(info).toHaveProperty(key);
    for (const { info: message, parts } of messages) {
      expect(message).toMatchObject({ id: expect.stringMatching(/^msg_/), sessionID: info.id });
      for (const part of parts) expect(part).toMatchObject({ messageID: message.id, sessionID: info.id });
    }
    const line = out.split("\n").find((each) => each.startsWith("  resume"));
    expect(line).toMatch(
      new RegExp(`cd \\S+/app && ${to} import \\S+/session\\.json && ${to} --session ${info.id}$`),
    );

    const read = JSON.parse((await at.run(["session.json", "--json"])).out);
    expect(read).toMatchObject({ harness: to, kinds: { sessions: { count: 1 } } });
    expect((await at.run(args)).out).toContain("there already with the same content");
    expect((await at.run(["undo"])).code).toBe(0);
    expect(existsSync(join(at.cwd, "session.json"))).toBe(false);
  });
});

test("a subagent's session has a file beside it, taken in after it", async () => {
  const at = place();
  const { sessions } = JSON.parse((await convert(at, "claude", "subagent", "--json")).out);
  const [whole, child] = sessions;
  const beside = join(at.cwd, `session.${child.newId}.json`);
  expect(child.files).toEqual([beside]);
  expect(whole.resume).toMatchObject({
    first: [
      ["opencode", "import", join(at.cwd, "session.json")],
      ["opencode", "import", beside],
    ],
    command: ["opencode", "--session", whole.newId],
  });
  expect(whole.resume).not.toHaveProperty("env");
  expect(JSON.parse(readFileSync(beside, "utf8")).info.parentID).toBe(whole.newId);
});

test.each([
  ["opencode", "tools", "plans"],
  ["claude", "compacted", "compaction"],
] as const)("what such a file cannot hold is told: %s %s", async (from, name, axis) => {
  const { losses } = JSON.parse((await convert(place(), from, name, "--json")).out);
  const told = { axis, level: "evidence-only", reason: "not-supported" };
  expect(losses).toContainEqual(expect.objectContaining(told));
});

test("another file there stays as it is", async () => {
  const at = place();
  expect((await convert(at, "claude", "tools")).code).toBe(0);
  const before = readFileSync(join(at.cwd, "session.json"), "utf8");
  const { code, err } = await convert(at, "codex", "text");
  expect(code).toBe(1);
  expect(err).toMatch(/session\.json: there is another file of this name already.*\n {2}Choose another name/);
  expect(readFileSync(join(at.cwd, "session.json"), "utf8")).toBe(before);
});

test("what cannot be meant is refused: another program, several sessions, other kinds", async () => {
  const at = place();
  const run = (...args: string[]) => at.run([...args, "--out", "session.json"]);
  const one = at.store("claude", "tools");
  expect(await run(one, "--to", "codex")).toMatchObject({
    code: 2,
    err: expect.stringContaining("takes no session in from a file"),
  });
  expect(await run(at.store("codex", "forked"), "--to", "opencode", "--all")).toMatchObject({
    code: 2,
    err: expect.stringMatching(/one session goes into a file, and \d+ are chosen\n.*--session ID/),
  });
  const kinds = await run(one, "--to", "opencode", "--kinds", "sessions,tools");
  expect(kinds).toMatchObject({
    code: 2,
    err: expect.stringContaining("holds a session; tools go to a store"),
  });
  expect(existsSync(join(at.cwd, "session.json"))).toBe(false);
});
