/**
 * A Claude Code home with a project goes to Pi and back, and a Codex home to Pi: every item has an outcome, a second
 * run changes nothing, undo leaves the target as before, and what Pi cannot hold is named.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is converted
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Report, undo } from "@asp-convert/core";
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

function put(files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = world.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`);
  }
}
const text = (name: string): string | undefined => snapshot(world.home).get(name)?.replace(/^\d+ /, "");
const json = (name: string): unknown => JSON.parse(readFileSync(world.path(name), "utf8"));

const toPi = (from: "claude" | "codex", root = "pi"): Promise<Report> =>
  move(world, { from, store: world.path(from), to: "pi", root: world.path(root), projects: [app] });
const left = ({ items }: Report) => lines(items.filter(({ outcome }) => outcome === "left"));

describe("Claude Code → Pi", () => {
  beforeEach(() =>
    put({
      "claude/CLAUDE.md": "USER TEXT\n",
      "claude/rules/style.md": "RULE TEXT\n",
      "claude/settings.json": {
        effortLevel: "low",
        model: "opus",
        permissions: { deny: ["Bash(rm:*)"], defaultMode: "plan" },
        env: { A: "1" },
        hooks: { Stop: [{ hooks: [{ type: "command", command: "echo" }] }] },
      },
      "claude/skills/one/SKILL.md": "---\nname: one\ndescription: One.\n---\nBODY\n",
      "claude/skills/hidden/SKILL.md":
        "---\nname: hidden\ndescription: H.\ndisable-model-invocation: true\n---\nBODY\n",
      "claude/skills/held/SKILL.md": "---\nname: held\ndescription: H.\nallowed-tools: Read\n---\nBODY\n",
      "claude/skills/nameless/SKILL.md": "BODY WITHOUT A DESCRIPTION\n",
      "claude/commands/git/say.md": "---\ndescription: Say\nargument-hint: <what>\n---\nSay $ARGUMENTS.\n",
      "claude/commands/run.md": "Now !`ls`.\n",
      "claude/agents/helper.md": "---\nname: helper\ndescription: Helps.\n---\nHelp.\n",
      "claude/.claude.json": {
        mcpServers: {
          "my demo": {
            command: "${HOME}/bin/demo",
            args: ["--root", "${ROOT}"],
            env: { TOKEN: "${TOKEN}", MODE: "${MODE:-fast}", PRICE: "5$", LOUD: "!now", SIGN: "$!x" },
            timeout: 20000,
          },
          web: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer ${KEY}" } },
          old: { type: "sse", url: "https://example.com/sse" },
        },
      },
      "app/CLAUDE.md": "PROJECT TEXT\n",
    }),
  );

  test("every item has an outcome, and what is left has a reason", async () => {
    const report = await toPi("claude");
    expect(left(report)).toEqual([
      "skills | user | held | left | restriction-lost",
      "skills | user | nameless | left | invalid-form",
      "skills | user | /run | left | not-supported",
      "skills | user | helper | left | no-counterpart",
      "tools | user | old | left | not-supported",
      "tools | user | at Stop: echo | left | no-counterpart",
      "settings | user | model | left | no-equal",
      "settings | user | mode | left | no-counterpart",
      "settings | user | env.A | left | no-counterpart",
      "settings | user | deny Bash(rm:*) | left | no-counterpart",
    ]);
  });

  test("texts, skills and prompts are where Pi reads them", async () => {
    await toPi("claude");
    expect(text("pi/AGENTS.md")).toContain("USER TEXT\n");
    expect(text("pi/AGENTS.md")).toContain("RULE TEXT\n");
    expect(text("app/AGENTS.md")).toBeUndefined(); // Pi reads CLAUDE.md itself
    expect(text("pi/skills/one/SKILL.md")).toContain("BODY");
    expect(text("pi/skills/hidden/SKILL.md")).toContain("disable-model-invocation: true");
    expect(text("pi/prompts/git-say.md")).toBe(
      '---\ndescription: "Say"\nargument-hint: "<what>"\n---\n\nSay $ARGUMENTS.\n',
    );
  });

  test("a rule of the project does not hide the CLAUDE.md that Pi reads there", async () => {
    put({ "app/.claude/rules/more.md": "MORE\n" });
    await toPi("claude");
    expect(text("app/AGENTS.md")).toContain("PROJECT TEXT\n");
    expect(text("app/AGENTS.md")).toContain("MORE\n");
    expect(text("app/CLAUDE.md")).toBe("PROJECT TEXT\n");
  });

  test("servers are the model's to call, with signs that mean something to Pi made plain", async () => {
    const { items } = await toPi("claude");
    expect(json("pi/mcp.json")).toEqual({
      mcpServers: {
        "my-demo": {
          command: "~/bin/demo",
          args: ["--root", "${ROOT}"],
          env: { TOKEN: "${TOKEN}", MODE: "${MODE}", PRICE: "5$", LOUD: "$!now", SIGN: "$$!x" },
          timeout: 20,
          exposure: "direct",
        },
        web: {
          url: "https://example.com/mcp",
          headers: { Authorization: "Bearer ${KEY}" },
          exposure: "direct",
        },
      },
    });
    expect(items.filter(({ item }) => item === "my demo")).toMatchObject([{ outcome: "changed" }]);
    expect(json("pi/settings.json")).toEqual({ defaultThinkingLevel: "low" });
  });

  test("without consent no server goes over, and its command line is told", async () => {
    const { items } = await move(world, {
      from: "claude",
      store: world.path("claude"),
      to: "pi",
      root: world.path("pi"),
      state: { kinds: ["tools"], allowTools: false },
    });
    expect(items[0]).toMatchObject({
      outcome: "left",
      reason: "consent-needed",
      note: expect.stringContaining("/bin/demo"),
    });
  });

  test("a second run changes nothing, and undo leaves all as it was", async () => {
    put({ "pi/settings.json": '{\n  // mine\n  "theme": "dark"\n}\n', "pi/AGENTS.md": "MINE\n" });
    const before = [snapshot(world.path("pi")), snapshot(app)];
    const { receipt } = await toPi("claude");
    const after = [snapshot(world.path("pi")), snapshot(app)];
    expect(after).not.toEqual(before);
    expect(text("pi/settings.json")).toContain("// mine");
    expect((await toPi("claude")).receipt).toBeUndefined();
    expect([snapshot(world.path("pi")), snapshot(app)]).toEqual(after);
    await undo(receipt, world.environment);
    expect([snapshot(world.path("pi")), snapshot(app)]).toEqual(before);
  });

  test("back in an empty home what went is there again", async () => {
    await toPi("claude");
    const back = await move(world, {
      from: "pi",
      store: world.path("pi"),
      to: "claude",
      root: world.path("new"),
      projects: [app],
    });
    expect(text("new/CLAUDE.md")).toContain("USER TEXT\n");
    expect(text("new/rules/style.md")).toBe("RULE TEXT\n");
    expect(text("new/skills/one/SKILL.md")).toBe(text("claude/skills/one/SKILL.md"));
    expect(text("new/commands/git-say.md")).toContain("Say $ARGUMENTS.");
    expect(json("new/.claude.json")).toMatchObject({
      mcpServers: {
        "my-demo": {
          command: "${HOME}/bin/demo",
          env: { TOKEN: "${TOKEN}", PRICE: "5$", LOUD: "!now", SIGN: "$!x" },
          timeout: 20000,
        },
      },
    });
    expect(left(back)).toEqual([]);
  });
});

test("Codex → Pi: limits on tools become what is hidden, and instructions stay in one file", async () => {
  put({
    "codex/AGENTS.md": "USER TEXT\n",
    "codex/config.toml": [
      'model_reasoning_effort = "none"',
      "[mcp_servers.few]",
      'command = "demo"',
      'enabled_tools = ["a", "b"]',
      'disabled_tools = ["b"]',
      "[mcp_servers.off]",
      'command = "demo"',
      'args = ["off"]',
      "enabled = false",
      'disabled_tools = ["x"]',
    ].join("\n"),
  });
  const report = await toPi("codex");
  expect(left(report)).toEqual([]);
  expect(text("pi/AGENTS.md")).toBe("USER TEXT\n");
  expect(json("pi/settings.json")).toEqual({ defaultThinkingLevel: "off" });
  expect(json("pi/mcp.json")).toEqual({
    mcpServers: {
      few: { command: "demo", args: [], exposure: "hidden", toolExposure: { a: "direct", b: "hidden" } },
      off: {
        command: "demo",
        args: ["off"],
        enabled: false,
        exposure: "direct",
        toolExposure: { x: "hidden" },
      },
    },
  });
});

test("Pi → Pi: everything that one can carry is the same", async () => {
  world.put("pi/settings/home/.pi/agent", "one");
  world.put("pi/settings/demo", "app");
  const mcp = {
    mcpServers: {
      lab: {
        command: "node",
        args: ["~/x.mjs"],
        env: { A: "$B", C: "$$5" },
        timeout: 20,
        description: "Echoes",
      },
      some: { url: "https://example.com/mcp", exposure: "hidden", toolExposure: { "get_*": "direct" } },
      asks: { url: "https://example.com/o", oauth: { clientId: "c", scope: "a b", clientName: "n" } },
    },
  };
  put({ "one/mcp.json": mcp });
  const report = await move(world, {
    from: "pi",
    store: world.path("one"),
    to: "pi",
    root: world.path("two"),
    projects: [app],
  });
  expect(json("two/mcp.json")).toEqual({
    mcpServers: { ...mcp.mcpServers, lab: { ...mcp.mcpServers.lab, env: { A: "${B}", C: "$5" } } },
  });
  for (const name of ["AGENTS.md", "APPEND_SYSTEM.md", "prompts/hello.md", "skills/global-skill/SKILL.md"])
    expect(text(`two/${name}`)).toBe(text(`one/${name}`));
  expect(json("two/settings.json")).toEqual({
    defaultProvider: "mock",
    defaultModel: "mock-1",
    defaultThinkingLevel: "medium",
  });
  expect(left(report).sort()).toEqual([
    "instructions | project | CLAUDE.md | left | superseded",
    "instructions | user | CLAUDE.md | left | superseded",
    "settings | user | cacheWarming | left | not-supported",
    "settings | user | defaultProjectTrust | left | not-supported",
    "settings | user | enableInstallTelemetry | left | not-supported",
    "settings | user | enabledModels | left | no-counterpart",
    "settings | user | modelThinkingLevels | left | no-counterpart",
    "settings | user | retry.enabled | left | not-supported",
    "settings | user | theme | left | not-supported",
    "tools | project | off | left | no-counterpart",
  ]);
});
