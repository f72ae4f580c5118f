/** Shapes of working directories (P34–P38): what is right for each. */
import { convert } from "@asp-convert/conformance/toolbox";
import { samePath } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { crossed, one, opened, others } from "./support.js";

describe("places", () => {
  test("two-projects-one-slug (P34): each has its own directory", async () => {
    const { refs } = await opened("two-projects-one-slug");
    expect(refs.map(({ cwd }) => cwd).sort()).toEqual(["/home/dev/b/c", "/home/dev/b_c"]);
  });

  test("non-ascii-cwd (P34): from the records, and encoded by the observed rule when written", async () => {
    const store = await opened("non-ascii-cwd");
    expect(one(store).cwd).toBe("/home/dev/日本語");
    const { files } = await convert({
      from: store.from,
      ref: one(store),
      source: store.source,
      to: store.from,
    });
    expect([...files.keys()].join("\n")).toMatch(/\/projects\/-home-dev----\//);
    expect((await crossed(store)).text).toContain('"cwd":"/home/dev/日本語"');
  });

  test("drive-case (P36): both are there as they were recorded, and equal on Windows alone", async () => {
    const { refs } = await opened("drive-case");
    const [a = "", b = ""] = refs.map(({ cwd }) => cwd).sort();
    expect([a, b]).toEqual(["C:\\Dev\\x", "c:\\Dev\\x"]);
    expect(samePath(a, b, "win32")).toBe(true);
    expect(samePath(a, b, "linux")).toBe(false);
  });

  test("worktree-gone (P38): listed, converted, and moved where one says", async () => {
    const store = await opened("worktree-gone");
    expect(one(store).cwd).toBe("/home/dev/demo/.claude/worktrees/feature");
    const [to] = others(store.from.id);
    if (!to) throw new Error("there is no other harness");
    const kept = await convert({ from: store.from, ref: one(store), source: store.source, to });
    expect(kept.plan.cwd).toBe("/home/dev/demo/.claude/worktrees/feature");
    const moved = await convert({
      from: store.from,
      ref: one(store),
      source: store.source,
      to,
      cwd: "/home/dev/demo",
    });
    expect(moved.plan.cwd).toBe("/home/dev/demo");
  });
});
