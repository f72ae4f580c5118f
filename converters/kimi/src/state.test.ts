/** What is read of the captured stores beside sessions, and what a server and an option become. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is converted
import { join } from "node:path";
import {
  diskSource,
  type Environment,
  type KindContext,
  type KindTarget,
  type McpServer,
  memorySource,
  type Setting,
} from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { instructions } from "./instructions.js";
import { readServer, writeServer } from "./servers.js";
import { settings } from "./settings.js";
import { skills } from "./skills.js";
import { tools } from "./tools.js";

const fixture = join(import.meta.dirname, "../../../fixtures/kimi/long-chat");
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
const store = { harness: "kimi", root: join(home, ".kimi-code") };

describe("the captured store", () => {
  test("gives the instructions of every place", async () => {
    const state = await instructions.read(store, context());
    expect(
      state?.files.map(({ scope, path, source, text }) => [
        scope,
        path,
        source,
        text.trim().split("\n").at(-1),
      ]),
    ).toEqual([
      ["user", "", "AGENTS.md", "MARK-GLOBAL-AGENTS-MD: be brief."],
      ["user", "", ".agents/AGENTS.md", "MARK-GLOBAL-DOT-AGENTS."],
      ["project", "", ".kimi-code/AGENTS.md", "MARK-DOT-KIMI-AGENTS-MD."],
      ["project", "", "AGENTS.md", "MARK-AGENTS-MD: use tabs."],
      ["project", "sub", "sub/AGENTS.md", "MARK-SUB-AGENTS-MD."],
    ]);
  });

  test("gives the skills of every place, and the subagents", async () => {
    const state = await skills.read(store, context());
    expect(state?.skills.map(({ name, scope }) => [scope, name])).toEqual([
      ["user", "global-skill"],
      ["project", "release-notes"],
      ["project", "shared-skill"],
    ]);
    expect(state?.definitions).toMatchObject([{ of: "agent", name: "reviewer", scope: "project" }]);
  });

  test("gives the servers with their options", async () => {
    expect((await tools.read(store, context()))?.servers).toMatchObject([
      { name: "lab", command: "node", _meta: { asp: { startupTimeoutMs: 20_000 } } },
      { name: "web", type: "http", _meta: { asp: { enabled: false, disabledTools: ["noisy"] } } },
    ]);
  });
});

describe("a server", () => {
  const place = { scope: "user" } as const;
  const server = (value: object): McpServer => {
    const found = readServer("s", value, place);
    if ("invalid" in found) throw new Error(found.invalid);
    return found.server;
  };

  test.each([
    ["no object", 5],
    ["neither a command nor an address", { env: {} }],
    ["neither a command nor an address", { transport: "ws", url: "wss://x" }],
  ])("is none: %s", (invalid, value) => expect(readServer("s", value, place)).toEqual({ invalid }));

  test.each([
    [{ command: "c", args: ["a"], env: { A: "1" }, cwd: "/x", executor: "local" }],
    [{ url: "https://x", headers: { A: "1" }, bearerTokenEnvVar: "TOKEN", toolTimeoutMs: 5 }],
    [{ transport: "sse", url: "https://x", auth: "oauth", enabledTools: ["t"], enabled: false }],
  ])("comes home as it was: %j", (value) => {
    expect(writeServer(server(value))).toEqual({ entry: value, lost: [] });
  });

  test("has nothing in it that is a reference, but a token, and what is passed on by its name", () => {
    expect(server({ command: "c", env: { A: "${B}" } })._meta.asp.literal).toEqual(["env.A"]);
    const asp = { scope: "user" } as const;
    const stdio: McpServer = {
      name: "s",
      command: "c",
      args: ["${ROOT}"],
      env: [
        { name: "SAME", value: "${SAME}" },
        { name: "OTHER", value: "${SAME}" },
      ],
      _meta: { asp },
    };
    expect(writeServer(stdio)).toEqual({
      entry: { command: "c", args: ["${ROOT}"], env: { OTHER: "${SAME}" } },
      lost: [
        "${…} in args.0, which Kimi Code takes as it is",
        "${…} in env.OTHER, which Kimi Code takes as it is",
      ],
    });
    const headers = [{ name: "Authorization", value: "Bearer ${KEY}" }];
    expect(writeServer({ type: "http", name: "s", url: "https://x", headers, _meta: { asp } })).toEqual({
      entry: { url: "https://x", bearerTokenEnvVar: "KEY" },
      lost: [],
    });
    expect(writeServer({ type: "ws", name: "s", url: "wss://x", headers: [], _meta: { asp } })).toEqual({
      impossible: "Kimi Code speaks no ws",
    });
  });
});

describe("options", () => {
  const root = "/home/dev/.kimi-code";
  const reading = (text: string): KindContext => ({
    ...context(),
    source: memorySource({ [`${root}/config.toml`]: text }),
    projects: [],
  });
  const target = (text = ""): KindTarget =>
    ({ ...reading(text), root, projectFolder: () => undefined }) as unknown as KindTarget;

  test("are read by everybody's words, and no key of a provider is", async () => {
    const at = reading(
      'default_model = "k3"\ndefault_permission_mode = "yolo"\ntelemetry = false\n[thinking]\neffort = "high"\n' +
        '[providers.p]\ntype = "openai"\napi_key = "sk-secret"\n[permission]\nrules = []\n',
    );
    const state = await settings.read({ harness: "kimi", root }, at);
    expect(state?.options.map(({ id, value, means }) => [id, value, means])).toEqual([
      ["model", "k3", undefined],
      ["mode", "yolo", "auto"],
      ["thought_level", "high", "high"],
      ["telemetry", false, undefined],
    ]);
    expect(at.items).toMatchObject([{ item: "permission.rules", reason: "no-counterpart" }]);
    expect(JSON.stringify([state, at.items])).not.toContain("sk-secret");
  });

  const write = async (setting: Partial<Setting>, harness = "claude", text = "") => {
    const option = { scope: "user", value: "x", id: "x", ...setting } as Setting;
    const { actions, items } = await settings.write({ harness, options: [option] }, target(text));
    let after = text;
    for (const action of actions) if (action.do === "edit") after = String(action.edit(after));
    return { after, item: items[0] };
  };

  test.each([
    [
      "a mode, never a wider one",
      { id: "mode", category: "mode", means: "edit" },
      'default_permission_mode = "manual"\n',
      "changed",
    ],
    [
      "the mode that has a switch of its own",
      { id: "mode", category: "mode", means: "plan" },
      /default_plan_mode = true/,
      "written",
    ],
    [
      "how hard it thinks",
      { id: "t", category: "thought_level", means: "max" },
      /effort = "high"/,
      "changed",
    ],
    [
      "that it does not think",
      { id: "t", category: "thought_level", means: "none" },
      /enabled = false/,
      "written",
    ],
    [
      "no mode that would do more",
      { id: "mode", category: "mode", means: "deny" },
      /default_plan_mode/,
      "changed",
    ],
    ["no model of another program's", { id: "model", category: "model" }, "", "left"],
  ] as const)("write %s", async (_, setting, text, outcome) => {
    const { after, item } = await write(setting);
    if (typeof text === "string") expect(after).toBe(text);
    else expect(after).toMatch(text);
    expect(item?.outcome).toBe(outcome);
  });

  test("leave what a person has, and a file that is none", async () => {
    const mode = { id: "mode", category: "mode", means: "ask" } as const;
    expect((await write(mode, "claude", 'default_permission_mode = "auto"\n')).item).toMatchObject({
      reason: "exists",
    });
    expect((await write(mode, "claude", "= no toml")).item).toMatchObject({ reason: "invalid-form" });
    expect((await write({ id: "telemetry", value: false }, "kimi")).after).toBe("telemetry = false\n");
  });
});
