/**
 * OpenCode and Kilo: a home with a project goes to each of the others and back. Every item has an outcome, a second
 * run changes nothing, undo leaves the target as before, and what the target cannot hold is named.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is converted
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Report, undo } from "@asp-convert/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lines, type Move, makeWorld, move, snapshot, type World } from "./world.js";

let world: World;
let app: string;
beforeEach(() => {
  world = makeWorld();
  mkdirSync(world.path("app"));
  app = realpathSync(world.path("app"));
});
afterEach(() => world.remove());

function put(files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = world.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`);
  }
}
const text = (name: string): string | undefined => snapshot(world.home).get(name)?.replace(/^\d+ /, "");
const json = (name: string): unknown => JSON.parse(readFileSync(world.path(name), "utf8"));
const left = ({ items }: Report) => lines(items.filter(({ outcome }) => outcome === "left"));

const CONFIG = ".config/opencode/opencode.json";
const STORE = ".local/share/opencode";
/** Between places in the world, with the project. */
const go = (from: Move["from"], store: string, to: Move["to"], root: string, state?: Move["state"]) =>
  move(world, {
    ...{ from, store: world.path(store), to, root: world.path(root), projects: [app] },
    ...(state && { state }),
  });

describe("Claude Code → OpenCode", () => {
  beforeEach(() =>
    put({
      "claude/CLAUDE.md": "USER TEXT\n",
      "claude/rules/style.md": "RULE TEXT\n",
      "claude/settings.json": {
        effortLevel: "low",
        model: "opus",
        permissions: { deny: ["Bash(rm:*)"], allow: ["Bash(ls:*)"], defaultMode: "plan" },
        env: { A: "1" },
        hooks: { Stop: [{ hooks: [{ type: "command", command: "echo" }] }] },
      },
      "claude/skills/one/SKILL.md": "---\nname: one\ndescription: One.\n---\nBODY\n",
      "claude/skills/held/SKILL.md": "---\nname: held\ndescription: H.\nallowed-tools: Read\n---\nBODY\n",
      "claude/commands/git/say.md": "---\ndescription: Say\n---\nSay $ARGUMENTS, $1.\n",
      "claude/commands/run.md": "Now !`ls`.\n",
      "claude/agents/helper.md": "---\nname: helper\ndescription: Helps.\nmodel: opus\n---\nHelp.\n",
      "claude/agents/narrow.md": "---\nname: narrow\ndescription: Reads.\ntools: Read\n---\nRead.\n",
      "claude/.claude.json": {
        mcpServers: {
          "my demo": {
            command: "${HOME}/bin/demo",
            args: ["--root", "${ROOT}"],
            env: { TOKEN: "${TOKEN}", MODE: "${MODE:-fast}", PRICE: "5$" },
            timeout: 20000,
          },
          web: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer ${KEY}" } },
          old: { type: "sse", url: "https://example.com/sse" },
          raw: { type: "ws", url: "wss://example.com/ws" },
        },
      },
      "app/CLAUDE.md": "PROJECT TEXT\n",
    }),
  );

  test("every item has an outcome, and what is left has a reason", async () => {
    const report = await go("claude", "claude", "opencode", "oc");
    expect(left(report)).toEqual([
      "skills | user | held | left | restriction-lost",
      "skills | user | narrow | left | restriction-lost",
      "tools | user | raw | left | not-supported",
      "tools | user | at Stop: echo | left | no-counterpart",
      "settings | user | model | left | no-equal",
      "settings | user | effort | left | no-counterpart",
      "settings | user | env.A | left | no-counterpart",
      "settings | user | allow Bash(ls:*) | left | would-widen",
    ]);
  });

  test("texts, skills, commands and agents are where OpenCode reads them", async () => {
    await go("claude", "claude", "opencode", "oc");
    expect(text("oc/config/AGENTS.md")).toContain("USER TEXT\n");
    expect(text("oc/config/AGENTS.md")).toContain("RULE TEXT\n");
    expect(text("app/AGENTS.md")).toBeUndefined(); // it reads CLAUDE.md itself
    expect(text("oc/config/skills/one/SKILL.md")).toContain("BODY");
    expect(text("oc/config/commands/git/say.md")).toBe(
      '---\ndescription: "Say"\n---\n\nSay $ARGUMENTS, $1.\n',
    );
    expect(text("oc/config/agents/helper.md")).toBe(
      '---\ndescription: "Helps."\nmode: "subagent"\n---\n\nHelp.\n',
    );
  });

  test("a rule of the project does not hide the CLAUDE.md that OpenCode reads there", async () => {
    put({ "app/.claude/rules/more.md": "MORE\n" });
    await go("claude", "claude", "opencode", "oc");
    expect(text("app/AGENTS.md")).toBeUndefined();
    expect(text("app/CLAUDE.md")).toContain("PROJECT TEXT\n");
    expect(text("app/CLAUDE.md")).toContain("MORE\n");
  });

  test("servers, rules and the mode are in the config", async () => {
    const { items } = await go("claude", "claude", "opencode", "oc");
    expect(json("oc/config/opencode.json")).toEqual({
      mcp: {
        "my-demo": {
          type: "local",
          command: ["{env:HOME}/bin/demo", "--root", "{env:ROOT}"],
          environment: { TOKEN: "{env:TOKEN}", MODE: "{env:MODE}", PRICE: "5$" },
          timeout: 20000,
        },
        web: {
          type: "remote",
          url: "https://example.com/mcp",
          headers: { Authorization: "Bearer {env:KEY}" },
        },
        old: { type: "remote", url: "https://example.com/sse" },
      },
      default_agent: "plan",
      permission: { bash: { "rm *": "deny" } },
    });
    expect(items.find(({ item }) => item === "my demo")).toMatchObject({ outcome: "changed" });
  });

  test("without consent no server goes over, and nothing that runs", async () => {
    const report = await go("claude", "claude", "opencode", "oc", { allowTools: false });
    expect(left(report).filter((line) => line.endsWith("consent-needed"))).toEqual([
      "skills | user | /run | left | consent-needed",
      "tools | user | my demo | left | consent-needed",
      "tools | user | web | left | consent-needed",
      "tools | user | old | left | consent-needed",
    ]);
    expect(json("oc/config/opencode.json")).toEqual({
      default_agent: "plan",
      permission: { bash: { "rm *": "deny" } },
    });
  });

  test("a second run changes nothing, and undo leaves all as it was", async () => {
    put({
      "oc/config/opencode.jsonc": '{\n  // mine\n  "theme": "dark",\n}\n',
      "oc/config/AGENTS.md": "MINE\n",
    });
    const now = () => [snapshot(world.path("oc")), snapshot(app)];
    const before = now();
    const { receipt } = await go("claude", "claude", "opencode", "oc");
    const after = now();
    expect(text("oc/config/opencode.jsonc")).toContain("// mine");
    expect(text("oc/config/opencode.jsonc")).toContain("{env:TOKEN}");
    expect(text("oc/config/AGENTS.md")).toContain("MINE\n");
    expect((await go("claude", "claude", "opencode", "oc")).receipt).toBeUndefined();
    expect(now()).toEqual(after);
    await undo(receipt, world.environment);
    expect(now()).toEqual(before);
  });

  test("back in an empty home what went is there again", async () => {
    await go("claude", "claude", "opencode", "oc");
    const back = await go("opencode", "oc", "claude", "new");
    expect(text("new/CLAUDE.md")).toContain("USER TEXT\n");
    expect(text("new/rules/style.md")).toBe("RULE TEXT\n");
    expect(text("new/skills/one/SKILL.md")).toBe(text("claude/skills/one/SKILL.md"));
    expect(text("new/commands/git/say.md")).toBe('---\ndescription: "Say"\n---\n\nSay $ARGUMENTS, $1.\n');
    expect(json("new/.claude.json")).toMatchObject({
      mcpServers: {
        "my-demo": { command: "${HOME}/bin/demo", env: { TOKEN: "${TOKEN}", PRICE: "5$" }, timeout: 20000 },
        web: { url: "https://example.com/mcp", headers: { Authorization: "Bearer ${KEY}" } },
      },
    });
    expect(json("new/settings.json")).toEqual({
      permissions: { defaultMode: "plan", deny: ["Bash(rm:*)"] },
    });
    expect(left(back)).toEqual([]);
  });
});

