// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is tested
import { describe, expect, it } from "vitest";
import type { McpServer } from "../state/tools.js";
import {
  commandLine,
  legalServerName,
  readMcpServer,
  sameServer,
  withoutSecrets,
  writeMcpServer,
} from "./mcp.js";
import { bearerReference, onlyReference, partsOf } from "./references.js";

const user = { scope: "user" } as const;
const read = (value: unknown, name = "x"): McpServer =>
  readMcpServer(name, value, user, "claude") as McpServer;

describe("an mcpServers entry", () => {
  it("of each transport goes in and out", () => {
    for (const value of [
      {
        type: "stdio",
        command: "node",
        args: ["a", "b"],
        env: { A: "${B:-c}" },
        timeout: 5000,
        alwaysLoad: true,
      },
      {
        type: "http",
        url: "https://x/mcp",
        headers: { H: "v" },
        oauth: { clientId: "c", callbackPort: 1, scopes: "a b" },
      },
      { type: "sse", url: "https://x/sse" },
      { type: "ws", url: "ws://x" },
    ]) {
      expect(writeMcpServer(read(value), "claude")).toEqual(value);
    }
  });
  it("keeps keys that only its harness knows for that harness", () => {
    const server = read({ command: "x", args: [], alwaysLoad: true });
    expect(writeMcpServer(server, "claude")).toMatchObject({ alwaysLoad: true });
    expect(writeMcpServer(server, "other")).not.toHaveProperty("alwaysLoad");
  });
  it("that is none is not taken for one", () => {
    for (const value of [null, "x", [], {}, { command: 1 }])
      expect(readMcpServer("x", value, user, "claude")).toBeUndefined();
  });
  it("is the same server whatever the options around it", () => {
    expect(
      sameServer(read({ command: "x", timeout: 1 }), read({ type: "stdio", command: "x", args: [] })),
    ).toBe(true);
    expect(sameServer(read({ url: "u", headers: { A: "1" } }), read({ url: "u", headers: { a: "1" } }))).toBe(
      true,
    );
    expect(sameServer(read({ command: "x" }), read({ command: "x", env: { A: "1" } }))).toBe(false);
  });
});

describe("secrets", () => {
  const hidden = (value: unknown) => withoutSecrets(read(value, "my server"));
  it("in env, headers, arguments and addresses become references, each told of", () => {
    expect(
      hidden({
        command: "x",
        args: ["--api-key=abc", "--token", "abc", "plain"],
        env: { TOKEN: "abc", MODE: "dev" },
      }),
    ).toMatchObject({
      args: ["--api-key=${MY_SERVER_API_KEY}", "--token", "${MY_SERVER_TOKEN}", "plain"],
      env: [
        { name: "TOKEN", value: "${TOKEN}" },
        { name: "MODE", value: "dev" },
      ],
      _meta: {
        asp: { secrets: [{ at: "args.0" }, { at: "args.2" }, { at: "env.TOKEN", variable: "TOKEN" }] },
      },
    });
    expect(
      hidden({
        url: "https://u:pw@h/?token=abc&x=1",
        headers: { Authorization: "Bearer abc", "X-Key": "abc", "X-Mode": "a" },
      }),
    ).toMatchObject({
      url: "https://u:${MY_SERVER_PASSWORD}@h/?token=${MY_SERVER_TOKEN}&x=1",
      headers: [
        { name: "Authorization", value: "Bearer ${MY_SERVER_TOKEN}" },
        { name: "X-Key", value: "${MY_SERVER_X_KEY}" },
        { name: "X-Mode", value: "a" },
      ],
    });
  });
  it("that are references already stay as they are", () => {
    const server = read({ command: "x", args: [], env: { TOKEN: "${OTHER}" } });
    expect(withoutSecrets(server)).toEqual(server);
  });
});

it("a command line shows what would run, but no value of a variable", () => {
  expect(commandLine(read({ command: "npx", args: ["-y", "a b", "x;rm -rf"], env: { TOKEN: "abc" } }))).toBe(
    'npx -y "a b" "x;rm -rf" (with TOKEN)',
  );
  expect(commandLine(read({ url: "https://u:p@h/x" }))).toBe("http https://…@h/x");
});

it("names become legal, and stay apart", () => {
  const legal = /^[A-Za-z0-9_-]+$/;
  expect(legalServerName("ok_1", legal, new Set())).toBe("ok_1");
  expect(legalServerName("@scope/pkg:1.2", legal, new Set())).toBe("scope-pkg-1-2");
  expect(legalServerName("a b", legal, new Set(["a-b"]))).toBe("a-b-2");
  expect(legalServerName("日本語", legal, new Set())).toBe("server");
});

it("references are told from text", () => {
  expect(partsOf("a${B}c${D:-e}")).toEqual(["a", { variable: "B" }, "c", { variable: "D", default: "e" }]);
  expect(onlyReference("${B}")).toEqual({ variable: "B" });
  expect(onlyReference("x${B}")).toBeUndefined();
  expect(bearerReference("Bearer ${T}")).toEqual({ variable: "T" });
  expect(partsOf("${1x} $B ${B")).toEqual(["${1x} $B ${B"]);
});
