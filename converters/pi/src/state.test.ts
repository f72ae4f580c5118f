/** What is read of the captured stores that hold every kind. */
import { join } from "node:path";
import { diskSource, type Environment, type KindContext } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import pi from "./index.js";
import { instructions } from "./instructions.js";
import { readServer, writeServer } from "./servers.js";
import { settings } from "./settings.js";
import { skills } from "./skills.js";
import { tools } from "./tools.js";

const fixture = (...path: string[]): string => join(import.meta.dirname, "../../../fixtures/pi", ...path);
const project = fixture("settings/demo");
const context = (name = "settings"): KindContext => ({
  source: diskSource,
  environment: { env: {}, home: fixture(name, "home"), platform: "linux", cwd: "/" } satisfies Environment,
  losses: [],
  items: [],
  user: true,
  projects: [fixture(name, "demo")],
  followLinks: false,
});
const store = (name = "settings") => ({ harness: "pi", root: fixture(name, "home/.pi/agent") });

describe("the captured store with every kind", () => {
  test("gives the instructions that Pi reads, and names those it does not", async () => {
    const at = context();
    const state = await instructions.read(store(), at);
    expect(
      state?.files.map(({ scope, project: of, source, text }) => [
        scope,
        of,
        source,
        text.trim().split("\n").at(-1),
      ]),
    ).toEqual([
      ["user", undefined, "AGENTS.md", "GLOBAL-AGENTS-MARKER: use metric units."],
      ["user", undefined, "APPEND_SYSTEM.md", "GLOBAL-APPEND-MARKER"],
      ["project", project, "AGENTS.md", "PROJECT-AGENTS-MARKER: answer tersely."],
      ["project", project, ".pi/APPEND_SYSTEM.md", "PROJECT-APPEND-MARKER"],
    ]);
    expect(at.items).toMatchObject([
      { item: "CLAUDE.md", scope: "user", reason: "superseded" },
      { item: "CLAUDE.md", scope: "project", reason: "superseded" },
    ]);
  });

  test("gives the skills of every place, Claude's own not, and the prompts", async () => {
    const state = await skills.read(store(), context());
    expect(state?.skills.map(({ name, scope }) => [scope, name])).toEqual([
      ["user", "global-skill"],
      ["user", "agents-home-skill"],
      ["project", "greet"],
      ["project", "agents-project-skill"],
    ]);
    expect(state?.definitions.map(({ of, name, scope, options }) => [of, scope, name, options])).toEqual([
      ["command", "user", "hello", { "argument-hint": "<who>" }],
      ["command", "project", "review", {}],
    ]);
  });

  test("gives the servers with their options; that a project switches one is told", async () => {
    const at = context();
    expect((await tools.read(store(), at))?.servers).toMatchObject([
      { name: "off", command: "true", _meta: { asp: { enabled: false } } },
    ]);
    expect(at.items).toMatchObject([{ item: "off", scope: "project", reason: "no-counterpart" }]);
    expect((await tools.read(store("mcp"), context("mcp")))?.servers).toMatchObject([
      {
        name: "lab",
        env: [{ name: "LAB_TOKEN" }],
        _meta: {
          asp: { callTimeoutMs: 20_000, native: { value: { description: "Echoes", exposure: "direct" } } },
        },
      },
      { name: "indirect", _meta: { asp: { native: { harness: "pi", value: {} } } } },
      { type: "http", name: "off", _meta: { asp: { enabled: false } } },
    ]);
  });

  test("gives the settings, and names what has no plain value", async () => {
    const at = context();
    const state = await settings.read(store(), at);
    expect(state?.options.map(({ id, value, means }) => [id, value, means])).toEqual([
      ["model", "mock/mock-1", undefined],
      ["thought_level", "medium", "medium"],
      ["enableInstallTelemetry", false, undefined],
      ["cacheWarming", "off", undefined],
      ["retry.enabled", false, undefined],
      ["theme", "mine", undefined],
      ["defaultProjectTrust", "always", undefined],
      ["compaction.keepRecentTokens", 15000, undefined],
    ]);
    expect(at.items.map(({ item }) => item)).toEqual(["modelThinkingLevels", "enabledModels"]);
  });

  test("holds no memory, and says so", () => {
    expect(pi.memory).toEqual({ absent: "Pi keeps no memory" });
  });
});

describe("a server", () => {
  const place = { scope: "user" } as const;
  test.each([
    ["what is no object", 5, "no object"],
    ["neither command nor address", { env: {} }, "neither a command nor an address"],
    ["a transport that Pi refuses", { type: "sse", url: "https://x" }, "Pi itself refuses the type sse"],
  ])("is none: %s", (_, value, invalid) => {
    expect(readServer("s", value, place)).toEqual({ invalid });
  });

  test("parts that would run something, or are a secret of Pi's, go nowhere else", () => {
    const read = readServer(
      "s",
      {
        url: "https://x/mcp",
        headers: { A: "!cat key", B: "b" },
        auth: { provider: "anthropic" },
        oauth: { clientId: "c", clientSecret: "s", callbackUrl: "http://localhost/callback" },
      },
      place,
    );
    expect(read).toMatchObject({
      left: expect.arrayContaining(["headers.A is what a command prints", "auth", "oauth.clientSecret"]),
      server: { headers: [{ name: "B", value: "b" }] },
    });
    expect(JSON.stringify(read)).not.toContain("cat key");
    expect(JSON.stringify(read)).not.toContain('"s"}');
  });

  test("what Pi has nothing like is named", () => {
    const written = writeServer({
      name: "s",
      command: "x",
      args: [],
      env: [],
      _meta: {
        asp: {
          scope: "user",
          startupTimeoutMs: 1,
          approval: "prompt",
          native: { harness: "claude", value: { headersHelper: "y" } },
        },
      },
    });
    expect(written).toMatchObject({ lost: ["startupTimeoutMs", "approval", "headersHelper"] });
    expect(
      writeServer({ type: "ws", name: "s", url: "wss://x", headers: [], _meta: { asp: place } }),
    ).toEqual({
      impossible: "Pi speaks no ws",
    });
  });
});