describe("a captured home", () => {
  beforeEach(() => {
    world.put("opencode/settings/home", "home");
    world.put("opencode/settings/demo", "app");
  });
  const store = `home/${STORE}`;

  test("is all there in a new place of its own", async () => {
    const report = await go("opencode", store, "opencode", `new/${STORE}`);
    expect(left(report)).toEqual([
      "instructions | project | CLAUDE.md | left | superseded",
      "settings | project | provider | left | no-counterpart",
    ]);
    const ofProject = report.items.filter(({ scope }) => scope === "project");
    expect(new Set(ofProject.map(({ outcome }) => outcome))).toEqual(new Set(["left", "present"]));
    for (const name of ["AGENTS.md", "agents/global-helper.md", "commands/global.md"])
      expect(text(`new/.config/opencode/${name}`)).toBe(text(`home/.config/opencode/${name}`));
    expect(json(`new/${CONFIG}`)).toEqual({ username: "dev", compaction: { auto: true, prune: true } });
  });

  test("is Kilo's, with its agents, its rules and its servers", async () => {
    const report = await go("opencode", store, "kilo", "kilo");
    expect(left(report)).toEqual([
      "instructions | project | CLAUDE.md | left | superseded",
      "settings | project | provider | left | no-counterpart",
      "settings | project | model | left | no-equal",
      "settings | project | small_model | left | no-equal",
    ]);
    expect(json("app/kilo.json")).toMatchObject({
      default_agent: "reviewer",
      permission: { edit: "ask", bash: { "*": "allow", "rm *": "deny" } },
      mcp: { local: { type: "local", enabled: false }, remote: { type: "remote" } },
    });
    expect(text("app/.kilo/agents/reviewer.md")).toContain("permission:");
    expect(text("app/.kilo/agents/terse.md")).toContain('mode: "primary"');
  });

  test.each(["codex", "pi"] as const)("goes to %s with all that it can hold", async (to) => {
    const { items } = await go("opencode", store, to, "target");
    expect(text("target/AGENTS.md")).toBe(text("home/.config/opencode/AGENTS.md"));
    expect(text("app/AGENTS.md")).toContain("INSTRUCTIONS-MARKER");
    for (const name of ["global-skill", "claude-skill", "agents-skill"])
      expect(text(`target/skills/${name}/SKILL.md`)).toContain(name);
    for (const item of items.filter(({ outcome }) => outcome === "left" || outcome === "changed"))
      expect(item.reason).toBeDefined();
  });

  test("a skill of the home folder is not copied to where OpenCode reads it already", async () => {
    const { items } = await go("claude", "home/.claude", "opencode", store);
    expect(items.find(({ item }) => item === "claude-skill")).toMatchObject({ outcome: "present" });
  });
});

