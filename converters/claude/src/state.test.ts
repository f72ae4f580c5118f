/** What is read of the captured stores that hold every kind. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is stored
import { join } from "node:path";
import { diskSource, type Environment, type KindContext } from "@asp-convert/core";
import { describe, expect, it } from "vitest";
import { instructions } from "./instructions.js";
import { globalState } from "./layout-state.js";
import { memory } from "./memory.js";
import { settings } from "./settings.js";
import { skills } from "./skills.js";
import { tools } from "./tools.js";

const fixture = (...path: string[]): string => join(import.meta.dirname, "../../../fixtures/claude", ...path);
const environment: Environment = { env: {}, home: "/nowhere", platform: "linux", cwd: "/" };
const context = (...projects: string[]): KindContext => ({
  source: diskSource,
  environment,
  losses: [],
  items: [],
  user: true,
  projects,
  followLinks: false,
});
const store = (name: string) => ({ harness: "claude", root: fixture(name, "config") });

describe("the captured project", () => {
  const project = fixture("project/project");
  it("gives the instructions that Claude Code reads, with their globs and imports", async () => {
    const state = await instructions.read(store("project"), context(project));
    expect(state?.files.map(({ scope, path, source }) => [scope, path, source])).toEqual([
      ["user", "", "CLAUDE.md"],
      ["user", "", "rules/mine.md"],
      ["project", "", "CLAUDE.md"],
      ["project", "", ".claude/rules/always.md"],
      ["project", "", ".claude/rules/scoped.md"],
      ["local", "", "CLAUDE.local.md"],
      ["project", "sub", "sub/CLAUDE.md"],
    ]);
    expect(state?.files[2]?.imports).toEqual([{ path: "docs/style.md", status: "found", in: "CLAUDE.md" }]);
    expect(state?.files[4]?.globs).toEqual(["sub/**"]);
  });

  it("gives skills, commands and subagents, each with what limits it", async () => {
    const state = await skills.read(store("project"), context(project));
    expect(state?.skills.map(({ name, scope, description }) => [name, scope, description])).toEqual([
      ["user-skill", "user", "A skill of the user."],
      ["greet-people", "project", "Greets people by name. Use when asked to greet."],
    ]);
    expect(
      state?.definitions.map(({ of, name, scope, limits }) => [
        of,
        name,
        scope,
        ...limits.map(({ key }) => key),
      ]),
    ).toEqual([
      ["command", "mine", "user"],
      ["agent", "mine", "user"],
      ["command", "shout", "project"],
      ["agent", "counter", "project", "tools"],
    ]);
  });

  it("gives settings in everybody's words, and permission rules", async () => {
    const state = await settings.read(store("project"), context(project));
    expect(state?.options.map(({ id, value, means, scope }) => [scope, id, value, means])).toEqual([
      ["user", "model", "sonnet", undefined],
      ["user", "effort", "high", "high"],
      ["user", "outputStyle", "default", undefined],
      ["user", "cleanupPeriodDays", 30, undefined],
      ["project", "mode", "acceptEdits", "edit"],
      ["project", "env.FROM_SETTINGS", "yes", undefined],
    ]);
    expect(state?.permissions?.map(({ effect, rule, command }) => [effect, rule, command])).toEqual([
      ["deny", "Read(./secret.txt)", undefined],
      ["allow", "Bash(ls:*)", ["ls"]],
    ]);
  });
});

describe("servers", () => {
  it("of every scope and transport are read; those of a project that is not named are named", async () => {
    const at = context(fixture("mcp-config/project"));
    const state = await tools.read(store("mcp-config"), at);
    expect(
      state?.servers.map((server) => [
        server.name,
        server._meta.asp.scope,
        "type" in server ? server.type : "stdio",
      ]),
    ).toEqual([
      ["user-http", "user", "http"],
      ["user-ws", "user", "ws"],
      ["project-sse", "project", "sse"],
      ["project-stdio", "project", "stdio"],
      ["project-http", "project", "http"],
    ]);
    expect(at.items).toMatchObject([{ item: "local-stdio", project: "/home/dev/demo", reason: "no-place" }]);
    const named = await tools.read(store("mcp-config"), context("/home/dev/demo"));
    expect(named?.servers.at(-1)).toMatchObject({
      name: "local-stdio",
      env: [
        { name: "KEY", value: "value" },
        { name: "FROM_ENV", value: "${SOME_VAR}" },
      ],
      _meta: { asp: { scope: "local", project: "/home/dev/demo" } },
    });
  });

  it("are in the file beside the default store, and inside one that the variable names", async () => {
    const of = (home: string, root: string, named?: string) =>
      globalState(root, diskSource, {
        ...environment,
        home,
        env: named === undefined ? {} : { CLAUDE_CONFIG_DIR: named },
      });
    expect(await of("/h", "/h/.claude")).toBe("/h/.claude.json");
    expect(await of("/h", "/h/.claude", "/h/.claude")).toBe("/h/.claude/.claude.json");
    expect(await of("/h", "/else/where")).toBe("/else/where/.claude.json");
    expect(await of("/h", fixture("project/config"))).toBe(fixture("project/config/.claude.json"));
  });
});

describe("memory", () => {
  it("is each note of a project, the index among them; the project is known from its sessions", async () => {
    const state = await memory.read(store("memory"), context());
    expect(state?.notes.map(({ path, kind, from }) => [path, kind, from.project])).toEqual([
      ["-home-dev-demo/MEMORY.md", "index", "/home/dev/demo"],
      ["-home-dev-demo/likes-tabs.md", undefined, "/home/dev/demo"],
    ]);
  });
});

it("a plugin that is switched on is named", async () => {
  const at = context();
  await skills.read(store("plugin"), at);
  expect(at.items).toMatchObject([{ item: "plugin kit@market", outcome: "left" }]);
});
