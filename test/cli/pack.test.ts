import { execFile } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { place, root } from "./run.js";

const execute = promisify(execFile);

/** npm as this test runs it: our Node first, nothing of the npm that may have started the tests. */
async function npm(args: readonly string[], cwd: string, home: string): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)/i.test(name));
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...Object.fromEntries(inherited), PATH: path, ASP_HOME: join(home, "asp"), NO_COLOR: "1" };
  const { stdout } = await execute("npm", [...args], { cwd, env, maxBuffer: 1 << 26 });
  return stdout;
}

let tarballs: string[] = [];
beforeAll(async () => {
  const packs = mkdtempSync(join(tmpdir(), "asp-packs-"));
  const folders = globSync("{packages,converters}/*/package.json", { cwd: root }).map(
    (path) => `./${dirname(path)}`,
  );
  await npm(["pack", "--pack-destination", packs, ...folders], root, packs);
  tarballs = readdirSync(packs).map((name) => join(packs, name));
  expect(tarballs).toHaveLength(folders.length);
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
  expect(files(store)).toEqual(before);
});

test("new converter: a stranger's package is green at once, and its converter is there", {
  timeout: 400_000,
  retry: 2,
}, async () => {
  const { cwd, home } = place();
  await npm(["init", "-y"], cwd, home);
  await npm([...INSTALL, ...tarballs], cwd, home);
  const asp = async (...args: string[]) =>
    npm(["exec", "--offline", "--", "asp-convert", ...args], cwd, home);
  expect(await asp("new", "converter", "my-agent")).toMatch(/made .*asp-convert-my-agent/);
  await expect(asp("new", "converter", "my-agent")).rejects.toThrow(/is there, and not empty/);

  const made = join(cwd, "asp-convert-my-agent");
  await npm([...INSTALL, ...tarballs], made, home);
  const tested = await npm(["test"], made, home);
  expect(tested).toMatch(/Tests .*15 passed.*12 expected fail/);

  const store = join(made, "fixtures/invented/store");
  const described = await npm(
    ["exec", "--offline", "--", "asp-convert", "describe", store, "--plugin", ".", "--json"],
    made,
    home,
  );
  expect(JSON.parse(described)).toMatchObject({ harness: "my-agent", name: "My Agent" });

  // From another project, as a package that its manifest names.
  await npm([...INSTALL, "./asp-convert-my-agent"], cwd, home);
  const report = JSON.parse(await asp(store, "--to", "claude", "--json"));
  expect(report).toMatchObject({ from: { harness: "my-agent" }, to: { harness: "claude" } });
  const back = JSON.parse(await asp("asp-out/claude", "--to", "my-agent", "--json"));
  expect(back.sessions[0].resume.command.slice(0, 2)).toEqual(["my-agent", "resume"]);
});