test("a project that somebody else made does not choose which of the person's files are taken along", async () => {
  put({
    "secret.md": "SECRET\n",
    "skills/theirs/SKILL.md": "---\nname: theirs\ndescription: Theirs.\n---\nSECRET\n",
    "app/opencode.json": {
      instructions: [
        "~/secret.md",
        world.path("secret.md"),
        "../secret.md",
        "docs/*.md",
        "https://example.com/x",
      ],
      skills: { paths: ["../skills", "~/skills", "own"] },
    },
    "app/docs/a.md": "DOC\n",
    "app/own/mine/SKILL.md": "---\nname: mine\ndescription: Mine.\n---\nMINE\n",
  });
  const report = await go("opencode", "oc", "codex", "codex");
  expect(left(report)).toEqual([
    "instructions | project | ~/secret.md | left | unsafe",
    `instructions | project | ${world.path("secret.md")} | left | unsafe`,
    "instructions | project | https://example.com/x | left | not-supported",
    "skills | project | ../skills | left | unsafe",
    "skills | project | ~/skills | left | unsafe",
  ]);
  for (const content of [...snapshot(app).values(), ...snapshot(world.path("codex")).values()])
    if (!content.includes("instructions")) expect(content).not.toContain("SECRET");
  expect(text("app/AGENTS.md")).toContain("DOC");
  expect(text("app/.agents/skills/mine/SKILL.md")).toContain("MINE");
});

test("rules by pattern: never is more allowed than was", async () => {
  put({
    "oc/config/opencode.json": {
      permission: {
        bash: { "git push": "deny", "git log": "allow", "ls*": "allow", "rm*": "deny", "cat * x": "deny" },
        edit: "deny",
      },
    },
  });
  const report = await go("opencode", "oc", "claude", "claude");
  expect(json("claude/settings.json")).toEqual({
    permissions: { deny: ["Bash(git push:*)", "Bash(rm:*)"] },
  });
  expect(left(report)).toEqual([
    "settings | user | allow bash(git log) | left | no-equal",
    "settings | user | allow bash(ls*) | left | would-widen",
    "settings | user | deny bash(cat * x) | left | no-equal",
    "settings | user | deny edit | left | no-equal",
  ]);
  const partial = report.losses.find(({ level, axis }) => axis === "permissions" && level === "partial");
  expect(partial?.places.map(({ item }) => item)).toEqual([
    "deny bash(git push): taken as a rule for `git push`",
    "allow bash(ls*): taken as a rule for `ls`",
    "deny bash(rm*): taken as a rule for `rm`",
  ]);
});
