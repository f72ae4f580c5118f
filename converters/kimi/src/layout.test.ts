import { describe, expect, test } from "vitest";
import { projectKey, storeRoots } from "./layout.js";

describe("the folder of a project", () => {
  test.each([
    // As the program named it.
    ["/home/dev/demo", "wd_demo_c6604f1ed37b"],
    ["/home/dev/demo/", "wd_demo_c6604f1ed37b"],
  ])("%s is %s", (cwd, key) => expect(projectKey(cwd)).toBe(key));

  test.each([
    ["/a/My Project!", /^wd_my-project_[0-9a-f]{12}$/],
    ["/a/--x--", /^wd_x_[0-9a-f]{12}$/],
    ["/", /^wd_workspace_[0-9a-f]{12}$/],
    ["/a/..", /^wd_workspace_[0-9a-f]{12}$/],
    [`/a/${"n".repeat(60)}`, /^wd_n{40}_[0-9a-f]{12}$/],
    ["C:\\dev\\Demo", /^wd_demo_[0-9a-f]{12}$/],
  ])("%s has a name that is one", (cwd, key) => expect(projectKey(cwd)).toMatch(key));
});

test("the variable comes first, and each root once", () => {
  const at = { home: "/home/dev", platform: "linux", cwd: "/" } as const;
  expect(storeRoots({ ...at, env: {} })).toEqual(["/home/dev/.kimi-code"]);
  expect(storeRoots({ ...at, env: { KIMI_CODE_HOME: "~/k" } })).toEqual([
    "/home/dev/k",
    "/home/dev/.kimi-code",
  ]);
  expect(storeRoots({ ...at, env: { KIMI_CODE_HOME: "/home/dev/.kimi-code" } })).toHaveLength(1);
});
