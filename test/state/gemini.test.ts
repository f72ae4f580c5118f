/**
 * A Claude Code home with a project goes to Gemini CLI and to Qwen Code, and theirs go back: every item has an outcome, a
 * second run changes nothing, undo leaves the target as before, other keys of their settings stay as they are.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what is converted
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Report, undo } from "@asp-convert/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lines, makeWorld, move, snapshot, type World } from "./world.js";

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

describe.each([
  { to: "gemini", root: "out/.gemini", own: ".gemini", main: "GEMINI.md", say: "git/say.toml" },
  { to: "qwen", root: "out/.qwen", own: ".qwen", main: "QWEN.md", say: "git/say.md" },
] as const)("Claude Code → $to", ({ to, root, own, main, say }) => {
  beforeEach(() =>
    put({
      "claude/CLAUDE.md": "USER TEXT\n",
      "claude/skills/one/SKILL.md": "---\nname: one\ndescription: One.\n---\nBODY\n",
      "claude/skills/held/SKILL.md": "---\nname: held\ndescription: H.\nallowed-tools: Read\n---\nBODY\n",
      "claude/commands/git/say.md": "---\ndescription: Say\n---\nSay $ARGUMENTS.\n",
      "claude/commands/run.md": "Now !`ls`.\n",
      "claude/agents/helper.md": "---\nname: helper\ndescription: Helps.\n---\nHelp.\n",
      "claude/.claude.json": {
        mcpServers: {
          demo: {
            command: "demo",
            args: ["--root", "${ROOT}"],
            env: { TOKEN: "${TOKEN:-none}" },
            timeout: 20000,
          },
          web: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer ${KEY}" } },
          old: { type: "sse", url: "https://example.com/sse" },
        },
      },
      "app/CLAUDE.md": "PROJECT TEXT\n",
      "app/sub/CLAUDE.md": "SUB TEXT\n",
      [`${root}/settings.json`]:
        '{\n  // mine\n  "theme": "dark",\n  "mcpServers": { "kept": { "command": "k" } }\n}\n',
    }),
  );
  const go = (state = {}) =>
    move(world, {
      from: "claude",
      store: world.path("claude"),
      to,
      root: world.path(root),
      projects: [app],
      state,
    });

  test("arrives, each in its place; a second run changes nothing, and undo takes it back", async () => {
    const before = snapshot(world.path(root));
    const report = await go();
    expect(text(`${root}/${main}`)).toBe("USER TEXT\n");
    expect(text(`app/${main}`)).toBe("PROJECT TEXT\n");
    expect(text(`app/sub/${main}`)).toBe("SUB TEXT\n");
    expect(text(`${root}/skills/one/SKILL.md`)).toContain("BODY");
    expect(text(`${root}/commands/${say}`)).toContain("Say {{args}}.");
    expect(text(`${root}/agents/helper.md`)).toContain("Help.");
    const settings = text(`${root}/settings.json`) ?? "";
    expect(settings).toContain('// mine\n  "theme": "dark"');
    expect(JSON.parse(settings.replace("// mine", ""))).toMatchObject({
      mcpServers: {
        kept: { command: "k" },
        demo: {
          command: "demo",
          args: ["--root", "${ROOT}"],
          env: { TOKEN: "${TOKEN:-none}" },
          timeout: 20000,
        },
        web: { httpUrl: "https://example.com/mcp", headers: { Authorization: "Bearer ${KEY}" } },
        old: { url: "https://example.com/sse" },
      },
    });
    expect(left(report)).toEqual([
      "skills | user | held | left | restriction-lost",
      "skills | user | /run | left | not-supported",
    ]);
    const after = snapshot(world.home);
    const again = await go();
    expect(again.items.filter(({ outcome }) => outcome === "written" || outcome === "changed")).toEqual([]);
    for (const [name, content] of after)
      if (!name.startsWith("asp/")) expect(text(name)).toBe(content.replace(/^\d+ /, ""));
    await undo(report.receipt ?? "", world.environment);
    expect(snapshot(world.path(root))).toEqual(before);
  });

  test("without consent no server is written", async () => {
    const report = await go({ allowTools: false });
    expect(left(report).filter((line) => line.startsWith("tools"))).toEqual([
      "tools | user | demo | left | consent-needed",
      "tools | user | web | left | consent-needed",
      "tools | user | old | left | consent-needed",
    ]);
  });

  test("goes back to Claude Code as it was", async () => {
    await go();
    await move(world, {
      from: to,
      store: world.path(root),
      to: "claude",
      root: world.path("back"),
      projects: [],
    });
    expect(text("back/CLAUDE.md")).toBe("USER TEXT\n");
    expect(text("back/commands/git/say.md")).toContain("Say $ARGUMENTS.");
    expect(text("back/skills/one/SKILL.md")).toBe(text("claude/skills/one/SKILL.md"));
    expect(json("back/.claude.json")).toMatchObject({
      mcpServers: {
        kept: { command: "k" },
        web: { type: "http", url: "https://example.com/mcp" },
        old: { type: "sse" },
      },
    });
    expect(own).toMatch(/^\./);
  });
});

describe("Gemini CLI → Codex", () => {
  test("other names of texts, servers that are off, filters, and what runs when it is called", async () => {
    put({
      "g/.gemini/settings.json": {
        context: { fileName: ["GEMINI.md", "AGENTS.md"] },
        mcpServers: {
          lab: { command: "lab", includeTools: ["a"], env: { A: "x" } },
          web: { httpUrl: "https://example.com/mcp" },
          sock: { tcp: "localhost:1" },
        },
        mcp: { excluded: ["web"] },
      },
      "g/.gemini/GEMINI.md": "MINE\n",
      "g/.gemini/commands/danger.toml": 'prompt = "look: !{rm -rf x}"\n',
      "app/AGENTS.md": "AGENTS TEXT\n",
    });
    const report = await move(world, {
      from: "gemini",
      store: world.path("g"),
      to: "codex",
      root: world.path("codex"),
      projects: [app],
    });
    expect(text("codex/AGENTS.md")).toBe("MINE\n");
    const config = text("codex/config.toml") ?? "";
    expect(config).toMatch(/\[mcp_servers\.lab\]/);
    expect(config).toMatch(/enabled_tools = \[ ?"a" ?\]/);
    expect(config).toMatch(/enabled = false/);
    expect(left(report)).toEqual(
      expect.arrayContaining([
        "skills | user | /danger | left | not-supported",
        "tools | user | sock | left | invalid-form",
      ]),
    );
    expect(
      lines(report.items).some((line) => line.startsWith("instructions | project | AGENTS.md | present")),
    ).toBe(true);
  });
});

describe.each([
  { to: "gemini", root: "out/.gemini", notes: "tmp", everywhere: "asp-memory", main: "GEMINI.md" },
  { to: "qwen", root: "out/.qwen", notes: "projects", everywhere: "memories", main: "QWEN.md" },
] as const)("Memory: Claude Code → $to", ({ to, root, notes, everywhere, main }) => {
  const slug = () => app.replace(/[^A-Za-z0-9]/g, "-");
  beforeEach(() =>
    put({
      "claude/.claude.json": { projects: { [app]: {} } },
      [`claude/projects/${slug()}/memory/MEMORY.md`]: "- [Tabs](tabs.md) — indentation\n",
      [`claude/projects/${slug()}/memory/tabs.md`]: "---\nname: tabs\ndescription: Tabs.\n---\nTabs.\n",
      "codex/memories/MEMORY.md": "# Handbook\nAll of it.\n",
    }),
  );
  const go = (from: "claude" | "codex", store: string, into: typeof to | "claude" = to, at: string = root) =>
    move(world, {
      from,
      store: world.path(store),
      to: into,
      root: world.path(at),
      projects: [app],
      state: { kinds: ["memory"] },
    });
  const file = (name: RegExp) => [...snapshot(world.path(root)).keys()].find((path) => name.test(path)) ?? "";

  test("notes on a project lie with its sessions, in an index; they come home as themselves, and go away", async () => {
    const before = snapshot(world.path(root));
    const report = await go("claude", "claude");
    const index = text(`${root}/${file(/MEMORY\.md$/)}`);
    expect(index).toMatch(/- \[Tabs\]\(claude-\S+tabs\.md\) \S+ Tabs\.\n/);
    expect(file(/tabs\.md$/)).toMatch(new RegExp(`^${notes}/[^/]+/memory/claude-`));
    expect(text(`${root}/${file(/tabs\.md$/)}`)).toContain("Tabs.\n");
    expect((await go("claude", "claude")).receipt).toBeUndefined();

    const home = await move(world, {
      from: to,
      store: world.path(root),
      to: "claude",
      root: world.path("claude"),
      projects: [app],
      state: { kinds: ["memory"] },
    });
    expect(lines(home.items)).toContainEqual(expect.stringMatching(/tabs\.md \| present/));
    await undo(report.receipt ?? "", world.environment);
    expect(snapshot(world.path(root))).toEqual(before);
  });

  test("notes of the person's are where the program has such a place, else listed in its instructions", async () => {
    await go("codex", "codex");
    expect(file(/codex-memories-MEMORY\.md$/)).toMatch(new RegExp(`^${everywhere}/`));
    const listed = text(`${root}/${to === "qwen" ? "memories/MEMORY.md" : main}`);
    expect(listed).toContain("[Handbook](");
    expect((await go("codex", "codex")).receipt).toBeUndefined();
  });

  test("a note that was withdrawn is withdrawn here", async () => {
    await go("claude", "claude");
    rmSync(world.path(`claude/projects/${slug()}/memory/tabs.md`));
    await go("claude", "claude");
    expect(text(`${root}/${file(/tabs\.md$/)}`)).toMatch(/withdrawn where it came from/);
    expect(text(`${root}/${file(/MEMORY\.md$/)}`)).not.toContain("tabs.md");
  });
});

describe("Settings", () => {
  const go = (
    from: "claude" | "gemini" | "qwen",
    to: "claude" | "gemini" | "qwen",
    root: string,
    state = {},
  ) =>
    move(world, {
      from,
      store: world.path(from === "claude" ? "claude" : `in/.${from}`),
      to,
      root: world.path(root),
      projects: [],
      state: { kinds: ["settings"], ...state },
    });
  beforeEach(() =>
    put({
      "claude/settings.json": {
        model: "opus",
        effortLevel: "high",
        permissions: { defaultMode: "acceptEdits", deny: ["Bash(rm -rf:*)"], allow: ["Bash(ls:*)"] },
      },
      "in/.gemini/settings.json": {
        general: { defaultApprovalMode: "auto_edit", vimMode: true, sessionRetention: { enabled: false } },
        model: { name: "gemini-2.5-pro" },
        security: { auth: { selectedType: "gemini-api-key" } },
        tools: { exclude: ["run_shell_command(rm)"] },
        ui: { footer: { items: ["a"] } },
      },
      "in/.qwen/settings.json": {
        $version: 4,
        tools: { approvalMode: "yolo" },
        model: { name: "qwen3-coder", reasoningEffort: "max" },
        permissions: { deny: ["Bash(rm -rf *)"], allow: ["Read"] },
      },
    }),
  );

  test("to Gemini CLI: what it has a word for, beside what is there", async () => {
    put({ "out/.gemini/settings.json": '{\n  // mine\n  "ui": { "theme": "dark" }\n}\n' });
    const before = snapshot(world.path("out"));
    const report = await go("claude", "gemini", "out/.gemini");
    const settings = text("out/.gemini/settings.json") ?? "";
    expect(settings).toContain('// mine\n  "ui": { "theme": "dark" }');
    expect(JSON.parse(settings.replace("// mine", ""))).toEqual({
      ui: { theme: "dark" },
      general: { defaultApprovalMode: "auto_edit" },
    });
    expect(left(report)).toEqual([
      "settings | user | model | left | no-equal",
      "settings | user | effort | left | no-counterpart",
      "settings | user | deny Bash(rm -rf:*) | left | no-counterpart",
      "settings | user | allow Bash(ls:*) | left | no-counterpart",
    ]);
    expect((await go("claude", "gemini", "out/.gemini")).receipt).toBeUndefined();
    await undo(report.receipt ?? "", world.environment);
    expect(snapshot(world.path("out"))).toEqual(before);
  });

  test("to Qwen Code: levels and rules too; a rule that allows would widen", async () => {
    const report = await go("claude", "qwen", "out/.qwen");
    expect(json("out/.qwen/settings.json")).toEqual({
      tools: { approvalMode: "auto-edit" },
      model: { reasoningEffort: "high" },
      permissions: { deny: ["Bash(rm -rf *)"] },
    });
    expect(left(report)).toEqual([
      "settings | user | model | left | no-equal",
      "settings | user | allow Bash(ls:*) | left | would-widen",
    ]);
  });

  test("their own go into another store of theirs, those that are known to be harmless", async () => {
    const report = await go("gemini", "gemini", "out/.gemini");
    expect(json("out/.gemini/settings.json")).toEqual({
      general: { defaultApprovalMode: "auto_edit", vimMode: true },
      model: { name: "gemini-2.5-pro" },
      tools: { exclude: ["run_shell_command(rm)"] },
    });
    expect(left(report)).toEqual([
      "settings | user | ui.footer.items | left | no-counterpart",
      "settings | user | general.sessionRetention.enabled | left | not-supported",
    ]);
  });

  test("a mode that asks nothing, and rules that allow, only with consent", async () => {
    const report = await go("qwen", "qwen", "out/.qwen", { allowTools: false });
    expect(left(report)).toEqual([
      "settings | user | mode | left | consent-needed",
      "settings | user | allow Read | left | consent-needed",
    ]);
    await go("qwen", "qwen", "out/.qwen");
    expect(json("out/.qwen/settings.json")).toMatchObject({
      tools: { approvalMode: "yolo" },
      permissions: { deny: ["Bash(rm -rf *)"], allow: ["Read"] },
    });
    // Nothing wider than what was: the nearest mode that asks for more.
    await go("qwen", "gemini", "out/.gemini");
    expect(json("out/.gemini/settings.json")).toEqual({ general: { defaultApprovalMode: "auto_edit" } });
  });

  test("to Claude Code", async () => {
    await go("qwen", "claude", "out/claude");
    expect(json("out/claude/settings.json")).toMatchObject({
      permissions: { defaultMode: "bypassPermissions", deny: ["Bash(rm -rf:*)"] },
    });
  });
});
