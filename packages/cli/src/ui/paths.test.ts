import { expect, test } from "vitest";
import { shortPath } from "./paths.js";

const at = { cwd: "/home/me/src/app", home: "/home/me" };

test.each([
  ["/home/me/src/app/asp-out/codex", "./asp-out/codex"],
  ["/home/me/src/app", "."],
  ["/home/me/.claude", "~/.claude"],
  ["/home/me", "~"],
  ["/srv/x", "/srv/x"],
  ["/home/me/src/other", "../other"],
  ["relative/path", "relative/path"],
])("%s", (path, short) => {
  expect(shortPath(path, at)).toBe(short);
});

test("a home of / shortens nothing", () => {
  expect(shortPath("/srv/x", { cwd: "/a/b/c/d", home: "/" })).toBe("/srv/x");
});
