import { execFile } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { place, root } from "./run.js";
import { shellBlocks } from "./shell-blocks.js";

const execute = promisify(execFile);

/** npm as this test runs it: our Node first, nothing of the npm that may have started the tests. */
async function npm(args: readonly string[], cwd: string, home: string): Promise<string> {
  const { stdout } = await execute("npm", [...args], { cwd, env: environment(home), maxBuffer: 1 << 26 });
  return stdout;
}

function environment(home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)/i.test(name));
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  return { ...Object.fromEntries(inherited), PATH: path, ASP_HOME: join(home, "asp"), NO_COLOR: "1" };
}

let tarballs: string[] = [];
beforeAll(async () => {
  const packs = mkdtempSync(join(tmpdir(), "asp-packs-"));
  await npm(["pack", "--workspaces", "--pack-destination", packs], root, packs);
  tarballs = readdirSync(packs).map((name) => join(packs, name));
  expect(tarballs).toHaveLength(globSync("{packages,converters}/*/package.json", { cwd: root }).length);
  return () => rmSync(packs, { recursive: true, force: true });
}, 120_000);

const INSTALL = ["install", "--no-audit", "--no-fund", "--prefer-offline"];

// A registry may be slow to answer once; it is not what is tested.
test("packed, installed into an empty folder, and run there with npx", {
  timeout: 240_000,
  retry: 2,
}, async () => {
  const { cwd, home, files } = place();
  await npm(["init", "-y"], cwd, home);
  await npm([...INSTALL, ...tarballs], cwd, home);
  expect(await npm(["exec", "--offline", "--", "asp-convert", "--version"], cwd, home)).toMatch(
    /^\d+\.\d+\.\d+\n$/,
  );

  const store = join(home, "store");
  cpSync(join(root, "fixtures/claude/tools/config"), store, { recursive: true });
  const before = files(store);
  const report = JSON.parse(
    await npm(["exec", "--offline", "--", "asp-convert", store, "--to", "codex", "--json"], cwd, home),
  );
  expect(report).toMatchObject({ asp: 1, from: { harness: "claude" }, to: { harness: "codex" } });
  expect(report.sessions[0].resume.command.slice(0, 2)).toEqual(["codex", "resume"]);
  expect(
    Object.keys(files(join(cwd, "asp-out/codex"))).filter((name) => name.endsWith(".jsonl")),
  ).toHaveLength(1);
  // A page carries files of the package beside its code.
  await npm(["exec", "--offline", "--", "asp-convert", "view", store, "--latest", "-o", "p.html"], cwd, home);
  expect(readFileSync(join(cwd, "p.html"), "utf8")).toContain("Content-Security-Policy");
  expect(files(store)).toEqual(before);
});

test("docs/write-a-converter.md, as a stranger goes through it", { timeout: 400_000, retry: 2 }, async () => {
  const { cwd, home } = place();
  const guide = shellBlocks(readFileSync(join(root, "docs/write-a-converter.md"), "utf8"));
  // What the registry would give is what was packed.
  const install = INSTALL.map((word) => JSON.stringify(word)).join(" ");
  const ours = tarballs.map((path) => JSON.stringify(path)).join(" ");
  const npm_ = `npm() { if [ "$1" = install ]; then command npm ${install} ${ours}; else command npm "$@"; fi; }`;
  writeFileSync(join(home, "guide.sh"), `set -e\n${npm_}\n${guide}`);
  const { stdout } = await execute("sh", [join(home, "guide.sh")], {
    cwd,
    env: environment(home),
    maxBuffer: 1 << 26,
  });
  expect(stdout).toMatch(/made .*asp-convert-acme/);
  expect(stdout).toMatch(/Tests .*\d\d passed.*12 expected fail/);
  expect(stdout).toMatch(/Acme → Claude Code .*1 session/);
  expect(stdout).toMatch(/Claude Code → Acme .*1 session/);

  // A second time it is not written over; from elsewhere it is a package that a manifest names.
  const asp = (...args: string[]) => npm(["exec", "--offline", "--", "asp-convert", ...args], cwd, home);
  await expect(asp("new", "converter", "acme")).rejects.toThrow(/is there, and not empty/);
  await npm([...INSTALL, "./asp-convert-acme"], cwd, home);
  const store = join(cwd, "asp-convert-acme/fixtures/invented/store");
  const report = JSON.parse(await asp(store, "--to", "codex", "--json"));
  expect(report).toMatchObject({ from: { harness: "acme" }, to: { harness: "codex" } });
});

/** An example as its author has it: on packed packages, its own tests green. */
async function example(name: string) {
  const { cwd, home } = place();
  const there = join(cwd, name);
  cpSync(join(root, "examples", name), there, {
    recursive: true,
    filter: (path) => !/[/\\](node_modules|dist)$/.test(path),
  });
  await npm([...INSTALL, "--no-save", ...tarballs], there, home);
  // No path of this machine is left in it.
  expect(readFileSync(join(there, "package.json"), "utf8")).not.toContain("file:");
  // Rejects where one fails.
  expect(await npm(["test"], there, home)).toMatch(/Tests .*\d\d passed/);
  const asp = async (...args: string[]) =>
    JSON.parse(
      await npm(["exec", "--offline", "--", "asp-convert", "--plugin", ".", ...args, "--json"], there, home),
    );
  return { home, asp };
}

test.each(["asp-convert-burrow", "asp-convert-marmot"])(
  "examples/%s, outside the workspace",
  { timeout: 400_000, retry: 2 },
  async (name) => {
    const { home, asp } = await example(name);
    const [claude, own] = [join(home, "claude"), join(home, "own")];
    const away = await asp("convert", "fixtures/plain/store", "--to", "claude", "--out", claude);
    const { messages, toolCalls } = away.sessions[0];
    expect(toolCalls).toBeGreaterThan(0);
    const back = await asp("convert", claude, "--to", away.from.harness, "--out", own);
    expect(back.sessions).toMatchObject([{ messages, toolCalls }]);
    expect(await asp("describe", own)).toMatchObject({
      harness: away.from.harness,
      kinds: { sessions: { count: 1 } },
    });
  },
);

test("examples/asp-convert-jotter only reads", { timeout: 400_000, retry: 2 }, async () => {
  const { home, asp } = await example("asp-convert-jotter");
  const claude = join(home, "claude");
  const { sessions } = await asp(
    ...["convert", "fixtures/plain/store", "--all", "--cwd", "/work", "--to", "claude", "--out", claude],
  );
  expect(sessions).toMatchObject([{ messages: 1 }, { messages: 3, toolCalls: 1 }]);
  await expect(asp("convert", claude, "--to", "jotter", "--out", "x")).rejects.toThrow(
    /not written to it: it takes no chats in/,
  );
});
