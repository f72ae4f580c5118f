/**
 * What Claude Code has beside sessions, in the real OpenCode: the request to the model holds the instructions, the
 * skills that are not hidden and the server's tools; a tool can be called.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is converted
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { atomsOf, findProgram, startOpenCode } from "@asp-convert/conformance/native";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeWorld, move, type World } from "../state/world.js";
import { DEMO_SERVER } from "./demo-server.js";
import { nativeIds } from "./natives.js";

/** Fetching the program (a binary of 177 MiB) is too much for every run: `npm run test:native:all`. */
const isWanted = nativeIds.includes("opencode");

let world: World;
let app: string;
beforeAll(async () => {
  if (!isWanted) return;
  await findProgram("opencode");
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
    to: "opencode",
    root: world.path("oc/home/.local/share/opencode"),
    projects: [app],
  });
  expect(report.items.filter(({ outcome }) => outcome === "left").map(({ item }) => item)).toEqual([
    // It would not be hidden here.
    "hidden-skill",
    // Kept with a model of an agent.
    "effort",
    // A rule for a tool of a server, in Claude Code's words.
    "deny mcp__my_demo__secret",
  ]);
}, 600_000);
afterAll(() => world?.remove());

function put(files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = world.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  }
}

const options = () => ({ home: world.path("oc/home"), cwd: app, env: { DEMO_TOKEN: "of-the-environment" } });

describe.runIf(isWanted)("OpenCode", () => {
  test("the request holds the instructions, the skills that may be seen, and the server's tools", async () => {
    const { requests, exitCode, stderr } = await startOpenCode(options());
    expect(exitCode, stderr).toBe(0);
    const request = JSON.stringify(requests.at(-1)?.body ?? {});
    for (const text of [
      "USER-INSTRUCTION-TEXT",
      "USER-RULE-TEXT",
      "PROJECT-INSTRUCTION-TEXT",
      "Use user-skill when asked.",
      "Use project-skill when asked.",
    ])
      expect(request).toContain(text);
    expect(request).toContain("TOOL-echo");
    expect(request).not.toContain("Use hidden-skill when asked.");
  });

  test("the server's tool is called by its name with its variables", async () => {
    const call = { type: "call", name: "my-demo_echo", input: { text: "hi" } } as const;
    const { requests } = await startOpenCode({ ...options(), turns: [{ blocks: [call] }, "done"] });
    const results = requests.flatMap(({ body }) => atomsOf(body)).filter(({ kind }) => kind === "result");
    expect(results.at(-1)?.text).toBe("ECHOED hi $!5 of-the-environment");
  });
});
