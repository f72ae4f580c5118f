import type { Environment } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import {
  idInName,
  isProjectFolder,
  isSessionFile,
  projectFolder,
  sessionPath,
  storeRoots,
} from "./layout.js";

const machine = (env: Environment["env"] = {}, platform: NodeJS.Platform = "linux"): Environment => ({
  env,
  home: platform === "win32" ? "C:\\Users\\dev" : "/home/dev",
  platform,
  cwd: platform === "win32" ? "C:\\work" : "/here",
});

describe("store roots", () => {
  test.each([
    ["the default", {}, ["/home/dev/.pi/agent"]],
    ["what the variable names first", { PI_CODING_AGENT_DIR: "/x" }, ["/x", "/home/dev/.pi/agent"]],
    ["relative, from where one stands", { PI_CODING_AGENT_DIR: "x" }, ["/here/x", "/home/dev/.pi/agent"]],
    ["in the home", { PI_CODING_AGENT_DIR: "~/x" }, ["/home/dev/x", "/home/dev/.pi/agent"]],
    ["once, though named", { PI_CODING_AGENT_DIR: "/home/dev/.pi/agent/" }, ["/home/dev/.pi/agent/"]],
    ["and sessions apart", { PI_CODING_AGENT_SESSION_DIR: "/s" }, ["/home/dev/.pi/agent", "/s"]],
  ])("%s", (_, env, roots) => {
    expect(storeRoots(machine(env)).map((root) => root.replace(/(.)\/$/, "$1"))).toEqual(
      roots.map((root) => root.replace(/(.)\/$/, "$1")),
    );
  });

  test("on Windows", () => {
    expect(storeRoots(machine({ PI_CODING_AGENT_DIR: "d:\\pi" }, "win32"))).toEqual([
      "d:\\pi",
      "C:\\Users\\dev\\.pi\\agent",
    ]);
  });
});

test.each([
  ["/home/dev/demo", "--home-dev-demo--"],
  ["C:\\src\\a:b", "--C--src-a-b--"],
  ["/", "----"],
  ["/日本/x y", "--日本-x y--"],
])("the folder of %s is %s", (cwd, folder) => {
  expect(projectFolder(cwd)).toBe(folder);
  expect(isProjectFolder(folder)).toBe(true);
});

test("other folders are no project's", () => {
  expect(["sessions", "--", "---", "--x", "x--"].filter(isProjectFolder)).toEqual([]);
});

test("a session goes where Pi would put it, and its id is found in its name", () => {
  const path = sessionPath("/home/dev/demo", "2026-11-30T19:28:17.511Z", "my_own.id-1");
  expect(path).toBe("sessions/--home-dev-demo--/2026-11-30T19-28-17-511Z_my_own.id-1.jsonl");
  expect(idInName("/x/2026-11-30T19-28-17-511Z_01a22ded.jsonl")).toBe("01a22ded");
  expect(idInName("anything.jsonl")).toBeUndefined();
});

test("copies that stand beside a session are none", () => {
  const names = [
    "a.jsonl",
    "a.checkpoint.0b3c.jsonl",
    "a.jsonl.deleted.2026-01-01",
    "a.deleted.2026-01-01.jsonl",
    "a.jsonl.lock",
    "a.reset.1.jsonl",
    "sessions.json",
    "a.bak-1.jsonl",
  ];
  expect(names.filter(isSessionFile)).toEqual(["a.jsonl"]);
});
