import { describe, expect, test } from "vitest";
import { agentOf, isCopy, isSessionId, projectFolder, roots, transcriptPath } from "./layout.js";

describe("a project's folder", () => {
  test.each([
    ["/home/dev/demo", "-home-dev-demo"],
    ["/a/b_c", "-a-b-c"],
    ["/a/b/c", "-a-b-c"],
    ["/home/dev/demo/.claude/worktrees/feature", "-home-dev-demo--claude-worktrees-feature"],
    ["/proj/日本語", "-proj----"],
    ["/x/😀", "-x---"],
    ["C:\\Dev\\x.y", "C--Dev-x-y"],
    ["c:\\Dev\\x.y", "c--Dev-x-y"],
  ])("%s is %s", (cwd, folder) => {
    expect(projectFolder(cwd)).toBe(folder);
  });

  test("200 characters stay whole, 201 are cut and get a hash of the path", () => {
    const whole = `/${"a".repeat(199)}`;
    expect(projectFolder(whole)).toBe(`-${"a".repeat(199)}`);
    const long = `/${"a".repeat(200)}`;
    let hash = 0;
    for (const unit of long) hash = (hash * 31 + unit.charCodeAt(0)) | 0;
    expect(projectFolder(long)).toBe(`-${"a".repeat(199)}-${Math.abs(hash).toString(36)}`);
    expect(projectFolder(`${long}b`)).not.toBe(projectFolder(`${long}c`));
  });

  test("the transcript lies in it, named after the session", () => {
    expect(transcriptPath("/home/dev/demo", "id")).toBe("projects/-home-dev-demo/id.jsonl");
  });
});

describe("roots", () => {
  const environment = (platform: NodeJS.Platform, home: string, env = {}) => ({
    env,
    home,
    platform,
    cwd: home,
  });
  test("the variable's first, then the usual one", () => {
    expect(roots(environment("linux", "/home/dev"))).toEqual(["/home/dev/.claude"]);
    expect(roots(environment("linux", "/home/dev", { CLAUDE_CONFIG_DIR: "/srv/c" }))).toEqual([
      "/srv/c",
      "/home/dev/.claude",
    ]);
    expect(roots(environment("linux", "/home/dev", { CLAUDE_CONFIG_DIR: "" }))).toEqual([
      "/home/dev/.claude",
    ]);
    expect(roots(environment("win32", "C:\\Users\\Dev"))).toEqual(["C:\\Users\\Dev\\.claude"]);
  });
});

test("only a UUID is a session's id; agents are told by their file's name", () => {
  expect(isSessionId("aaaaaaaa-0000-4000-8000-000000000001")).toBe(true);
  expect(isSessionId("history")).toBe(false);
  expect(agentOf("agent-a0f93f6cd43a22026.jsonl")).toBe("a0f93f6cd43a22026");
  expect(agentOf("agent-x.meta.json")).toBeUndefined();
  expect(isCopy("acompact-a897fe51ff61acd8")).toBe(true);
  expect(isCopy("a0f93f6cd43a22026")).toBe(false);
});
