/** Who reads what already: the cases in which nothing is written, and how a text gets beside another. */
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Report, StateRequest } from "@asp-convert/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lines, makeWorld, move, snapshot, type World } from "./world.js";

let world: World;
let app: string;
beforeEach(() => {
  world = makeWorld();
  mkdirSync(world.path("app"));
  app = realpathSync(world.path("app"));
});
afterEach(() => world.remove());

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(world.path(name)), { recursive: true });
    writeFileSync(world.path(name), text);
  }
}
const only: Partial<StateRequest> = { kinds: ["instructions"], user: false };
const toCodex = (): Promise<Report> =>
  move(world, {
    from: "claude",
    store: world.path("claude"),
    to: "codex",
    root: world.path("codex"),
    projects: [app],
    state: only,
  });
const toClaude = (): Promise<Report> =>
  move(world, {
    from: "codex",
    store: world.path("codex"),
    to: "claude",
    root: world.path("claude"),
    projects: [app],
    state: only,
  });
const text = (name: string): string | undefined => snapshot(app).get(name)?.slice(4);

describe("CLAUDE.md → AGENTS.md", () => {
  test.each([
    ["an import", "@AGENTS.md\n"],
    ["a link that git made a text of", "AGENTS.md"],
  ])("%s is read already", async (_, pointer) => {
    put({ "app/CLAUDE.md": pointer, "app/AGENTS.md": "SHARED\n" });
    const before = snapshot(app);
    const { items } = await toCodex();
    expect(items.map(({ outcome }) => outcome)).toEqual(["present", "present"]);
    expect(snapshot(app)).toEqual(before);
  });

  test("a link is the file it leads to", async () => {
    put({ "app/AGENTS.md": "SHARED\n" });
    symlinkSync("AGENTS.md", `${app}/CLAUDE.md`);
    const before = snapshot(app);
    expect(lines((await toCodex()).items)).toEqual(["instructions | project | AGENTS.md | present"]);
    expect(snapshot(app)).toEqual(before);
  });

  test("a name that Codex falls back to is read already", async () => {
    put({
      "app/CLAUDE.md": "TEXT\n",
      "codex/config.toml": 'project_doc_fallback_filenames = ["CLAUDE.md"]\n',
    });
    expect((await toCodex()).items).toMatchObject([
      { outcome: "present", note: expect.stringContaining("project_doc_fallback_filenames") },
    ]);
    expect(text("AGENTS.md")).toBeUndefined();
  });

  test("where there is none it is the text itself, imports as written; what is not followed is told", async () => {
    put({ "app/CLAUDE.md": "See @docs/a.md.\n", "app/docs/a.md": "A\n" });
    expect((await toCodex()).items).toMatchObject([
      { outcome: "changed", reason: "not-expanded", note: "@docs/a.md" },
    ]);
    expect(text("AGENTS.md")).toBe("See @docs/a.md.\n");
  });

  test("an override hides it, and that is told", async () => {
    put({ "app/CLAUDE.md": "TEXT\n", "app/AGENTS.override.md": "OVER\n" });
    expect((await toCodex()).items).toMatchObject([{ outcome: "changed", reason: "superseded" }]);
  });

  test("what Codex would cut is told", async () => {
    put({ "app/CLAUDE.md": `${"x".repeat(40_000)}\n` });
    const { losses } = await toCodex();
    expect(losses.find(({ reason }) => reason === "target-limit")?.places[0]?.item).toMatch(
      /about 40001 bytes; Codex reads 32768/,
    );
  });
});

describe("AGENTS.md → CLAUDE.md", () => {
  test("Claude Code reads it itself where it has no file of its own", async () => {
    put({ "app/AGENTS.md": "TEXT\n", "app/sub/AGENTS.md": "SUB\n" });
    const before = snapshot(app);
    expect((await toClaude()).items.map(({ outcome }) => outcome)).toEqual(["present", "present"]);
    expect(snapshot(app)).toEqual(before);
  });

  test("a CLAUDE.md that does not import it gets one line, in a marked block, once", async () => {
    put({ "app/AGENTS.md": "TEXT\n", "app/CLAUDE.md": "MINE\n" });
    expect(lines((await toClaude()).items)).toEqual([
      "instructions | project | AGENTS.md | changed | marked-block",
    ]);
    expect(text("CLAUDE.md")).toMatch(
      /^MINE\n\n<!-- asp:begin [^\n]+ -->\n@AGENTS\.md\n<!-- asp:end [0-9a-f]+ -->\n$/,
    );
    expect(lines((await toClaude()).items)).toEqual(["instructions | project | AGENTS.md | present"]);
  });

  test("an override is what counts: it is imported, and the hidden one is named", async () => {
    put({ "app/AGENTS.md": "HIDDEN\n", "app/AGENTS.override.md": "OVER\n" });
    expect(lines((await toClaude()).items)).toEqual([
      "instructions | project | AGENTS.md | left | superseded",
      "instructions | project | AGENTS.override.md | written",
    ]);
    expect(text("CLAUDE.md")).toBe("@AGENTS.override.md\n");
  });

  test("into another folder it goes whole", async () => {
    put({ "app/AGENTS.md": "TEXT\n" });
    mkdirSync(world.path("other"));
    await move(world, {
      from: "codex",
      store: world.path("codex"),
      to: "claude",
      root: world.path("claude"),
      projects: [app, world.path("other")],
      state: { ...only, projects: [app], projectFolder: () => world.path("other") },
    });
    expect(snapshot(world.path("other")).get("CLAUDE.md")?.slice(4)).toBe("TEXT\n");
  });
});
