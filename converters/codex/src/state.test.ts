/** What is read of the captured stores that hold every kind. */
import { join } from "node:path";
import { diskSource, type Environment, type KindContext } from "@asp-convert/core";
import { describe, expect, it } from "vitest";
import { instructions } from "./instructions.js";
import { memory } from "./memory.js";
import { settings } from "./settings.js";
import { skills } from "./skills.js";
import { tools } from "./tools.js";

const fixture = (...path: string[]): string => join(import.meta.dirname, "../../../fixtures/codex", ...path);
const store = { harness: "codex", root: fixture("config/codex-home") };
const project = fixture("config/project");
const environment: Environment = { env: {}, home: fixture("config/user-home"), platform: "linux", cwd: "/" };
const context = (): KindContext => ({
  source: diskSource,
  environment,
  losses: [],
  items: [],
  user: true,
  projects: [project],
  followLinks: false,
});

describe("the captured store with every kind", () => {
  it("gives the instructions that Codex reads, and names those it does not", async () => {
    const at = context();
    const state = await instructions.read(store, at);
    expect(state?.files.map(({ scope, path, source, text }) => [scope, path, source, text.trim()])).toEqual([
      ["user", "", "AGENTS.md", "GLOBAL AGENTS FILE"],
      ["user", "", "config.toml#developer_instructions", "DEVELOPER INSTRUCTIONS FROM CONFIG"],
      ["project", "", "AGENTS.md", "PROJECT AGENTS FILE"],
      ["project", "sub", "sub/AGENTS.override.md", "SUB OVERRIDE FILE"],
      ["project", "sub/deeper", "sub/deeper/CLAUDE.md", "FALLBACK FILE"],
    ]);
    expect(at.items).toMatchObject([{ item: "sub/AGENTS.md", outcome: "left", reason: "superseded" }]);
  });

  it("gives skills of every place with what Codex forbids them, and the roles", async () => {
    const state = await skills.read(store, context());
    expect(
      state?.skills.map(({ name, scope, restrictions }) => [
        name,
        scope,
        ...restrictions.map(({ key }) => key),
      ]),
    ).toEqual([
      ["home-skill", "user"],
      ["user-skill", "user"],
      ["explicit-only", "project", "disable-model-invocation"],
      ["no-frontmatter", "project"],
      ["project-skill", "project"],
      ["switched-off", "project", "enabled"],
      ["codex-dir-skill", "project"],
    ]);
    expect(state?.definitions.map(({ of, name, description }) => [of, name, description])).toEqual([
      ["agent", "helper", "Helps."],
      ["agent", "reviewer", "Reviews code."],
    ]);
  });

  it("gives the servers with their options, and the hooks", async () => {
    const state = await tools.read(store, context());
    expect(state?.servers.map(({ name, _meta }) => [name, _meta.asp.scope, _meta.asp.enabled])).toEqual([
      ["local", "user", true],
      ["remote", "user", false],
      ["project_server", "project", false],
    ]);
    expect(state?.servers[0]?._meta.asp).toMatchObject({
      cwd: "/home/dev/demo",
      startupTimeoutMs: 10_000,
      callTimeoutMs: 60_000,
      enabledTools: ["echo", "add"],
      disabledTools: ["broken"],
      approval: "approve",
      toolApproval: { add: "prompt" },
      native: { harness: "codex", value: { required: false } },
    });
    expect(state?.hooks.map(({ event, matcher, command }) => [event, matcher, command])).toEqual([
      ["UserPromptSubmit", undefined, "echo HOME HOOK TEXT"],
      ["SessionStart", "startup", "echo PROJECT HOOK TEXT"],
    ]);
  });

  it("gives settings in everybody's words, rules about commands, and names the rest", async () => {
    const at = context();
    const state = await settings.read(store, at);
    expect(
      state?.options.filter(({ category }) => category).map(({ id, value, means }) => [id, value, means]),
    ).toEqual([
      ["model", "gpt-5.5", undefined],
      ["mode", "never, danger-full-access", "full"],
      ["reasoning_effort", "high", "high"],
    ]);
    expect(state?.permissions?.map(({ effect, command }) => [effect, command])).toEqual([
      ["deny", ["rm", "-rf"]],
      ["allow", ["git", "status"]],
    ]);
    expect(at.items.map(({ item }) => item)).toEqual(
      expect.arrayContaining(["model_providers", "analytics", "profile work"]),
    );
  });
});

describe("memory", () => {
  const read = (name: string) => {
    const at = context();
    return memory
      .read({ harness: "codex", root: fixture(name, "codex-home") }, at)
      .then((state) => ({ state, at }));
  };
  it("is what Codex or a person wrote, not what it generates anew", async () => {
    const { state, at } = await read("memories");
    expect(state?.notes.map(({ path, kind }) => [path, kind])).toEqual([
      ["memories/MEMORY.md", undefined],
      ["memories/memory_summary.md", "index"],
    ]);
    expect(at.losses).toMatchObject([{ reason: "generated", count: 3 }]);
  });
  it("that Codex itself took over from Claude Code is Claude Code's, of its project", async () => {
    const { state } = await read("imported");
    expect(state?.notes.map(({ from, kind }) => [from.harness, from.project, from.path, kind])).toEqual([
      ["claude", "/home/dev/demo", "projects/-home-dev-demo/memory/MEMORY.md", "index"],
      ["claude", "/home/dev/demo", "projects/-home-dev-demo/memory/style.md", undefined],
    ]);
  });
});
