/** What is read of the captured stores beside sessions, and that it comes home as it was. */
import { join } from "node:path";
import {
  diskSource,
  type Environment,
  type KindContext,
  type KindTarget,
  memorySource,
} from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { instructions } from "./instructions.js";
import { readServer, writeServer } from "./servers.js";
import { skills } from "./skills.js";
import { tools } from "./tools.js";

const fixture = join(import.meta.dirname, "../../../fixtures/copilot/tools");
const home = join(fixture, "home");
const project = join(fixture, "project");
const environment: Environment = { env: {}, home, platform: "linux", cwd: "/" };
const context = (): KindContext => ({
  source: diskSource,
  environment,
  losses: [],
  items: [],
  user: true,
  projects: [project],
  followLinks: false,
});
const store = { harness: "copilot", root: join(home, ".copilot") };
const target = (): KindTarget => ({
  root: "/new/.copilot",
  environment: { ...environment, home: "/new" },
  source: memorySource({}),
  losses: [],
  projectFolder: () => "/new/project",
  allowTools: true,
  includeSecrets: true,
  dropRestrictions: false,
});

describe("the captured store", () => {
  test("gives the instructions of every place, those for some files with whom they are for", async () => {
    const state = await instructions.read(store, context());
    expect(state?.files.map(({ scope, source, globs, text }) => [scope, source, globs, text.trim()])).toEqual(
      [
        ["user", "copilot-instructions.md", undefined, "MARK-GLOBAL-COPILOT: be brief."],
        [
          "project",
          ".github/copilot-instructions.md",
          undefined,
          "MARK-COPILOT-INSTRUCTIONS: answer in one line.",
        ],
        ["project", "AGENTS.md", undefined, "# Agents rules\n\nMARK-AGENTS-MD: use tabs."],
        [
          "project",
          ".github/instructions/js.instructions.md",
          ["**/*.js"],
          "MARK-PATH-INSTRUCTIONS: rules for js files.",
        ],
      ],
    );
  });

  test("gives the skills of every place, and the agents", async () => {
    const state = await skills.read(store, context());
    expect(state?.skills.map(({ name, scope }) => [scope, name])).toEqual([
      ["user", "global-skill"],
      ["project", "release-notes"],
      ["project", "shared-skill"],
    ]);
    expect(state?.definitions).toMatchObject([{ of: "agent", name: "reviewer", scope: "project" }]);
  });

  test("gives the servers, and which are switched off", async () => {
    expect((await tools.read(store, context()))?.servers).toMatchObject([
      { name: "lab", command: "node", _meta: { asp: { scope: "user" } } },
      { name: "web", type: "http", _meta: { asp: { enabled: false } } },
    ]);
  });

  test("is written to where the program reads it", async () => {
    const plans = await Promise.all([
      instructions
        .read(store, context())
        .then((state) => instructions.write(state ?? { files: [] }, target())),
      skills
        .read(store, context())
        .then((state) => skills.write(state ?? { skills: [], definitions: [] }, target())),
      tools
        .read(store, context())
        .then((state) => tools.write(state ?? { servers: [], hooks: [] }, target())),
    ]);
    expect([...new Set(plans.flatMap(({ actions }) => actions.map(({ path }) => path)))].sort()).toEqual([
      "/new/.copilot/copilot-instructions.md",
      "/new/.copilot/mcp-config.json",
      "/new/.copilot/settings.json",
      "/new/.copilot/skills/global-skill/SKILL.md",
      "/new/project/.agents/skills/release-notes/SKILL.md",
      "/new/project/.agents/skills/shared-skill/SKILL.md",
      "/new/project/.github/agents/reviewer.agent.md",
      "/new/project/.github/instructions/js.instructions.md",
      "/new/project/AGENTS.md",
    ]);
  });
});

describe("a server", () => {
  const place = { scope: "user" } as const;

  test.each([
    ["no object", 5],
    ["neither a command nor an address", { env: {} }],
    ["neither a command nor an address", { type: "ws", url: "wss://x" }],
  ])("is none: %s", (invalid, value) => expect(readServer("s", value, place)).toEqual({ invalid }));

  test.each([
    [
      {
        type: "local",
        command: "c",
        args: ["a"],
        env: { A: "1" },
        cwd: "/x",
        tools: ["*"],
        deferTools: true,
      },
    ],
    [{ type: "http", url: "https://x", headers: { A: "1" }, tools: ["t"], excludeTools: ["u"], timeout: 5 }],
    [{ type: "sse", url: "https://x", tools: ["*"] }],
  ])("comes home as it was: %j", (value) => {
    const found = readServer("s", value, place);
    expect("server" in found && writeServer(found.server)).toMatchObject({ entry: value, lost: [] });
  });
});
