import { execFile } from "node:child_process";
import { cpSync, globSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
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

// A registry may be slow to answer once; it is not what is tested.
test("packed, installed into an empty folder, and run there with npx", {
  timeout: 240_000,
  retry: 2,
}, async () => {
  const { cwd, home, files } = place();
  const packs = join(home, "packs");
  mkdirSync(packs);
  const folders = globSync("{packages,converters}/*/package.json", { cwd: root }).map(
    (path) => `./${dirname(path)}`,
  );
  await npm(["pack", "--pack-destination", packs, ...folders], root, home);
  const tarballs = readdirSync(packs).map((name) => join(packs, name));
  expect(tarballs).toHaveLength(folders.length);

  await npm(["init", "-y"], cwd, home);
  await npm(["install", "--no-audit", "--no-fund", "--prefer-offline", ...tarballs], cwd, home);
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
