import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { place, program, root } from "../cli/run.js";

const path = join(root, "packages/acp/README.md");

/** The receipt's name differs from run to run. */
const steady = (text: string) => text.replace(/undo \d{4}-[0-9TZ-]+[0-9a-f]{4}$/gm, "undo …").trimEnd();

test.skipIf(process.platform === "win32")("the example in the README is what really comes out", async () => {
  const readme = readFileSync(path, "utf8");
  const command = /```sh\n(asp-convert switch[\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const shown = /<!-- example:start -->\n```\n([\s\S]*?)```\n<!-- example:end -->/.exec(readme)?.[1] ?? "";
  const { run, home, cwd } = place();
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "asp-convert"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, "asp-convert"), 0o755);
  const { code, out, err } = await run([], {
    shell: command.replaceAll("fixtures/", `${join(root, "fixtures")}/`),
    env: { PATH: `${bin}:${process.env.PATH}` },
  });
  expect({ code, err, cwd }).toEqual({ code: 0, err: "", cwd });
  expect(steady(out), out).toBe(steady(shown));
});
