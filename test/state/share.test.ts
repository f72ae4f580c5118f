/** For others to see: no secret anywhere in what is written, and what is written still works. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  bundle,
  type Converter,
  convert,
  diskSource,
  type Report,
  type SessionRef,
  stateKinds,
  verifyBundle,
} from "@asp-convert/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fixtures, harness, makeWorld, snapshot, type World } from "./world.js";

const SECRETS = [
  "ghp_0123456789abcdefABCDEF0123456789abcd",
  "hunter2secret",
  "sk-ant-api03-abcdefghijklmnopqrst",
  "AKIAIOSFODNN7EXAMPLE",
];

let world: World;
beforeEach(() => {
  world = makeWorld();
  cpSync(join(fixtures, "claude/tools/config"), world.path("claude"), { recursive: true });
  // Into what the person said, what a tool was asked and gave back, and what nobody reads.
  for (const folder of readdirSync(world.path("claude/projects"))) {
    for (const name of readdirSync(world.path("claude/projects", folder)).filter((file) =>
      file.endsWith(".jsonl"),
    )) {
      const path = world.path("claude/projects", folder, name);
      const lines = readFileSync(path, "utf8")
        .split("\n")
        .map((line) => {
          const said = line.includes('"tool_use_id"')
            ? `it printed ${SECRETS[3]} `
            : `my key is ${SECRETS[2]} `;
          if (line.includes('"type":"user"')) return line.replace('"content":"', `"content":"${said}`);
          return line.replace('"command":"', `"command":"DB_PASSWORD=${SECRETS[1]} `);
        });
      writeFileSync(path, lines.join("\n"));
    }
  }
  put("claude/CLAUDE.md", `Use the token ${SECRETS[0]}.\n`);
  put("claude/skills/s/SKILL.md", `---\nname: s\ndescription: d\n---\nexport GITHUB_TOKEN=${SECRETS[0]}\n`);
  put(
    "claude/.claude.json",
    JSON.stringify({
      mcpServers: { m: { command: "x", args: ["--token", SECRETS[0]], env: { T_TOKEN: SECRETS[0] } } },
    }),
  );
});
afterEach(() => world.remove());

function put(name: string, content: string): void {
  mkdirSync(dirname(world.path(name)), { recursive: true });
  writeFileSync(world.path(name), content);
}

async function shared(
  from: Converter,
  root: string,
  to: Converter,
  out: string,
  share = true,
): Promise<Report> {
  const store = await from.open(world.path(root), diskSource, world.environment);
  const refs: SessionRef[] = [];
  for await (const ref of from.sessions.list(store, { source: diskSource, environment: world.environment }))
    refs.push(ref);
  return convert({
    from,
    store,
    refs,
    to,
    root: world.path(out),
    environment: world.environment,
    source: diskSource,
    installed: false,
    ...(share && { share }),
    state: {
      kinds: stateKinds,
      user: true,
      projects: [],
      projectFolder: () => undefined,
      followLinks: false,
      allowTools: true,
      includeSecrets: false,
      dropRestrictions: false,
    },
  });
}

const found = (folder: string): string[] => {
  const text = [...snapshot(world.path(folder)).values()].join("\n");
  return SECRETS.filter((secret) => text.includes(secret));
};

describe.each([
  ["a bundle", bundle],
  ["Codex", harness.codex],
  ["Claude Code", harness.claude],
])("shared as %s", (_, to) => {
  test("holds no secret, and says how many it held", async () => {
    expect(found("claude")).toEqual(SECRETS);
    const report = await shared(harness.claude, "claude", to, "out");
    expect(found("out")).toEqual([]);
    expect(report.redacted).toMatchObject({
      "anthropic-key": expect.any(Number),
      "named-secret": expect.any(Number),
    });
    expect(report.items.find(({ item }) => item === "s")).toMatchObject({
      outcome: "left",
      reason: "secret",
    });
    expect(report.losses.map(({ axis, reason }) => `${axis} ${reason}`)).toEqual(
      expect.arrayContaining(["messages redacted", "opaque-reasoning not-shared", "tool-details not-shared"]),
    );
  });
});

test("a shared bundle is whole, and its sessions go into both programs", async () => {
  await shared(harness.claude, "claude", bundle, "out.asp");
  expect((await verifyBundle(world.path("out.asp"), diskSource)).problems).toEqual([]);
  for (const to of [harness.codex, harness.claude]) {
    const report = await shared(bundle, "out.asp", to, `back-${to.id}`, false);
    expect(report.sessions).toMatchObject([{ how: "written", outcome: "created" }]);
    expect(report.sessions[0]?.messages).toBeGreaterThan(2);
    expect([...snapshot(world.path(`back-${to.id}`)).values()].join("\n")).toContain(
      "[redacted:anthropic-key:",
    );
  }
});
