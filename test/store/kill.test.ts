/**
 * A process that writes to a log is killed at every single change of the disk it makes. What it had said to be safe is
 * there, nothing half-written is read, and recovery gives the same bytes however often it is done.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { diskSource } from "@asp-convert/core";
import { checkLog, SessionLog } from "@asp-convert/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bytesAt, textOf } from "./kill-work.js";

const ROUNDS = 3;
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asp-kill-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(killAt: number, rounds = ROUNDS) {
  const hook = `${pathToFileURL(join(import.meta.dirname, "kill-hook.mjs")).href}?at=${killAt}`;
  const args = ["--import", hook, join(import.meta.dirname, "kill-child.ts"), folder, String(rounds)];
  return spawnSync(process.execPath, args, { encoding: "utf8" });
}

const count = (out: string, what: string) => out.split("\n").filter((line) => line.startsWith(what)).length;

async function whatIsThere() {
  const log = new SessionLog(folder, diskSource);
  const captured = log.captured({ harness: "claude", id: "s" });
  const { revisions, files, streams } = await captured.refresh();
  for (const revision of revisions) {
    const [file] = files;
    if (!file) throw new Error("a state without a file");
    const content = Buffer.concat(await Array.fromAsync(captured.content(file, revision.place.number)));
    expect(content.equals(bytesAt(revision.revision))).toBe(true);
    const told = await Promise.all(streams.map((row) => Array.fromAsync(captured.events(revision, row))));
    expect(told.flat().map(({ payload }) => JSON.stringify(payload).match(/message \d/)?.[0])).toEqual(
      Array.from({ length: revision.revision }, (_, index) => textOf(index)),
    );
  }
  const conversions = await Array.fromAsync(log.conversions());
  expect(conversions.map(({ from }) => from.id)).toEqual(conversions.map((_, i) => `session ${i + 1}`));
  const { faults, broken } = await checkLog(log);
  expect(broken).toEqual([]);
  expect(faults.filter(({ kind }) => kind === "damaged")).toEqual([]);
  return { states: revisions.length, conversions: conversions.length };
}

/** The next writer opens both files, which cuts off what a crash left; then they are read. */
async function recovered(): Promise<Buffer[]> {
  const log = new SessionLog(folder, diskSource);
  await log.captured({ harness: "claude", id: "s" }).write(() => {});
  await log.record([]);
  const paths = [log.lineagePath, log.captured({ harness: "claude", id: "s" }).path];
  return paths.map((path) => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0)));
}

test("killed at every write", async () => {
  const whole = run(0);
  expect(whole.stderr).toBe("");
  const points = Number(/points (\d+)/.exec(whole.stdout)?.[1]);
  expect(points).toBeGreaterThan(40);
  expect(await whatIsThere()).toEqual({ states: ROUNDS, conversions: ROUNDS });

  for (let at = 1; at <= points; at++) {
    rmSync(folder, { recursive: true });
    const { signal, stdout } = run(at);
    expect(signal, `write ${at}: ${stdout}`).toBe("SIGKILL");
    const acknowledged = { states: count(stdout, "state"), conversions: count(stdout, "conversion") };
    const there = await whatIsThere();
    expect(there.states, `write ${at}`).toBeGreaterThanOrEqual(acknowledged.states);
    expect(there.conversions, `write ${at}`).toBeGreaterThanOrEqual(acknowledged.conversions);
    const once = await recovered();
    expect(await whatIsThere()).toEqual(there);
    expect((await recovered()).every((bytes, i) => bytes.equals(once[i] as Buffer))).toBe(true);
  }
}, 300_000);
