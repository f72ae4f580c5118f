/** Notes go over once, come back as themselves, and are forgotten where they were deleted. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Report, undo } from "@asp-convert/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lines, makeWorld, move, snapshot, type World } from "./world.js";

let world: World;
beforeEach(() => {
  world = makeWorld();
  put(
    "claude/projects/-x/memory/MEMORY.md",
    "- [Tabs](tabs.md) — indentation\n- [Names](names.md) — naming\n",
  );
  put("claude/projects/-x/memory/tabs.md", "---\nname: tabs\ndescription: Tabs.\n---\nTabs, not spaces.\n");
  put("claude/projects/-x/memory/names.md", "---\nname: names\ndescription: Names.\n---\nShort names.\n");
  put("claude/.claude.json", "{}");
});
afterEach(() => world.remove());

function put(name: string, content: string): void {
  mkdirSync(dirname(world.path(name)), { recursive: true });
  writeFileSync(world.path(name), content);
}
const toCodex = (): Promise<Report> =>
  move(world, {
    from: "claude",
    store: world.path("claude"),
    to: "codex",
    root: world.path("codex"),
    state: { kinds: ["memory"] },
  });
const toClaude = (root: string): Promise<Report> =>
  move(world, {
    from: "codex",
    store: world.path("codex"),
    to: "claude",
    root: world.path(root),
    state: { kinds: ["memory"] },
  });

const NOTES = "memories/extensions/ad_hoc/notes";
const codex = (): Map<string, string> => snapshot(world.path("codex"));

describe("Claude Code → Codex", () => {
  test("each note is a note by hand, listed in the instructions; what Codex generates is not touched", async () => {
    put("codex/memories/MEMORY.md", "Codex's own\n");
    await toCodex();
    expect([...codex().keys()]).toEqual([
      "AGENTS.md",
      "memories/MEMORY.md",
      `${NOTES}/claude-x-names.md`,
      `${NOTES}/claude-x-tabs.md`,
    ]);
    expect(codex().get("memories/MEMORY.md")).toMatch(/Codex's own\n$/);
    expect(codex().get("AGENTS.md")).toContain(`- [Tabs](${world.path("codex", NOTES, "claude-x-tabs.md")})`);
    expect(codex().get(`${NOTES}/claude-x-tabs.md`)).toContain("Tabs, not spaces.");
  });

  test("a newer text takes the place of the older one, unless it was edited here", async () => {
    await toCodex();
    put("claude/projects/-x/memory/tabs.md", "Spaces now.\n");
    await toCodex();
    expect(codex().get(`${NOTES}/claude-x-tabs.md`)).toContain("Spaces now.");
    const path = world.path("codex", NOTES, "claude-x-tabs.md");
    writeFileSync(
      path,
      (codex().get(`${NOTES}/claude-x-tabs.md`) ?? "").slice(4).replace("Spaces now", "Mine now"),
    );
    put("claude/projects/-x/memory/tabs.md", "Tabs again.\n");
    const { items } = await toCodex();
    expect(lines(items)).toContain("memory | user | -x/tabs.md | left | exists");
    expect(codex().get(`${NOTES}/claude-x-tabs.md`)).toContain("Mine now");
  });

  test("a note that was deleted is forgotten, once, and undo remembers it", async () => {
    await toCodex();
    rmSync(world.path("claude/projects/-x/memory/tabs.md"));
    const before = codex();
    const { items, receipt } = await toCodex();
    expect(items.find(({ item }) => item === "-x/tabs.md")).toMatchObject({
      outcome: "written",
      note: "withdrawn",
    });
    expect(codex().get(`${NOTES}/claude-x-tabs.md`)).toMatch(/withdrawn where it came from/);
    expect(codex().get("AGENTS.md")).not.toContain("Tabs.");
    expect((await toCodex()).receipt).toBeUndefined();
    await undo(receipt, world.environment);
    expect(codex()).toEqual(before);
  });
});

describe("and back", () => {
  test("a note is itself again and not a new one", async () => {
    await toCodex();
    const before = snapshot(world.path("claude"));
    const back = await toClaude("claude");
    expect(back.items.map(({ outcome }) => outcome)).toEqual(["present", "present"]);
    expect(snapshot(world.path("claude"))).toEqual(before);
    await toClaude("other");
    expect(snapshot(world.path("other")).get("projects/-x/memory/tabs.md")?.slice(4)).toBe(
      before.get("projects/-x/memory/tabs.md")?.slice(4),
    );
  });

  test("Codex's own memory is listed in CLAUDE.md, and does not come back as Claude Code's", async () => {
    put("codex/memories/memory_summary.md", "SUMMARY\n");
    put("codex/memories/MEMORY.md", "# Handbook\nAll of it.\n");
    await toClaude("claude");
    const now = snapshot(world.path("claude"));
    expect(now.get("CLAUDE.md")).toContain("SUMMARY");
    expect(now.get("CLAUDE.md")).toContain("[Handbook]");
    const again = await toCodex();
    expect(lines(again.items)).toContain("memory | user | carried/codex-memories-MEMORY.md | present");
    expect(codex().get("AGENTS.md")).not.toContain("Handbook");
  });
});
