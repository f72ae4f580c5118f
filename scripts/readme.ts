/** Puts into the READMEs what they show of the program: the example's output, the fidelity tables. `npm run readme` */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Converter, markdownTable } from "@asp-convert/core";

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

for (const id of readdirSync(join(root, "converters"))) {
  const own = join(root, "converters", id, "README.md");
  const { default: converter } = (await import(`@asp-convert/${id}`)) as { default: Converter };
  writeFileSync(
    own,
    readFileSync(own, "utf8").replace(
      /(<!-- fidelity:start -->\n)[\s\S]*?(<!-- fidelity:end -->)/,
      (_, before: string, after: string) => `${before}\n${markdownTable(converter).trim()}\n\n${after}`,
    ),
  );
}
