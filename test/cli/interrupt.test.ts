import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { codexStore } from "../../bench/generate.ts";
import { place } from "./run.js";

/** Large enough that a signal arrives in the middle. */
const SIZE = 20_000_000;

/** Sends the signal once the run has begun to write below `folder`. */
function onceWriting(folder: string, signal: NodeJS.Signals): (child: ChildProcess) => void {
  return async (child) => {
    while (child.exitCode === null && bytesIn(folder) < 1_000_000) await sleep(5);
    child.kill(signal);
  };
}

function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) =>
        sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}

describe("a run that is stopped in the middle", { timeout: 120_000 }, () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("by %s leaves nothing, says so, and exits with %i", async (signal, exit) => {
    const at = place();
    const { store } = codexStore(join(at.home, "big"), SIZE);
    const before = at.files(store);
    const started = onceWriting(join(at.cwd, "asp-out"), signal);
    const { code, out, err } = await at.run([store, "--to", "bundle"], { started });
    expect({ code, out }).toEqual({ code: exit, out: "" });
    expect(err).toBe("asp-convert: interrupted; nothing was left behind\n");
    expect(at.files(at.cwd)).toEqual({});
    expect(at.files(store)).toEqual(before);
    expect((await at.run(["undo"])).err).toContain("nothing to undo");
  });

  test("by SIGKILL: the next run into the same place cleans up first", async () => {
    const at = place();
    const { store } = codexStore(join(at.home, "big"), SIZE);
    const out = join(at.cwd, "asp-out");
    const killed = await at.run([store, "--to", "bundle"], { started: onceWriting(out, "SIGKILL") });
    expect(killed).toMatchObject({ code: null, signal: "SIGKILL", out: "" });
    expect(bytesIn(out)).toBeGreaterThan(0);
    const small = at.store("codex", "text");
    expect(await at.run([small, "--to", "bundle"])).toMatchObject({ code: 0 });
    await at.run([small, "--to", "bundle", "--out", "clean"]);
    expect(at.files(join(out, "codex.asp"))).toEqual(at.files(join(at.cwd, "clean")));
    await at.run(["undo"]);
    await at.run(["undo"]);
    expect(at.files(at.cwd)).toEqual({});
  });
});
