import { describe, expect, it } from "vitest";
import type { KindTarget } from "../converter/kinds.js";
import type { McpServer, ToolOptions } from "../state/tools.js";
import { jsonEditor } from "./edit/json.js";
import { readMcpServer, writeMcpServer } from "./mcp.js";
import { ServerWriter } from "./server-writer.js";

const json = await jsonEditor();

function server(name: string, value: object, asp: Partial<ToolOptions> = {}): McpServer {
  const read = readMcpServer(name, value, { scope: "user" }, "other") as McpServer;
  return { ...read, _meta: { asp: { ...read._meta.asp, ...asp } } };
}

/** A program that keeps its servers as JSON in `/home/servers` and `<project>/servers`. */
function world(files: Record<string, string> = {}, target: Partial<KindTarget> = {}) {
  const to = {
    allowTools: true,
    includeSecrets: true,
    losses: [],
    projectFolder: (project: string) => (project === "/lost" ? undefined : project),
    ...target,
  } as unknown as KindTarget;
  const writer = new ServerWriter(
    {
      legalName: /^[a-z]+$/,
      fileOf: (project) => `${project ?? "/home"}/servers`,
      entriesIn: async (file) => json.parse(files[file]),
      read: (name, entry) => readMcpServer(name, entry, { scope: "user" }, "it"),
      write: (one) =>
        "command" in one && one.command === "no"
          ? { impossible: "it cannot" }
          : {
              entry: writeMcpServer(one, "it"),
              lost: "command" in one && one.command === "part" ? ["cwd"] : [],
            },
      edits: (name, { entry }) => [
        { edit: (before) => json.set(before, [name], entry as Record<string, string>), what: name },
      ],
    },
    to,
  );
  const text = (file: string): string | undefined =>
    writer.actions
      .filter(({ path }) => path === file)
      .reduce<string | undefined>((before, { edit }) => edit(before), files[file]);
  return { writer, text, losses: to.losses };
}

describe("a server", () => {
  it("is written into the person's file, for the person alone", async () => {
    const { writer, text } = world();
    expect(await writer.server(server("a", { command: "x" }))).toMatchObject({ outcome: "written" });
    expect(json.parse(text("/home/servers"))).toMatchObject({ a: { command: "x" } });
    expect(writer.actions[0]?.mode).toBe(0o600);
  });
  it("is there already, under its own name or another that it had to take", async () => {
    const files = { "/home/servers": '{"a": {"command": "x"}, "my-one": {"command": "y"}}' };
    const { writer } = world(files);
    expect(await writer.server(server("a", { command: "x" }))).toMatchObject({ outcome: "present" });
    expect(await writer.server(server("My one", { command: "y" }))).toMatchObject({ outcome: "present" });
    expect(writer.actions).toEqual([]);
  });
  it("does not take the place of another of its name, be it a server or not, be it only planned", async () => {
    const { writer } = world({ "/home/servers": '{"a": {"command": "x"}, "b": 7}' });
    expect(await writer.server(server("a", { command: "z" }))).toMatchObject({ reason: "exists" });
    expect(await writer.server(server("b", { command: "z" }))).toMatchObject({ reason: "exists" });
    await writer.server(server("c", { command: "1" }));
    expect(await writer.server(server("c", { command: "2" }))).toMatchObject({ reason: "exists" });
    expect(await writer.server(server("c", { command: "1" }))).toMatchObject({ outcome: "present" });
  });
  it("gets a legal name, and says so", async () => {
    const { writer, text } = world();
    const item = await writer.server(server("Über 1", { command: "x" }));
    expect(item).toMatchObject({ outcome: "changed", reason: "id-not-legal" });
    expect(Object.keys(json.parse(text("/home/servers")) as object)).toHaveLength(1);
  });
});

describe("no server goes over", () => {
  it.each(["__proto__", "constructor"])("with the name %s", async (name) => {
    expect(await world().writer.server(server(name, { command: "x" }))).toMatchObject({ reason: "unsafe" });
  });
  it("without consent: the command is named", async () => {
    const { writer } = world({}, { allowTools: false });
    expect(await writer.server(server("a", { command: "rm", args: ["-rf"] }))).toMatchObject({
      reason: "consent-needed",
      note: expect.stringContaining("rm -rf"),
    });
    expect(writer.actions).toEqual([]);
  });
  it("where its project has no place, the file cannot be read, or the program cannot have it", async () => {
    const { writer } = world({ "/home/servers": "{" });
    const lost = server("a", { command: "x" }, { scope: "project", project: "/lost" });
    expect(await writer.server(lost)).toMatchObject({ reason: "no-place" });
    expect(await writer.server(server("a", { command: "x" }))).toMatchObject({ reason: "invalid-form" });
    const here = server("a", { command: "no" }, { scope: "project", project: "/p" });
    expect(await writer.server(here)).toMatchObject({ reason: "not-supported", note: "it cannot" });
  });
  it("is no way to hide a fault of ours", async () => {
    const broken = world();
    const writer = new ServerWriter(
      {
        legalName: /./,
        fileOf: () => "/f",
        entriesIn: async () => {
          throw new TypeError("ours");
        },
        read: () => undefined,
        write: () => ({ impossible: "" }),
        edits: () => [],
      },
      { ...broken, projectFolder: () => undefined } as unknown as KindTarget,
    );
    await expect(writer.server(server("a", { command: "x" }))).rejects.toThrow(TypeError);
  });
});

describe("a secret", () => {
  const value = { command: "x", env: { API_TOKEN: "sk-abcdefghijklmnopqrstuvwxyz0123456789" } };
  it("goes along into the person's own file where that was asked for", async () => {
    const { writer, text } = world();
    await writer.server(server("a", value));
    expect(text("/home/servers")).toContain("sk-abc");
  });
  it.each([
    ["where it was not", { scope: "user" }, false],
    ["into a file of a project that was private before", { scope: "local", project: "/p" }, true],
  ] as const)("becomes a reference %s", async (_, asp, includeSecrets) => {
    const { writer, text, losses } = world({}, { includeSecrets });
    const item = await writer.server(server("a", value, asp));
    expect(item).toMatchObject({ outcome: "changed", reason: "secret", note: "set API_TOKEN" });
    const written = text(asp.scope === "user" ? "/home/servers" : "/p/servers");
    expect(written).toContain("API_TOKEN");
    expect(written).not.toContain("sk-abc");
    expect(losses.some(({ reason }) => reason === "scope-changed")).toBe(asp.scope === "local");
  });
});

it("tells what there is no word for", async () => {
  expect(await world().writer.server(server("a", { command: "part" }))).toMatchObject({
    outcome: "changed",
    reason: "no-equal",
    note: "cwd",
  });
});
