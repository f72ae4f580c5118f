/**
 * The five kinds beside sessions, in the real programs: after a conversion the request to the model holds the
 * instructions, the skill's name and description, the memory and the server's tool; the tool can be called; model
 * and effort are what was asked; the program takes the files it is given without a complaint.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is converted
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram, startClaude, startCodex, tellClaude, tellCodex } from "@asp-convert/conformance/native";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeWorld, move, type World } from "../state/world.js";

/** A tiny MCP server: one tool, `echo`, which also tells of a variable. */
const SERVER = `
import { createInterface } from "node:readline";
const tool = { name: "echo", description: "MCP-TOOL-DESCRIPTION", inputSchema: { type: "object", properties: { text: { type: "string" } } } };
createInterface({ input: process.stdin }).on("line", (line) => {
  if (!line.trim()) return;
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  if (method === "initialize") answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "demo", version: "1" } });
  else if (method === "tools/list") answer({ tools: [tool] });
  else if (method === "tools/call") answer({ content: [{ type: "text", text: "ECHOED " + params.arguments.text + " FLAG=" + process.env.FLAG + " TOKEN=" + process.env.DEMO_TOKEN }] });
  else answer({});
});
`;

let world: World;
beforeAll(async () => {
  world = makeWorld();
  await Promise.all([findProgram("claude"), findProgram("codex")]);
}, 600_000);
afterAll(() => world.remove());

function put(files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = world.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  }
}

