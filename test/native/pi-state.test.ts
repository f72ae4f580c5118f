/**
 * What Claude Code has beside sessions, in the real Pi: the request to the model holds the instructions, the skills
 * that are not hidden and the server's tool; the tool can be called; the thinking level is what was asked.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is converted
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { atomsOf, findProgram, startPi, tellPi } from "@asp-convert/conformance/native";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeWorld, move, type World } from "../state/world.js";
import { DEMO_SERVER } from "./demo-server.js";

let world: World;
let app: string;
beforeAll(async () => {
  await findProgram("pi");
  world = makeWorld();
  const skill = (name: string, more = "") =>
    `---\nname: ${name}\ndescription: Use ${name} when asked.\n${more}---\nBODY OF ${name}\n`;
  put({
    "server.mjs": DEMO_SERVER,
    "claude/CLAUDE.md": "USER-INSTRUCTION-TEXT\n",
    "claude/rules/style.md": "USER-RULE-TEXT\n",
    "claude/settings.json": { effortLevel: "high", permissions: { deny: ["mcp__my_demo__secret"] } },
    "claude/skills/user-skill/SKILL.md": skill("user-skill"),
    "claude/skills/hidden-skill/SKILL.md": skill("hidden-skill", "disable-model-invocation: true\n"),
    "claude/commands/say.md": "---\ndescription: Say\n---\nPlease say $1 to $ARGUMENTS\n",
    "claude/.claude.json": {
      mcpServers: {
        "my demo": {
          command: process.execPath,
          args: [world.path("server.mjs")],
          env: { PRICE: "$!5", TOKEN: "${DEMO_TOKEN}" },
        },
      },
    },
    "app/CLAUDE.md": "PROJECT-INSTRUCTION-TEXT\n",
    "app/.claude/skills/project-skill/SKILL.md": skill("project-skill"),
  });
  mkdirSync(world.path("app/.git"));
  app = realpathSync(world.path("app"));
  const report = await move(world, {
    from: "claude",
    store: world.path("claude"),
    to: "pi",
    root: world.path("pi"),
    projects: [app],
  });
  expect(report.items.filter(({ outcome }) => outcome === "left").map(({ item }) => item)).toEqual([
    "deny mcp__my_demo__secret",
  ]);
}, 600_000);
afterAll(() => world.remove());

function put(files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = world.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  }
}

const options = () => ({ store: world.path("pi"), cwd: app, env: { DEMO_TOKEN: "of-the-environment" } });

test("the request holds the instructions and the skills; how hard it thinks is what was asked", async () => {
  const { requests, exitCode } = await startPi(options());
  expect(exitCode).toBe(0);
  const request = JSON.stringify(requests[0]?.body ?? {});
  for (const text of [
    "USER-INSTRUCTION-TEXT",
    "USER-RULE-TEXT",
    "PROJECT-INSTRUCTION-TEXT",
    "Use user-skill when asked.",
    "Use project-skill when asked.",
  ])
    expect(request).toContain(text);
  expect(request).not.toContain("Use hidden-skill when asked.");
  expect(requests[0]?.body).toMatchObject({ reasoning_effort: "high" });
});

test("a command is the prompt that it was", async () => {
  const { requests } = await startPi({ ...options(), prompt: "/say hello world" });
  expect(atomsOf(requests[0]?.body ?? {}).at(-1)?.text).toBe("Please say hello to hello world");
});

test("the server connects, and its tool is called by its name with its variables", async () => {
  const listed = await tellPi(options(), "mcp", "list");
  expect(listed).toMatchObject({ exitCode: 0 });
  expect(listed.stdout).toMatch(/my-demo/);
  const call = { type: "call", name: "mcp__my_demo__echo", input: { text: "hi" } } as const;
  const { requests } = await startPi({ ...options(), turns: [{ blocks: [call] }, "done"] });
  expect(JSON.stringify(requests[0]?.body.tools)).toContain("TOOL-echo");
  expect(atomsOf(requests.at(-1)?.body ?? {}).at(-1)).toEqual({
    kind: "result",
    text: "ECHOED hi $!5 of-the-environment",
  });
});
