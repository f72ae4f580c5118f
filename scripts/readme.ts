/** Puts into the READMEs what they show of the program: the example's output, the fidelity tables. `npm run readme` */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Converter, markdownTable, matrix, type SessionAxis, sessionAxes } from "@asp-convert/core";
import { routes, type Sheet } from "../test/native/run-sheet.ts";

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

const sheet = JSON.parse(readFileSync(join(root, "test/native/run-sheet.json"), "utf8")) as Sheet;
writeFileSync(
  path,
  readFileSync(path, "utf8").replace(
    /(<!-- routes:start -->\n)[\s\S]*?(<!-- routes:end -->)/,
    (_, before: string, after: string) => `${before}\n${routes(sheet)}\n\n${after}`,
  ),
);

for (const id of readdirSync(join(root, "converters"))) {
  const path = join(root, "converters", id, "README.md");
  const { default: own } = (await import(`@asp-convert/${id}`)) as {
    default: Converter | readonly Converter[];
  };
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(
      /(<!-- fidelity:start -->\n)[\s\S]*?(<!-- fidelity:end -->)/,
      (_, before: string, after: string) => `${before}\n${tables(own)}\n\n${after}`,
    ),
  );
}

/** Of several converters, which only read, one table: an axis a line. */
function tables(of: Converter | readonly Converter[]): string {
  if (!("length" in of)) return markdownTable(of).trim();
  const rows = matrix(of);
  const cells = [
    ["axis", ...rows.map(({ harness }) => `\`${harness}\``)],
    ...Object.keys(sessionAxes)
      .filter((axis) => rows.some(({ levels }) => levels[axis as SessionAxis] !== "not-in-source"))
      .map((axis) => [`\`${axis}\``, ...rows.map(({ levels }) => shown(levels[axis as SessionAxis]))]),
  ];
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[], fill = " ") =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`;
  const [head = [], ...body] = cells;
  return [
    line(head),
    line(
      head.map(() => ""),
      "-",
    ),
    ...body.map((row) => line(row)),
  ].join("\n");
}

function shown(level: string | undefined): string {
  return level === undefined || level === "not-in-source" ? "–" : level;
}
