// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is tested
import type { Environment, McpServer } from "@asp-convert/core";
import { readMcpServer } from "@asp-convert/core/kinds";
import { describe, expect, it } from "vitest";
import { readServer, writeServer } from "./servers.js";

const user = { scope: "user" } as const;
const environment: Environment = {
  env: { HOME: "/home/dev", HIDDEN: "sk-1234567890abcdefghij" },
  home: "/home/dev",
  platform: "linux",
  cwd: "/",
};
const read = (value: object): McpServer => readServer("x", value, user) as McpServer;
const write = (server: McpServer) => writeServer(server, environment);
/** As another harness writes it. */
const portable = (value: object): McpServer => readMcpServer("x", value, user, "other") as McpServer;

describe("a table of config.toml", () => {
  it.each([
    { command: "node", args: ["a"], cwd: "/p", env_vars: ["TOKEN"], env: { A: "1" } },
    {
      url: "https://x/mcp",
      bearer_token_env_var: "T",
      http_headers: { H: "1" },
      env_http_headers: { S: "V" },
      scopes: ["read"],
    },
    {
      command: "x",
      enabled: false,
      startup_timeout_sec: 10,
      tool_timeout_sec: 1.5,
      enabled_tools: ["a"],
      disabled_tools: ["b"],
    },
    { command: "x", default_tools_approval_mode: "approve", tools: { add: { approval_mode: "prompt" } } },
    { url: "https://x", oauth: { client_id: "c", callback_port: 1 } },
    { command: "x", required: true, supports_parallel_tool_calls: true },
  ])("comes back as it was: %j", (table) => {
    expect(write(read(table))).toEqual({ entry: table, resolved: [], lost: [] });
  });
  it("has no references: what looks like one is text, in and out", () => {
    const table = { command: "x", args: ["${HOME}"], env: { A: "${B}" } };
    expect(read(table)._meta.asp.literal).toEqual(["args.0", "env.A"]);
    expect(write(read(table))).toMatchObject({ entry: table });
  });
  it("never gives a client's secret away", () => {
    expect(
      JSON.stringify(read({ url: "u", oauth: { client_id: "c", client_secret: "hush" } })),
    ).not.toContain("hush");
  });
  it("that is no server is none", () => {
    for (const value of [null, {}, "x", { command: 1 }]) expect(readServer("x", value, user)).toBeUndefined();
  });
});

describe("references of another harness", () => {
  it("become variables where Codex takes them", () => {
    expect(write(portable({ command: "x", args: [], env: { TOKEN: "${TOKEN}" } }))).toMatchObject({
      entry: { command: "x", env_vars: ["TOKEN"] },
    });
    expect(
      write(portable({ url: "u", headers: { Authorization: "Bearer ${T}", "X-Key": "${K}", P: "plain" } })),
    ).toMatchObject({
      entry: {
        url: "u",
        bearer_token_env_var: "T",
        env_http_headers: { "X-Key": "K" },
        http_headers: { P: "plain" },
      },
    });
  });
  it("are filled in where it takes none, and that is told", () => {
    expect(write(portable({ command: "${HOME}/bin/x", args: ["${NONE:-dflt}"] }))).toEqual({
      entry: { command: "/home/dev/bin/x", args: ["dflt"] },
      resolved: ["command", "args.0"],
      lost: [],
    });
  });
  it("are not filled in with a secret, nor guessed", () => {
    expect(write(portable({ command: "x", args: ["--key=${HIDDEN}"] }))).toMatchObject({
      impossible: expect.stringContaining("secret"),
    });
    expect(write(portable({ command: "x", args: [], env: { A: "${UNSET}" } }))).toMatchObject({
      impossible: expect.stringContaining("UNSET"),
    });
  });
});

it.each(["sse", "ws"])("there is no %s transport", (type) => {
  expect(write(portable({ type, url: "u" }))).toEqual({ impossible: `Codex has no ${type} transport` });
});

it("keys of another harness are told as lost", () => {
  expect(write(portable({ command: "x", args: [], alwaysLoad: true }))).toMatchObject({
    entry: { command: "x" },
    lost: ["alwaysLoad"],
  });
});
