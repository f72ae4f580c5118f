/** The same seeds on every machine, in processes of their own: what hangs there does not hang here. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** About 30 s of one core. `npm run fuzz` tries others. */
const SEEDS = 1400;

test("nothing breaks, hangs or goes missing unsaid, whatever the bytes are", { timeout: 300_000 }, () => {
  const run = join(import.meta.dirname, "run.ts");
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [run, "--seeds", String(SEEDS), "--from", "1"],
    { encoding: "utf8" },
  );
  expect(`${stdout}${stderr}`).toContain("nothing was found");
  expect(status).toBe(0);
});
