import { expect, it } from "vitest";
import { memorySource } from "../io/memory.js";
import { filesBelow, gitRoot } from "./walk.js";

const linux = { platform: "linux" } as const;

it("finds files by name, deepest folders last, and stays out of what is built or hidden", async () => {
  const source = memorySource({
    "/p/CLAUDE.md": "",
    "/p/a/b/CLAUDE.md": "",
    "/p/a/x.md": "",
    "/p/node_modules/m/CLAUDE.md": "",
    "/p/.hidden/CLAUDE.md": "",
    "/p/1/2/3/4/5/6/7/8/CLAUDE.md": "",
    "/p/1/2/3/4/5/6/7/8/9/CLAUDE.md": "",
  });
  const found = await filesBelow("/p", (name) => name === "CLAUDE.md", source, linux);
  expect(found).toEqual(["CLAUDE.md", "1/2/3/4/5/6/7/8/CLAUDE.md", "a/b/CLAUDE.md"]);
  expect(await filesBelow("/p", () => true, source, linux, { everywhere: true, depth: 1 })).toContain(
    ".hidden/CLAUDE.md",
  );
  expect(await filesBelow("/none", () => true, source, linux)).toEqual([]);
});

it("finds the main checkout of a folder and of a worktree", async () => {
  const source = memorySource({
    "/src/app/.git/HEAD": "",
    "/src/app/sub/x": "",
    "/src/tree/.git": "gitdir: /src/app/.git/worktrees/tree\n",
    "/else/x": "",
  });
  expect(await gitRoot("/src/app/sub", source, linux)).toBe("/src/app");
  expect(await gitRoot("/src/tree", source, linux)).toBe("/src/app");
  expect(await gitRoot("/else", source, linux)).toBeUndefined();
});