const skill = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: Use ${name} when asked.\n${more}---\nBODY OF ${name}\n`;
/** Which of these texts the request does not hold: a whole request would bury what is missing. */
const missing = (request: string, texts: readonly string[]) =>
  texts.filter((text) => !request.includes(text));
const sent = (requests: readonly { body: object }[]) => JSON.stringify(requests[0]?.body ?? {});

describe("Claude Code → Codex", () => {
  let project: string;
  beforeAll(async () => {
    put({
      "server.mjs": SERVER,
      "a/claude/CLAUDE.md": "USER-INSTRUCTION-TEXT\n",
      "a/claude/rules/style.md": "USER-RULE-TEXT\n",
      "a/claude/settings.json": {
        effortLevel: "low",
        permissions: { deny: ["Bash(touch forbidden:*)"], defaultMode: "default" },
        env: { FROM_SETTINGS: "yes" },
        skillOverrides: { "switched-off-skill": "off" },
      },
      "a/claude/skills/user-skill/SKILL.md": skill("user-skill"),
      "a/claude/skills/hidden-skill/SKILL.md": skill("hidden-skill", "disable-model-invocation: true\n"),
      "a/claude/skills/switched-off-skill/SKILL.md": skill("switched-off-skill"),
      "a/claude/agents/helper.md":
        "---\nname: helper\ndescription: AGENT-DESCRIPTION\ntools: Read, Grep\n---\nHelp.\n",
      "a/app/CLAUDE.md": "PROJECT-INSTRUCTION-TEXT\n",
      "a/app/.claude/skills/project-skill/SKILL.md": skill("project-skill"),
    });
    mkdirSync(world.path("a/app/.git"), { recursive: true });
    project = realpathSync(world.path("a/app"));
    const node = process.execPath;
    const server = {
      command: node,
      args: [world.path("server.mjs")],
      env: { FLAG: "set", DEMO_TOKEN: "${DEMO_TOKEN}" },
    };
    put({
      "a/claude/.claude.json": { mcpServers: { "my demo": server } },
      [`a/claude/projects/${project.replace(/[^A-Za-z0-9]/g, "-")}/memory/likes-tabs.md`]:
        "---\nname: likes-tabs\ndescription: MEMORY-DESCRIPTION\n---\nTabs.\n",
      [`a/claude/projects/${project.replace(/[^A-Za-z0-9]/g, "-")}/memory/MEMORY.md`]:
        "- [Likes tabs](likes-tabs.md) — MEMORY-DESCRIPTION\n",
      "a/codex/config.toml": `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`,
    });
    chmodSync(world.path("a/codex/config.toml"), 0o600);
    const report = await move(world, {
      from: "claude",
      store: world.path("a/claude"),
      to: "codex",
      root: world.path("a/codex"),
      projects: [project],
    });
    expect(report.items.filter(({ outcome }) => outcome === "left").map(({ item }) => item)).toEqual([]);
  });
  const options = () => ({
    store: world.path("a/codex"),
    cwd: project,
    env: { DEMO_TOKEN: "secret-of-the-environment" },
  });

  test("the request holds the instructions, skills, memory and the subagent; the effort is what was asked", async () => {
    const { requests, exitCode, stderr } = await startCodex({
      ...options(),
      args: ["-m", "gpt-5.5", "--strict-config"],
    });
    expect({ exitCode, problem: /^.*error.*$/im.exec(stderr)?.[0] }).toEqual({ exitCode: 0 });
    const request = sent(requests);
    expect(
      missing(request, [
        "USER-INSTRUCTION-TEXT",
        "USER-RULE-TEXT",
        "PROJECT-INSTRUCTION-TEXT",
        "MEMORY-DESCRIPTION",
      ]),
    ).toEqual([]);
    expect(missing(request, ["Use user-skill when asked.", "Use project-skill when asked."])).toEqual([]);
    const hidden = ["Use hidden-skill when asked.", "Use switched-off-skill when asked."];
    expect(missing(request, hidden)).toEqual(hidden);
    expect(requests[0]?.body.reasoning).toMatchObject({ effort: "low" });
  });

  test("the server is listed, and its tool is called with its variables", async () => {
    const listed = await tellCodex(options(), "mcp", "list", "--json");
    expect(JSON.parse(listed.stdout)).toMatchObject([
      {
        name: "my-demo",
        enabled: true,
        transport: { type: "stdio", command: process.execPath, env_vars: ["DEMO_TOKEN"] },
      },
    ]);
    const { requests } = await startCodex({
      ...options(),
      args: ["-m", "gpt-5.5", "-c", 'mcp_servers.my-demo.default_tools_approval_mode="approve"'],
      turns: [
        { blocks: [{ type: "call", name: "echo", namespace: "mcp__my_demo", input: { text: "hi" } }] },
        "done",
      ],
    });
    expect(JSON.stringify(requests.at(-1)?.body)).toContain(
      "ECHOED hi FLAG=set TOKEN=secret-of-the-environment",
    );
  });

  test("a rule that forbids still forbids", async () => {
    const { requests } = await startCodex({
      ...options(),
      args: ["-m", "gpt-5.5", "-c", 'approval_policy="never"', "-c", 'sandbox_mode="danger-full-access"'],
      turns: [
        { blocks: [{ type: "call", name: "exec_command", input: { cmd: "touch forbidden file" } }] },
        "done",
      ],
    });
    expect(JSON.stringify(requests.at(-1)?.body)).toContain("carried over: Bash(touch forbidden:*)");
    expect(existsSync(join(project, "forbidden"))).toBe(false);
  });
});

describe("Codex → Claude Code", () => {
  let project: string;
  beforeAll(async () => {
    put({
      "server.mjs": SERVER,
      "b/codex/AGENTS.md": "USER-INSTRUCTION-TEXT\n",
      "b/codex/skills/user-skill/SKILL.md": skill("user-skill"),
      "b/codex/skills/hidden-skill/SKILL.md": skill("hidden-skill"),
      "b/codex/skills/hidden-skill/agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n",
      "b/codex/agents/helper.toml":
        'name = "helper"\ndescription = "AGENT-DESCRIPTION"\ndeveloper_instructions = "Help."\n',
      "b/codex/memories/memory_summary.md": "MEMORY-SUMMARY-TEXT\n",
      "b/codex/memories/extensions/ad_hoc/notes/tabs.md": "# NOTE-TITLE\nThe user likes tabs.\n",
      "b/codex/rules/default.rules":
        'prefix_rule(pattern = ["touch", "forbidden"], decision = "forbidden")\n',
      "b/app/AGENTS.md": "PROJECT-INSTRUCTION-TEXT\n",
      "b/app/.agents/skills/project-skill/SKILL.md": skill("project-skill"),
    });
    mkdirSync(world.path("b/app/.git"), { recursive: true });
    project = realpathSync(world.path("b/app"));
    put({
      "b/codex/config.toml": [
        'model = "gpt-5.5"',
        'model_reasoning_effort = "minimal"',
        'approval_policy = "on-request"',
        'sandbox_mode = "read-only"',
        "",
        "[mcp_servers.demo]",
        `command = ${JSON.stringify(process.execPath)}`,
        `args = [${JSON.stringify(world.path("server.mjs"))}]`,
        'env = { FLAG = "set" }',
        'env_vars = ["DEMO_TOKEN"]',
        'disabled_tools = ["other"]',
        "",
        "[[skills.config]]",
        'name = "switched-off"',
        "enabled = false",
      ].join("\n"),
    });
    const report = await move(world, {
      from: "codex",
      store: world.path("b/codex"),
      to: "claude",
      root: world.path("b/claude"),
      projects: [project],
    });
    expect(report.items.filter(({ outcome }) => outcome === "left").map(({ item }) => item)).toEqual([
      "model",
    ]);
  });
  const options = () => ({
    store: world.path("b/claude"),
    cwd: project,
    env: { DEMO_TOKEN: "secret-of-the-environment" },
  });

  test("the request holds the instructions, skills, memory and the subagent; the effort is the nearest", async () => {
    const { requests, exitCode, stderr } = await startClaude(options());
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const request = sent(requests);
    const texts = [
      "USER-INSTRUCTION-TEXT",
      "PROJECT-INSTRUCTION-TEXT",
      "MEMORY-SUMMARY-TEXT",
      "NOTE-TITLE",
      "AGENT-DESCRIPTION",
    ];
    expect(missing(request, texts)).toEqual([]);
    expect(missing(request, ["Use user-skill when asked.", "Use project-skill when asked."])).toEqual([]);
    expect(request.includes("Use hidden-skill when asked.")).toBe(false);
    expect(requests[0]?.body.output_config).toMatchObject({ effort: "low" });
  });

  test("the server is listed, and its tool is called with its variables", async () => {
    const listed = await tellClaude(options(), "mcp", "list");
    expect(listed.stdout).toMatch(/^demo: .*Connected/m);
    const { requests } = await startClaude({
      ...options(),
      args: ["--allowedTools=mcp__demo__echo"],
      turns: [
        { blocks: [{ type: "call", name: "ToolSearch", input: { query: "select:mcp__demo__echo" } }] },
        { blocks: [{ type: "call", name: "mcp__demo__echo", input: { text: "hi" } }] },
        "done",
      ],
    });
    expect(JSON.stringify(requests.at(-1)?.body)).toContain(
      "ECHOED hi FLAG=set TOKEN=secret-of-the-environment",
    );
  });

  test("a rule that forbids still forbids", async () => {
    const { requests } = await startClaude({
      ...options(),
      args: ["--allowedTools=Bash"],
      turns: [
        {
          blocks: [
            { type: "call", name: "Bash", input: { command: "touch forbidden file", description: "x" } },
          ],
        },
        "done",
      ],
    });
    expect(JSON.stringify(requests.at(-1)?.body)).toMatch(/denied|permission/i);
    expect(existsSync(join(project, "forbidden"))).toBe(false);
  });
});
