/** The commands in docs/ run as they stand there. Those of write-a-converter.md: pack.test.ts. */
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { place, program, root } from "./run.js";
import { shellBlocks } from "./shell-blocks.js";

test.each(["fidelity", "portable-state", "protocols"])("docs/%s.md", { timeout: 120_000 }, async (name) => {
  const here = place();
  symlinkSync(join(root, "fixtures"), join(here.cwd, "fixtures"));
  const script = shellBlocks(readFileSync(join(root, `docs/${name}.md`), "utf8"));
  expect(script).not.toBe("");
  const npx = `npx() { shift; ${JSON.stringify(process.execPath)} ${JSON.stringify(program)} "$@"; }`;
  const { code, err } = await here.run([], { shell: `set -e\n${npx}\n${script}` });
  expect({ code, err }).toMatchObject({ code: 0 });
});

test.each(["write-a-converter", "fidelity", "portable-state", "protocols"])(
  "links of docs/%s.md lead somewhere",
  (name) => {
    const text = readFileSync(join(root, `docs/${name}.md`), "utf8");
    for (const [, path = ""] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
      expect(() => readFileSync(join(root, "docs", path)), path).not.toThrow(/ENOENT/);
  },
);
