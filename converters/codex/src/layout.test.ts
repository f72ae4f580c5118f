import type { Environment } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { parseRolloutName, renamedRollout, rolloutPath, storeRoots } from "./layout.js";

const ID = "01a22ddd-b436-72e3-93fa-a6924b831a03";
const SEGMENT = "01a22ddd-b8be-7192-bd35-3c8f50a53e19";
const linux: Environment = { env: {}, home: "/home/dev", platform: "linux", cwd: "/here" };
const windows: Environment = { env: {}, home: "C:\\Users\\dev", platform: "win32", cwd: "C:\\work" };

describe("store roots", () => {
  test("the default, and the variable before it", () => {
    expect(storeRoots(linux)).toEqual(["/home/dev/.codex"]);
    expect(storeRoots({ ...linux, env: { CODEX_HOME: "/srv/codex" } })).toEqual([
      "/srv/codex",
      "/home/dev/.codex",
    ]);
    expect(storeRoots({ ...linux, env: { CODEX_HOME: "rel" } })[0]).toBe("/here/rel");
    expect(storeRoots({ ...linux, env: { CODEX_HOME: "" } })).toEqual(["/home/dev/.codex"]);
  });
  test("by Windows' rules; one folder in two spellings is one", () => {
    expect(storeRoots(windows)).toEqual(["C:\\Users\\dev\\.codex"]);
    expect(storeRoots({ ...windows, env: { CODEX_HOME: "D:\\codex" } })).toEqual([
      "D:\\codex",
      "C:\\Users\\dev\\.codex",
    ]);
    expect(storeRoots({ ...windows, env: { CODEX_HOME: "c:/users/DEV/.codex" } })).toHaveLength(1);
  });
});

describe("names of rollouts", () => {
  test("what a name says", () => {
    expect(parseRolloutName(`rollout-2026-11-30T19-10-34-${ID}.jsonl`)).toEqual({
      id: ID,
      time: "2026-11-30T19:10:34",
      compressed: false,
    });
    expect(parseRolloutName(`rollout-2026-11-30T19-10-35-${ID.toUpperCase()}_${SEGMENT}.jsonl.zst`)).toEqual({
      id: ID,
      segment: SEGMENT,
      time: "2026-11-30T19:10:35",
      compressed: true,
    });
    expect(parseRolloutName(`rollout-${ID}.jsonl`)).toEqual({ id: ID, compressed: false });
    expect(parseRolloutName("rollout-2026-11-30T19-10-34.jsonl")).toEqual({
      time: "2026-11-30T19:10:34",
      compressed: false,
    });
    expect(parseRolloutName("rollout-something-else.jsonl")).toEqual({ compressed: false });
  });
  test.each([
    `${ID}.jsonl`,
    "history.jsonl",
    "session_index.jsonl",
    "rollout-.jsonl",
    `rollout-${ID}.jsonl.gz`,
    `rollout-${ID}.jsonl.lock`,
  ])("%s is none", (name) => {
    expect(parseRolloutName(name)).toBeUndefined();
  });
  test("folder and name hold local time", () => {
    const created = new Date("2026-11-30T23:30:05.123Z");
    expect(rolloutPath(created, ID, 0)).toBe(`sessions/2026/11/30/rollout-2026-11-30T23-30-05-${ID}.jsonl`);
    expect(rolloutPath(created, ID, 60)).toBe(`sessions/2026/12/01/rollout-2026-12-01T00-30-05-${ID}.jsonl`);
    expect(rolloutPath(created, ID, -480)).toBe(
      `sessions/2026/11/30/rollout-2026-11-30T15-30-05-${ID}.jsonl`,
    );
  });
  test("another id in the same name", () => {
    expect(renamedRollout(`sessions/2026/11/30/rollout-2026-11-30T19-10-34-${ID}.jsonl`, ID, SEGMENT)).toBe(
      `sessions/2026/11/30/rollout-2026-11-30T19-10-34-${SEGMENT}.jsonl`,
    );
    expect(renamedRollout("sessions/rollout-2026-11-30T19-10-34.jsonl", ID, SEGMENT)).toBe(
      `sessions/rollout-2026-11-30T19-10-34-${SEGMENT}.jsonl`,
    );
  });
});
