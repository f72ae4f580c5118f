import { describe, expect, it } from "vitest";
import { memorySource } from "../io/memory.js";
import { findImports, resolveImports } from "./imports.js";

const environment = { env: {}, home: "/home/dev", platform: "linux", cwd: "/" } as const;

describe("imports of a text", () => {
  it("are found in prose, lists and headings, not in code or comments", async () => {
    const text = [
      "# About @docs/title.md",
      "See @docs/style.md, and @~/mine.md.",
      "- @./list.md",
      "`@docs/code.md` and mail me@example.com",
      "```",
      "@docs/fenced.md",
      "```",
      "    @docs/indented.md",
      "",
      "<!-- @docs/comment.md -->",
      "",
      "> @docs/quote\\ with\\ space.md",
    ].join("\n");
    expect(await findImports(text)).toEqual([
      "docs/title.md",
      "docs/style.md",
      "~/mine.md",
      "./list.md",
      "docs/quote with space.md",
    ]);
  });
});

describe("the graph of imports", () => {
  const resolve = (files: Record<string, string>, within: string | undefined = "/p") =>
    resolveImports(
      files["/p/CLAUDE.md"] as string,
      { file: "/p/CLAUDE.md", within, relativeTo: "/p" },
      memorySource(files),
      environment,
    );

  it("has the importing file as the base of each", async () => {
    expect(
      await resolve({
        "/p/CLAUDE.md": "@docs/a.md",
        "/p/docs/a.md": "@b.md @../c.md",
        "/p/docs/b.md": "",
        "/p/c.md": "",
      }),
    ).toEqual([
      { path: "docs/a.md", status: "found", in: "CLAUDE.md" },
      { path: "b.md", status: "found", in: "docs/a.md" },
      { path: "../c.md", status: "found", in: "docs/a.md" },
    ]);
  });
  it("ends at a circle, at the depth the program follows, and at the project's edge", async () => {
    expect(await resolve({ "/p/CLAUDE.md": "@a.md", "/p/a.md": "@CLAUDE.md" })).toMatchObject([
      { status: "found" },
      { status: "cycle" },
    ]);
    const chain = Object.fromEntries([1, 2, 3, 4, 5, 6].map((i) => [`/p/${i}.md`, `@${i + 1}.md`]));
    expect((await resolve({ "/p/CLAUDE.md": "@1.md", ...chain })).map((i) => i.status)).toEqual([
      "found",
      "found",
      "found",
      "found",
      "deep",
    ]);
    expect(await resolve({ "/p/CLAUDE.md": "@../q/x.md @~/y.md", "/q/x.md": "" })).toMatchObject([
      { status: "outside" },
      { status: "outside" },
    ]);
  });
  it("names what is missing, but not what is no path", async () => {
    expect(await resolve({ "/p/CLAUDE.md": "@gone.md and @someone and @scope/pkg" })).toEqual([
      { path: "gone.md", status: "missing", in: "CLAUDE.md" },
    ]);
  });
});
