import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { apply } from "./apply.js";
import { listReceipts, undo } from "./undo.js";

const test = join(import.meta.dirname, "../../test");
let base: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "asp-kill-")));
  mkdirSync(join(base, "store"));
  writeFileSync(join(base, "store/config"), "mine");
  writeFileSync(join(base, "store/index"), "one\n");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function run(nth: number) {
  const hook = pathToFileURL(join(test, "typescript.mjs")).href;
  return spawnSync(process.execPath, ["--import", hook, join(test, "kill-child.ts"), base, String(nth)], {
    encoding: "utf8",
  });
}

const read = (name: string) =>
  existsSync(join(base, "store", name)) ? readFileSync(join(base, "store", name), "utf8") : undefined;
const state = () => [read("new/a.jsonl"), read("config"), read("index")];
const BEFORE = [undefined, "mine", "one\n"];
const AFTER = ["a\n".repeat(1000), "edited", "one\ntwo\n"];

it("a process that is killed leaves nothing that the next run does not clean up", async () => {
  const whole = run(0);
  expect(whole.stderr).toBe("");
  const steps = Number(whole.stdout);
  expect(steps).toBeGreaterThan(12);
  expect(state()).toEqual(AFTER);
  const environment = {
    env: { ASP_HOME: join(base, "state") },
    home: base,
    platform: process.platform,
    cwd: base,
  };
  await undo(undefined, environment);
  expect(state()).toEqual(BEFORE);

  for (let nth = 1; nth <= steps; nth += 2) {
    expect(run(nth).signal, `step ${nth}`).toBe("SIGKILL");
    await apply([], { environment, roots: [join(base, "store")], what: "the next run" });
    const done = (await listReceipts(environment)).some((receipt) => receipt.state === "done");
    expect(state(), `step ${nth}`).toEqual(done ? AFTER : BEFORE);
    if (done) await undo(undefined, environment);
    expect(readdirSync(join(base, "store")).sort()).toEqual(["config", "index"]);
    expect(readdirSync(join(base, "state/running"))).toEqual([]);
    expect(readdirSync(join(base, "state/locks"))).toEqual([]);
  }
}, 120_000);
