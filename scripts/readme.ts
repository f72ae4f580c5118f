/** Puts into the README's example what its command really prints. `npm run readme` */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const path = join(root, "README.md");
const readme = readFileSync(path, "utf8");
const command = /^npm ci && npx asp-convert (fixtures.*)$/m.exec(readme)?.[1];
if (command === undefined) throw new Error("README.md has no `npm ci && npx asp-convert fixtures/…` line");

const [store = "", ...options] = command.split(" ");
const home = mkdtempSync(join(tmpdir(), "asp-readme-"));
try {
  const out = execFileSync(
    process.execPath,
    [join(root, "packages/cli/bin/asp-convert.js"), join(root, store), ...options],
    { cwd: home, encoding: "utf8", env: { ...process.env, HOME: home, ASP_HOME: home, npm_command: "exec" } },
  );
  const marked = /(<!-- example:start -->\n```\n)[\s\S]*?(```\n<!-- example:end -->)/;
  writeFileSync(
    path,
    readme.replace(marked, (_, before: string, after: string) => before + out + after),
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
