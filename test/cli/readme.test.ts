import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { markdownTable } from "@asp-convert/core";
import { expect, test } from "vitest";
import { type HarnessId, harnesses } from "../harnesses.js";
import { routes } from "../native/run-sheet.js";
import { place, root } from "./run.js";

const readme = readFileSync(join(root, "README.md"), "utf8");

/** What differs from run to run: how long it took, and the receipt's name. */
const steady = (text: string) =>
  text
    .replace(/ +\d+\.\d s$/gm, " … s")
    .replace(/undo \d{4}-[0-9TZ-]+[0-9a-f]{4}$/gm, "undo …")
    .trimEnd();

test("the table of routes in the README is that of the run sheet", () => {
  const shown = /<!-- routes:start -->\n\n([\s\S]*?)\n\n<!-- routes:end -->/.exec(readme)?.[1];
  const sheet = JSON.parse(readFileSync(join(root, "test/native/run-sheet.json"), "utf8"));
  expect(shown).toBe(routes(sheet));
});

test("the example in the README is what really comes out", async () => {
  const command = /^npm ci && npx asp-convert (fixtures.*)$/m.exec(readme)?.[1] ?? "";
  const shown = /<!-- example:start -->\n```\n([\s\S]*?)```\n<!-- example:end -->/.exec(readme)?.[1] ?? "";
  const [store = "", ...options] = command.split(" ");
  const { run } = place();
  const { code, out } = await run([join(root, store), ...options], { env: { npm_command: "exec" } });
  expect(code).toBe(0);
  expect(steady(out), "`npm run readme` puts the present output in").toBe(steady(shown));
});

const packages = globSync("{packages,converters}/*/package.json", { cwd: root }).map((path) => dirname(path));

test.each(packages)("%s: links of its README lead to what is in the package", (folder) => {
  const text = readFileSync(join(root, folder, "README.md"), "utf8");
  const { files } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  for (const [, path = ""] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
    expect(files, path).toContain(path.split("/")[0]);
    expect(existsSync(join(root, folder, path)), path).toBe(true);
  }
});

test("every command line in the READMEs is one that the program takes", async () => {
  const cli = readFileSync(join(root, "packages/cli/README.md"), "utf8");
  const lines = [...`${readme}\n${cli}`.matchAll(/npx asp-convert ([^#`\n]*)/g)].map(([, line = ""]) =>
    line.trim(),
  );
  expect(lines.length).toBeGreaterThan(10);
  const { run } = place();
  for (const line of lines) {
    const { err } = await run([
      ...line.split(" ").map((word) => word.replace(/^~/, "/no/such/home")),
      "--help",
    ]);
    expect(err, line).toBe("");
  }
});

test.each(Object.keys(harnesses) as HarnessId[])(
  "%s: a fidelity table in a README is the converter's",
  (id) => {
    const own = readFileSync(join(root, "converters", id, "README.md"), "utf8");
    const shown = /<!-- fidelity:start -->\n([\s\S]*?)<!-- fidelity:end -->/.exec(own)?.[1];
    if (shown !== undefined)
      expect(shown.trim(), "`npm run readme` puts the present table in").toBe(
        markdownTable(harnesses[id].converter).trim(),
      );
  },
);
