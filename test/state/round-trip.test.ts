/**
 * A Claude Code home with two projects goes to Codex and back. The person's own files stay as they were to the byte,
 * a second run changes nothing, undo leaves the target as before, and whatever stayed behind is named with a reason.
 */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Report, undo } from "@asp-convert/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lines, makeWorld, move, snapshot, type World } from "./world.js";

let world: World;
let first: string;
let second: string;
let store: string;

beforeEach(() => {
  world = makeWorld();
  // Project one has CLAUDE.md, rules, a skill, a command, an agent, hooks; project two is Codex's as well.
  world.put("claude/project/project", "one");
  first = realpathSync(world.path("one"));
  store = world.path("claude");
  world.put("claude/project/config", "claude");
  put("two/AGENTS.md", "SHARED-INSTRUCTIONS\n");
  put("two/CLAUDE.md", "@AGENTS.md\n");
  put("two/.codex/config.toml", '# mine\nmodel_verbosity = "low" # keep\n');
  second = realpathSync(world.path("two"));
  put("two/.mcp.json", { mcpServers: { shared: { command: "node", args: ["x.js"], env: { A: "1" } } } });
  put("claude/.claude.json", {
    numStartups: 3,
    mcpServers: {
      stdio: {
        type: "stdio",
        command: "node",
        args: ["server.js"],
        env: { API_TOKEN: "sk-verysecretvalue123" },
      },
      http: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer tok-abcdef" } },
      sse: { type: "sse", url: "https://example.com/sse" },
    },
    projects: {
      [first]: { allowedTools: [], mcpServers: { mine: { command: "node", args: ["local.js"] } } },
    },
  });
  const slug = first.replace(/[^A-Za-z0-9]/g, "-");
  put(`claude/projects/${slug}/memory/MEMORY.md`, "- [Likes tabs](likes-tabs.md) — indentation\n");
  put(
    `claude/projects/${slug}/memory/likes-tabs.md`,
    "---\nname: likes-tabs\ndescription: Tabs.\n---\nTabs.\n",
  );
});
afterEach(() => world.remove());

