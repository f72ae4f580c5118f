/** A bounded run of the fuzzer, in processes of its own: what hangs there does not hang here. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const SECONDS = 50;

test("nothing breaks, hangs or goes missing unsaid, whatever the bytes are", { timeout: 300_000 }, () => {
  const run = join(import.meta.dirname, "run.ts");
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [run, "--seconds", String(SECONDS), "--from", "1"],
    { encoding: "utf8" },
  );
  expect(`${stdout}${stderr}`).toContain("nothing was found");
  expect(status).toBe(0);
});
