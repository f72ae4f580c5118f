/**
 * A Claude Code home with a project goes to Cline, and Cline's comes back: every item has an outcome, a second run changes
 * nothing, undo leaves the target as before, other servers of its settings stay as they are.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is converted
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Report, undo } from "@asp-convert/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lines, makeWorld, move, snapshot, type World } from "./world.js";

let world: World;
let app: string;
beforeEach(() => {
  world = makeWorld();
  mkdirSync(world.path("app"));
  app = realpathSync(world.path("app"));
});
afterEach(() => world.remove());

function put(files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = world.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`);
  }
}
const text = (name: string): string | undefined => snapshot(world.home).get(name)?.replace(/^\d+ /, "");
const json = (name: string): unknown => JSON.parse(readFileSync(world.path(name), "utf8"));
const left = ({ items }: Report) => lines(items.filter(({ outcome }) => outcome === "left"));

const SERVERS = "out/.cline/data/settings/cline_mcp_settings.json";

test("Claude Code → Cline: what it has a place for, what not by name; again, nothing; undone, as before", async () => {
  put({
    "claude/CLAUDE.md": "USER TEXT\n",
    "claude/skills/one/SKILL.md": "---\nname: one\ndescription: One.\n---\nBODY\n",
    "claude/skills/held/SKILL.md": "---\nname: held\ndescription: H.\nallowed-tools: Read\n---\nBODY\n",
    "claude/commands/git/say.md": "---\ndescription: Say\n---\nSay it.\n",
    "claude/commands/run.md": "Now !`ls`.\n",
    "claude/agents/helper.md": "---\nname: helper\ndescription: Helps.\n---\nHelp.\n",
    "claude/.claude.json": {
      mcpServers: {
        demo: { command: "demo", args: ["--root", "/srv"], env: { MODE: "x" }, timeout: 20000 },
        web: { type: "http", url: "https://example.com/mcp" },
        keyed: { type: "http", url: "https://example.com/k", headers: { Authorization: "Bearer ${KEY}" } },
      },
    },
    "app/CLAUDE.md": "PROJECT TEXT\n",
    [SERVERS]: '{\n  "mcpServers": { "kept": { "command": "k" } }\n}\n',
  });
  const before = snapshot(world.path("out"));
  const run = () =>
    move(world, {
      from: "claude",
      store: world.path("claude"),
      to: "cline",
      root: world.path("out/.cline"),
      projects: [app],
      state: { dropRestrictions: false },
    });
  const report = await run();
  expect(text("out/.cline/rules/AGENTS.md")).toBe("USER TEXT\n");
  expect(text("app/AGENTS.md")).toBe("PROJECT TEXT\n");
  expect(text("out/.cline/skills/one/SKILL.md")).toContain("BODY");
  expect(text("out/.cline/workflows/git-say.md")).toContain("Say it.");
  expect(json(SERVERS)).toEqual({
    mcpServers: {
      kept: { command: "k" },
      demo: { command: "demo", args: ["--root", "/srv"], env: { MODE: "x" }, timeout: 20 },
      web: { type: "streamableHttp", url: "https://example.com/mcp" },
    },
  });
  expect(left(report).join("\n")).toMatch(/held[\s\S]*run[\s\S]*helper[\s\S]*keyed/);

  const after = snapshot(world.home);
  const again = await run();
  expect(again.items.filter(({ outcome }) => outcome === "written" || outcome === "changed")).toEqual([]);
  expect(snapshot(world.home)).toEqual(after);

  await undo(report.receipt ?? "", world.environment);
  expect(snapshot(world.path("out"))).toEqual(before);
});

test("Cline → Claude Code: rules of every place, skills, workflows and servers", async () => {
  put({
    "cline/rules/brief.md": "BE BRIEF\n",
    "cline/skills/global/SKILL.md": "---\nname: global\ndescription: G.\n---\nBODY\n",
    "cline/data/settings/cline_mcp_settings.json": {
      mcpServers: {
        lab: { command: "node", args: ["${literal}"], timeout: 5 },
        web: { transport: { type: "streamableHttp", url: "https://example.com/m" }, disabled: true },
        old: { url: "https://example.com/sse", oauthClient: { clientId: "c", clientSecret: "s" } },
      },
    },
    "app/AGENTS.md": "AGENTS TEXT\n",
    "app/.clinerules/rules.md": "RULES TEXT\n",
    "app/.clinerules/workflows/release.md": "Release it.\n",
    "app/.cline/skills/own/SKILL.md": "---\nname: own\ndescription: O.\n---\nBODY\n",
  });
  await move(world, {
    from: "cline",
    store: world.path("cline"),
    to: "claude",
    root: world.path("out"),
    projects: [app],
  });
  expect(text("out/CLAUDE.md")).toContain("BE BRIEF");
  expect(text("app/CLAUDE.md")).toContain("@.clinerules/rules.md");
  expect(text("out/skills/global/SKILL.md")).toContain("BODY");
  expect(text("app/.claude/skills/own/SKILL.md")).toContain("BODY");
  expect(text("app/.claude/commands/release.md")).toContain("Release it.");
  const servers = json("out/.claude.json") as { mcpServers: Record<string, unknown> };
  expect(Object.keys(servers.mcpServers).sort()).toEqual(["lab", "old"]);
  expect(JSON.stringify(servers)).not.toContain('"s"');
});