function put(name: string, content: string | object): void {
  const path = world.path(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`);
}

const toCodex = (): Promise<Report> =>
  move(world, { from: "claude", store, to: "codex", root: world.path("codex"), projects: [first, second] });
const toClaude = (root: string): Promise<Report> =>
  move(world, {
    from: "codex",
    store: world.path("codex"),
    to: "claude",
    root: world.path(root),
    projects: [first, second],
  });

/** Files that were there before, with what they hold now. */
function originals(before: ReadonlyMap<string, string>, folder: string): Map<string, string | undefined> {
  const now = snapshot(folder);
  return new Map([...before.keys()].map((name) => [name, now.get(name)]));
}

describe("Claude Code → Codex → Claude Code", () => {
  test("every item has an outcome, and what is left has a reason", async () => {
    const { items, notTaken } = await toCodex();
    expect(lines(items.filter(({ outcome }) => outcome === "left"))).toEqual([
      "skills | project | /shout | left | not-supported",
      "skills | project | counter | left | restriction-lost",
      "tools | user | sse | left | not-supported",
      "settings | user | model | left | no-equal",
      "settings | user | outputStyle | left | no-equal",
      "settings | user | cleanupPeriodDays | left | no-equal",
      "settings | project | deny Read(./secret.txt) | left | no-equal",
      "settings | project | allow Bash(ls:*) | left | would-widen",
    ]);
    expect(notTaken).toHaveLength(8);
    for (const { reason } of notTaken) expect(reason).toMatch(/\w+ \w+ \w+/);
  });

  test("the source is not touched, and of the projects only what Codex reads is new", async () => {
    const before = { store: snapshot(store), first: snapshot(first), second: snapshot(second) };
    await toCodex();
    expect(snapshot(store)).toEqual(before.store);
    // AGENTS.md of the first project had a text of its own: it got marked blocks, and nothing else changed.
    const changed = [...originals(before.first, first)].filter(
      ([name, now]) => now !== before.first.get(name),
    );
    expect(changed.map(([name]) => name)).toEqual(["AGENTS.md"]);
    expect(changed[0]?.[1]?.replace(/^\d+ /, "").startsWith("PROJECT-AGENTS-MD\n\n<!-- asp:begin")).toBe(
      true,
    );
    const alsoSecond = [...originals(before.second, second)].filter(
      ([name, now]) => now !== before.second.get(name),
    );
    expect(alsoSecond.map(([name]) => name)).toEqual([".codex/config.toml"]);
    expect(alsoSecond[0]?.[1]).toContain('# mine\nmodel_verbosity = "low" # keep\n');
    const added = [...snapshot(first).keys()].filter((name) => !before.first.has(name));
    expect(added).toEqual([
      ".agents/skills/greet-people/SKILL.md",
      ".codex/config.toml",
      ".codex/hooks.json",
      "sub/AGENTS.md",
    ]);
    expect([...snapshot(second).keys()].filter((name) => !before.second.has(name))).toEqual([]);
  });

  test("a second run changes nothing and makes no receipt", async () => {
    await toCodex();
    const before = [snapshot(world.path("codex")), snapshot(first), snapshot(second)];
    const again = await toCodex();
    expect(again.receipt).toBeUndefined();
    expect([snapshot(world.path("codex")), snapshot(first), snapshot(second)]).toEqual(before);
    expect(again.items.filter(({ outcome }) => outcome === "written")).toEqual([]);
  });

  test("undo leaves the target as before", async () => {
    put("codex/config.toml", '# my own\nmodel = "gpt-5.5"\n\n[features]\nmemories = true\n');
    put("codex/AGENTS.md", "MY OWN\n");
    const before = [snapshot(world.path("codex")), snapshot(first), snapshot(second)];
    const { receipt } = await toCodex();
    expect([snapshot(world.path("codex")), snapshot(first), snapshot(second)]).not.toEqual(before);
    await undo(receipt, world.environment);
    expect([snapshot(world.path("codex")), snapshot(first), snapshot(second)]).toEqual(before);
  });

  test("back in the same home nothing changes", async () => {
    await toCodex();
    const before = [snapshot(store), snapshot(first), snapshot(second)];
    const back = await toClaude("claude");
    expect(back.receipt).toBeUndefined();
    expect([snapshot(store), snapshot(first), snapshot(second)]).toEqual(before);
    expect(lines(back.items.filter(({ outcome }) => outcome !== "present"))).toEqual([
      "settings | project | mode | left | exists",
      "settings | project | model_verbosity | left | no-equal",
    ]);
  });

  test("back in an empty home everything that went is there again, under its own name", async () => {
    await toCodex();
    await toClaude("new");
    const [original, now] = [snapshot(store), snapshot(world.path("new"))];
    const same = [...now.keys()].filter((name) => now.get(name)?.slice(4) === original.get(name)?.slice(4));
    expect(same).toEqual(
      expect.arrayContaining([
        "CLAUDE.md",
        "rules/mine.md",
        "skills/user-skill/SKILL.md",
        expect.stringMatching(/memory\/likes-tabs\.md$/),
      ]),
    );
    expect(now.get("commands/mine.md")).toContain("USER-COMMAND-BODY");
    expect(now.get("agents/mine.md")).toContain("USER-AGENT-BODY");
    const servers = JSON.parse(now.get(".claude.json")?.slice(4) ?? "{}") as { mcpServers: object };
    expect(servers.mcpServers).toEqual({
      stdio: {
        type: "stdio",
        command: "node",
        args: ["server.js"],
        env: { API_TOKEN: "sk-verysecretvalue123" },
      },
      http: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer tok-abcdef" } },
    });
    expect(existsSync(world.path("new/memory"))).toBe(false); // nothing echoes as a note of Codex's own
  });
});
