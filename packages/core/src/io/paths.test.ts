import { describe, expect, it } from "vitest";
import { below, distinctRoots, expandHome, isInside, safeRelative, samePath } from "./paths.js";

describe("paths", () => {
  it("compares as the platform does", () => {
    expect(samePath("c:\\Dev\\x", "C:/dev/X/", "win32")).toBe(true);
    expect(samePath("/Dev/x", "/dev/x", "linux")).toBe(false);
    expect(samePath("/dev/x/", "/dev/x", "linux")).toBe(true);
  });

  it("knows a folder's inside from a name that only begins alike", () => {
    expect(isInside("/x/foo/a", "/x/foo", "linux")).toBe(true);
    expect(isInside("/x/foo", "/x/foo/", "linux")).toBe(true);
    expect(isInside("/x/foo-bar", "/x/foo", "linux")).toBe(false);
    expect(isInside("C:\\x\\Foo\\a", "c:/x/foo", "win32")).toBe(true);
    expect(isInside("/a", "/", "linux")).toBe(true);
  });

  it("names each of several roots once, absolute, in their order", () => {
    const linux = { env: {}, home: "/home/u", platform: "linux", cwd: "/here" } as const;
    expect(distinctRoots(["own", undefined, "", "/home/u/.x", "/here/own/"], linux)).toEqual([
      "/here/own",
      "/home/u/.x",
    ]);
    const windows = { env: {}, home: "C:\\Users\\u", platform: "win32", cwd: "C:\\work" } as const;
    expect(distinctRoots(["c:/users/U/.x", "C:\\Users\\u\\.x"], windows)).toEqual(["c:\\users\\U\\.x"]);
  });

  it("puts a path with `/` below a root as the platform spells it", () => {
    expect(below("/r", "sessions/a.jsonl", { platform: "linux" })).toBe("/r/sessions/a.jsonl");
    expect(below("C:\\r", "sessions/a.jsonl", { platform: "win32" })).toBe("C:\\r\\sessions\\a.jsonl");
  });

  it("expands the home folder only where it stands for it", () => {
    const at = (platform: NodeJS.Platform, home: string) => ({ env: {}, home, platform, cwd: "/" });
    expect(expandHome("~/.codex", at("linux", "/home/u"))).toBe("/home/u/.codex");
    expect(expandHome("~\\.codex", at("win32", "C:\\Users\\u"))).toBe("C:\\Users\\u\\.codex");
    expect(expandHome("~u/x", at("linux", "/home/u"))).toBe("~u/x");
    expect(expandHome("~", at("linux", "/home/u"))).toBe("/home/u");
    expect(expandHome("/~/x", at("linux", "/home/u"))).toBe("/~/x");
  });
});

describe("safeRelative", () => {
  it("lets a plain relative path through, with / between", () => {
    expect(safeRelative("skills\\a/./b.md")).toEqual({ path: "skills/a/b.md" });
  });

  it.each([
    "",
    "/etc/passwd",
    "C:\\x",
    "\\\\host\\share",
    "../x",
    "a/../../x",
    "a\0b",
    "a/con.txt",
    "a/NUL",
    "a/b. ",
    ".",
  ])("refuses %j", (path) => {
    expect(safeRelative(path)).toHaveProperty("refused");
  });
});
