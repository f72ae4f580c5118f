/**
 * A Claude Code home with a project goes to Kimi Code and back: every item has an outcome, a second run changes nothing,
 * undo leaves the target as before, and what else stands in its files stays as it is.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is converted
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Report, undo } from "@asp-convert/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lines, makeWorld, move, snapshot, type World } from "./world.js";

let world: World;
let app: string;
const ROOT = "out/.kimi-code";

beforeEach(() => {
  world = makeWorld();
  mkdirSync(world.path("app"));
  app = realpathSync(world.path("app"));
  const files: Readonly<Record<string, string | object>> = {
    "claude/CLAUDE.md": "USER TEXT\n",
    "claude/skills/one/SKILL.md": "---\nname: one\ndescription: One.\n---\nBODY\n",
    "claude/skills/held/SKILL.md": "---\nname: held\ndescription: H.\nallowed-tools: Read\n---\nBODY\n",
    "claude/commands/say.md": "---\ndescription: Say\n---\nSay $ARGUMENTS.\n",
    "claude/agents/helper.md": "---\nname: helper\ndescription: Helps.\n---\nHelp.\n",
    "claude/settings.json": { permissions: { defaultMode: "plan" } },
    "claude/.claude.json": {
      mcpServers: {
        demo: { command: "demo", args: ["--deep"], env: { TOKEN: "${TOKEN}" } },
        web: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer ${KEY}" } },
        old: { type: "sse", url: "https://example.com/sse" },
      },
    },
    "app/CLAUDE.md": "PROJECT TEXT\n",
    "app/sub/CLAUDE.md": "SUB TEXT\n",
    [`${ROOT}/mcp.json`]: '{\n  // mine\n  "mcpServers": { "kept": { "command": "k" } }\n}\n',
    [`${ROOT}/config.toml`]: '# mine\ndefault_model = "k3"\n',
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(world.path(name)), { recursive: true });
    writeFileSync(
      world.path(name),
      typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`,
    );
  }
});
afterEach(() => world.remove());

const text = (name: string): string | undefined => snapshot(world.home).get(name)?.replace(/^\d+ /, "");
const left = ({ items }: Report) => lines(items.filter(({ outcome }) => outcome === "left"));
const go = (state = {}) =>
  move(world, {
    from: "claude",
    store: world.path("claude"),
    to: "kimi",
    root: world.path(ROOT),
    projects: [app],
    state,
  });

test("arrives, each in its place; a second run changes nothing, and undo takes it back", async () => {
  const before = snapshot(world.path(ROOT));
  const report = await go();
  expect(text(`${ROOT}/AGENTS.md`)).toBe("USER TEXT\n");
  expect(text("app/AGENTS.md")).toBe("PROJECT TEXT\n");
  expect(text("app/sub/AGENTS.md")).toBe("SUB TEXT\n");
  expect(text(`${ROOT}/skills/one/SKILL.md`)).toContain("BODY");
  expect(text(`${ROOT}/agents/helper.md`)).toContain("Help.");
  expect(text(`${ROOT}/config.toml`)).toContain('# mine\ndefault_model = "k3"\n');
  expect(text(`${ROOT}/config.toml`)).toContain("default_plan_mode = true");
  const servers = text(`${ROOT}/mcp.json`) ?? "";
  expect(servers).toContain("// mine");
  expect(JSON.parse(servers.replace("// mine", ""))).toEqual({
    mcpServers: {
      kept: { command: "k" },
      demo: { command: "demo", args: ["--deep"] },
      web: { url: "https://example.com/mcp", bearerTokenEnvVar: "KEY" },
      old: { transport: "sse", url: "https://example.com/sse" },
    },
  });
  expect(left(report)).toEqual([
    "skills | user | held | left | restriction-lost",
    "skills | user | /say | left | no-counterpart",
  ]);
  const after = snapshot(world.home);
  const again = await go();
  expect(again.items.filter(({ outcome }) => outcome === "written" || outcome === "changed")).toEqual([]);
  for (const [name, content] of after)
    if (!name.startsWith("asp/")) expect(text(name)).toBe(content.replace(/^\d+ /, ""));
  await undo(report.receipt ?? "", world.environment);
  expect(snapshot(world.path(ROOT))).toEqual(before);
});

test("without consent no server is written", async () => {
  const report = await go({ allowTools: false });
  expect(left(report).filter((line) => line.startsWith("tools"))).toEqual([
    "tools | user | demo | left | consent-needed",
    "tools | user | web | left | consent-needed",
    "tools | user | old | left | consent-needed",
  ]);
});

test("goes back to Claude Code as it was", async () => {
  await go();
  await move(world, { from: "kimi", store: world.path(ROOT), to: "claude", root: world.path("back") });
  expect(text("back/CLAUDE.md")).toBe("USER TEXT\n");
  expect(text("back/skills/one/SKILL.md")).toBe(text("claude/skills/one/SKILL.md"));
  expect(text("back/agents/helper.md")).toContain("Help.");
  expect(JSON.parse(text("back/.claude.json") ?? "")).toMatchObject({
    mcpServers: {
      kept: { command: "k" },
      demo: { command: "demo", args: ["--deep"] },
      web: { type: "http", headers: { Authorization: "Bearer ${KEY}" } },
      old: { type: "sse" },
    },
  });
});
