/** The kinds beside sessions on the command line, as a person meets them. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Place, place, root } from "./run.js";

/** A home with a store and a project in it, and the paths of both. */
function home(): Place & { claude: string; app: string } {
  const at = place();
  const claude = join(at.home, ".claude");
  const app = join(at.home, "app");
  cpSync(join(root, "fixtures/claude/project/config"), claude, { recursive: true });
  cpSync(join(root, "fixtures/claude/project/project"), app, { recursive: true });
  put(
    join(at.home, ".claude.json"),
    JSON.stringify({
      mcpServers: {
        demo: { command: "npx", args: ["-y", "demo"], env: { API_TOKEN: "sk-secret-12345678" } },
      },
    }),
  );
  return { ...at, claude, app };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const installed = ["--to", "codex", "--install"];

describe("a store", () => {
  test("is described with a count of each kind and scope", async () => {
    const { run, claude, app } = home();
    expect((await run([claude])).out).toMatch(
      /^ {2}instructions +2 \(user 2\)\n {2}skills +3 \(user 3\)\n {2}tools +1 \(user 1\)/m,
    );
    expect((await run([app])).out).toMatch(
      /^ {2}instructions +5 \(project 4, local 1\)\n {2}skills +3 \(project 3\)/m,
    );
    const { kinds } = JSON.parse((await run([claude, "--json"])).out);
    expect(kinds).toMatchObject({ sessions: { count: 1 }, skills: { count: 3, scopes: { user: 3 } } });
  });

  test("goes over with all kinds; what would run is left and named with what it would run", async () => {
    const { run, claude, home: at } = home();
    const { code, out } = await run([claude, ...installed]);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}tools +1 left/m);
    expect(out.replace(/\s+/g, " ")).toContain("npx -y demo (with API_TOKEN)");
    expect(out).toContain("--allow-tools");
    expect(readFileSync(join(at, ".codex/AGENTS.md"), "utf8")).toContain("USER-CLAUDE-MD");
    expect(readFileSync(join(at, ".codex/config.toml"), "utf8")).not.toContain("mcp_servers");
    const again = await run([claude, ...installed, "--allow-tools"]);
    expect(again.out).toMatch(/^ {2}tools +1 written/m);
    expect(readFileSync(join(at, ".codex/config.toml"), "utf8")).toContain(
      'API_TOKEN = "sk-secret-12345678"',
    );
  });

  test("--kinds takes only those, --session only that session", async () => {
    const { run, claude, home: at } = home();
    const one = JSON.parse((await run([claude, ...installed, "--kinds", "skills", "--json"])).out);
    expect(one.sessions).toEqual([]);
    expect(new Set(one.items.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(["skills"]));
    const two = JSON.parse((await run([claude, ...installed, "--latest", "--json"])).out);
    expect(two.sessions).toHaveLength(1);
    expect(two.items).toEqual([]);
    expect(existsSync(join(at, ".codex/AGENTS.md"))).toBe(false);
    expect((await run([claude, ...installed, "--kinds", "nonsense"])).code).toBe(2);
  });

  test("comes back whole by undo", async () => {
    const { run, claude, app, home: at, files } = home();
    put(join(at, ".codex/config.toml"), "# mine\n");
    const before = [files(join(at, ".codex")), files(app)];
    const { receipt } = JSON.parse(
      (await run([claude, ...installed, "--project", app, "--allow-tools", "--json"])).out,
    );
    expect([files(join(at, ".codex")), files(app)]).not.toEqual(before);
    expect((await run(["undo", receipt])).code).toBe(0);
    expect([files(join(at, ".codex")), files(app)]).toEqual(before);
  });
});

describe("a project folder", () => {
  test("goes over in place with --install, else beside the store", async () => {
    const { run, app, cwd } = home();
    await run([app, "--to", "codex"]);
    expect(existsSync(join(app, ".agents"))).toBe(false);
    expect(
      existsSync(join(cwd, "asp-out/codex/project-files/app/.agents/skills/greet-people/SKILL.md")),
    ).toBe(true);
    await run([app, ...installed]);
    expect(existsSync(join(app, ".agents/skills/greet-people/SKILL.md"))).toBe(true);
  });

  test("that both programs work in is the other one's than the one it goes to", async () => {
    const { run, app } = home();
    put(join(app, ".codex/config.toml"), 'model_verbosity = "low"\n');
    const tie = await run([app]);
    expect(tie.code).not.toBe(0);
    expect(tie.err).toContain("--from claude or --from codex");
    const { out } = await run([app, "--to", "codex", "--json"]);
    expect(JSON.parse(out).from.harness).toBe("claude");
  });
});

describe("compare", () => {
  test("tells item by item what would become of it, and writes nothing", async () => {
    const { run, claude, files } = home();
    const before = files();
    const { out } = await run(["compare", claude, "--to", "codex"]);
    expect(out).toMatch(/^skills +user-skill +user +written/m);
    expect(out).toMatch(/^tools +demo +user +left +it would run something/m);
    expect(out).toMatch(/^settings +model +user +left/m);
    expect(files()).toEqual(before);
  });
});

describe("a bundle", () => {
  test("can be read by a person, and holds no secret unless told to", async () => {
    const { run, claude, app, cwd } = home();
    const bundle = join(cwd, "asp-out/claude.asp");
    const { code } = await run(["export", claude, "--project", app]);
    expect(code).toBe(0);
    for (const name of [
      "AGENTS.md",
      "skills/user-skill/SKILL.md",
      "tools.json",
      "settings.json",
      "sessions",
      "manifest.json",
    ]) {
      expect(existsSync(join(bundle, name)), name).toBe(true);
    }
    expect(readFileSync(join(bundle, "AGENTS.md"), "utf8")).toContain("PROJECT-CLAUDE-MD");
    const tools = readFileSync(join(bundle, "tools.json"), "utf8");
    expect(tools).not.toContain("sk-secret");
    expect(JSON.parse(tools).servers[0].env).toEqual([{ name: "API_TOKEN", value: `\${API_TOKEN}` }]);
    await run(["export", claude, "--include-secrets", "--out", join(cwd, "mine.asp")]);
    expect(readFileSync(join(cwd, "mine.asp/tools.json"), "utf8")).toContain("sk-secret");
  });

  test("goes into both programs; its texts are shown first", async () => {
    const { run, claude, app, cwd, home: at } = home();
    await run(["export", claude, "--project", app]);
    const bundle = join(cwd, "asp-out/claude.asp");
    mkdirSync(join(at, "new"));
    const codex = await run([
      "import",
      bundle,
      "--to",
      "codex",
      "--out",
      join(cwd, "x"),
      "--project",
      join(at, "new"),
    ]);
    expect(codex.code).toBe(0);
    expect(codex.err).toContain("USER-CLAUDE-MD");
    expect(readFileSync(join(at, "new/AGENTS.md"), "utf8")).toContain("PROJECT-CLAUDE-MD");
    const back = await run([
      "import",
      bundle,
      "--to",
      "claude",
      "--out",
      join(cwd, "c"),
      "--allow-tools",
      "--json",
    ]);
    const { notTaken } = JSON.parse(back.out);
    expect(readFileSync(join(cwd, "c/rules/mine.md"), "utf8")).toBe("USER-RULE\n");
    expect(notTaken.find(({ item }: { item: string }) => item === "greet-people")).toMatchObject({
      reason: expect.stringContaining("--project"),
    });
  });
});
