/** Runs a Node script in a process of its own and says what it took. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface Taken {
  /** ms, from start to end of the process. */
  wall: number;
  /** ms, over all its threads. */
  cpu: number;
  /** Peak resident set, bytes. */
  rss: number;
  status: number | null;
  stdout: string;
  stderr: string;
}

const account = pathToFileURL(join(import.meta.dirname, "account.ts"));

/** @param state what it remembers of earlier runs; absent: each is the first. */
export function run(script: string, args: readonly string[], state?: string): Taken {
  const folder = mkdtempSync(join(tmpdir(), "asp-bench-"));
  const out = join(folder, "account.json");
  try {
    const start = performance.now();
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", `${account.href}?out=${encodeURIComponent(out)}`, script, ...args],
      {
        encoding: "utf8",
        maxBuffer: 1 << 28,
        // Nothing is left in the person's folders.
        env: { ...process.env, NO_COLOR: "1", ASP_HOME: state ?? join(folder, "state") },
      },
    );
    const wall = performance.now() - start;
    const taken = JSON.parse(readFileSync(out, "utf8")) as { rss: number; cpu: number };
    return { wall, ...taken, status, stdout, stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As a person waits for it, ms: nothing else is loaded that would measure its memory. */
export function waited(script: string, args: readonly string[], state: string): number {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, [script, ...args], {
    maxBuffer: 1 << 28,
    env: { ...process.env, NO_COLOR: "1", ASP_HOME: state },
  });
  if (status !== 0) throw new Error(`${script} failed with ${status}`);
  return performance.now() - start;
}

/** The quickest of several runs: other work on the machine only ever adds. */
export function best(times: number, once: () => Taken): Taken {
  const taken = Array.from({ length: times }, once);
  const rss = Math.max(...taken.map((one) => one.rss));
  const quickest = taken.reduce((a, b) => (b.wall < a.wall ? b : a));
  return { ...quickest, rss };
}
