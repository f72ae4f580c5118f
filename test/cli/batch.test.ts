/** `batch` as people run it: many stores at once, killed and resumed, in shards, with bad files among them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BatchLine } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { manySessions } from "../../bench/generate.ts";
import { randomFrom } from "../../packages/conformance/src/fuzz/random.ts";
import { type Place, place } from "./run.js";

const SESSIONS = 48;

function corpus(at: Place): string {
  const store = join(at.home, ".claude");
  manySessions(store, SESSIONS, 1_500_000);
  return store;
}

function report(folder: string): string {
  return readFileSync(join(folder, "report.ndjson"), "utf8");
}

function linesOf(text: string): BatchLine[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as BatchLine);
}

/** All that was written; an index tells of the same sessions in whatever order they were committed. */
function written(at: Place, folder: string): Record<string, string> {
  const index = join(folder, "session_index.jsonl");
  const lines = existsSync(index) ? readFileSync(index, "utf8").split("\n").sort().join("\n") : "";
  return { ...at.files(folder), "session_index.jsonl": lines };
}

describe("a batch", { timeout: 300_000 }, () => {
  test("does every session of every store, says so a line each, and the second time has nothing to do", async () => {
    const at = place();
    const stores = [at.store("claude", "tools"), at.store("claude", "plain"), at.store("codex", "text")];
    const args = ["batch", ...stores, "--to", "opencode", "--out", "all"];
    const first = await at.run([...args, "--json"]);
    expect(first).toMatchObject({ code: 0, err: "" });
    const lines = linesOf(first.out);
    expect(lines.map(({ status }) => status)).toEqual(lines.map(() => "done"));
    expect(new Set(lines.map(({ from }) => from.harness))).toEqual(new Set(["claude", "codex"]));
    for (const { sessions } of lines)
      for (const { records } of sessions)
        expect(records.read).toBe(records.mapped + records.evidence + records.lost);
    const all = join(at.cwd, "all");
    expect(linesOf(report(all)).sort(byKey)).toEqual([...lines].sort(byKey));
    const listed = await at.run(["list", "all", "--json"]);
    expect(linesOf(listed.out)).toHaveLength(lines.length);

    const before = at.files();
    const again = await at.run(args);
    expect(again.out).toContain(`kept      ${lines.length} done before, and the same now`);
    expect(at.files()).toEqual(before);
  });

  test("what changed is done again, and only that; so is what is gone from the target", async () => {
    const at = place();
    const store = corpus(at);
    const args = ["batch", store, "--to", "codex", "--out", "all"];
    await at.run(args);
    const all = join(at.cwd, "all");
    const [one, two] = linesOf(report(all));
    const path = one?.from.path ?? "";
    writeFileSync(path, readFileSync(path, "utf8").split("\n").slice(0, -2).join("\n").concat("\n"));
    rmSync(join(all, two?.sessions[0]?.files[0] ?? ""));
    const again = await at.run([...args, "--json"]);
    expect(again.code).toBe(0);
    expect(linesOf(again.out).map(({ from }) => from.id)).toEqual(
      expect.arrayContaining([one?.from.id, two?.from.id]),
    );
    expect(linesOf(again.out)).toHaveLength(2);
    expect(linesOf(report(all))).toHaveLength(SESSIONS);
  });

  test("killed fifty times at any point, it comes to what an undisturbed run comes to", async () => {
    const at = place();
    const store = corpus(at);
    const args = ["batch", store, "--to", "codex", "--jobs", "2"];
    const plain = performance.now();
    expect(await at.run([...args, "--out", "plain"])).toMatchObject({ code: 0 });
    const whole = performance.now() - plain;
    const random = randomFrom(5);
    const killed = join(at.cwd, "killed");
    let kills = 0;
    for (let i = 0; i < 50; i++) {
      // Once all is done there is nothing to be killed in: from the beginning.
      if (existsSync(join(killed, "report.seen.json"))) rmSync(killed, { recursive: true });
      const { signal } = await at.run([...args, "--out", "killed"], {
        started: async (child) => {
          await sleep((whole * random.below(1000)) / 1000);
          child.kill("SIGKILL");
        },
      });
      if (signal === "SIGKILL") kills++;
    }
    expect(kills).toBeGreaterThan(25);
    expect(await at.run([...args, "--out", "killed"])).toMatchObject({ code: 0 });
    expect(report(killed)).toBe(report(join(at.cwd, "plain")));
    expect(written(at, killed)).toEqual(written(at, join(at.cwd, "plain")));
  });

  test("in four shards, in any order, merged, it is what one run is", async () => {
    const at = place();
    const store = corpus(at);
    await at.run(["batch", store, "--to", "codex", "--out", "plain"]);
    for (const index of [3, 1, 4, 2]) {
      const shard = ["--shard", `${index}/4`, "--out", `part-${index}`];
      expect(await at.run(["batch", store, "--to", "codex", ...shard])).toMatchObject({ code: 0 });
    }
    const parts = [1, 2, 3, 4].map((index) => `part-${index}`);
    const counts = parts.map((part) => linesOf(report(join(at.cwd, part))).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(await at.run(["batch", "--merge", ...parts, "--out", "merged"])).toMatchObject({ code: 0 });
    expect(report(join(at.cwd, "merged"))).toBe(report(join(at.cwd, "plain")));
    // Their stores too: each session goes over as it is.
    expect(await at.run(["batch", ...parts, "--to", "codex", "--out", "whole"])).toMatchObject({ code: 0 });
    const transcripts = (folder: string) =>
      Object.entries(at.files(join(at.cwd, folder))).filter(([path]) => path.startsWith("sessions/"));
    expect(transcripts("whole")).toEqual(transcripts("plain"));
  });

  test.each([["SIGTERM", 143] as const, ["SIGINT", 130] as const])(
    "%s: what is begun is taken back, what is done is told, and the next run goes on",
    async (name, exit) => {
      const at = place();
      const store = join(at.home, ".claude");
      manySessions(store, SESSIONS, 30_000_000);
      const args = ["batch", store, "--to", "codex", "--out", "all"];
      const all = join(at.cwd, "all");
      const stopped = await at.run(args, {
        started: async (child) => {
          while (child.exitCode === null && !existsSync(join(all, "report.ndjson"))) await sleep(5);
          child.kill(name);
        },
      });
      expect(stopped).toMatchObject({ code: exit, out: "" });
      const names = readdirSync(all, { recursive: true }).map(String);
      expect(names.filter((path) => path.endsWith(".tmp"))).toEqual([]);
      const done = linesOf(report(all));
      const rollouts = names
        .filter((path) => /rollout-.*\.jsonl$/.test(path))
        .map((path) => path.replaceAll("\\", "/"));
      expect(
        done
          .flatMap(({ sessions }) => sessions.flatMap(({ files }) => files))
          .filter(isRollout)
          .sort(),
      ).toEqual(rollouts.sort());
      const rest = await at.run([...args, "--json"]);
      expect(rest.code).toBe(0);
      expect(linesOf(rest.out).length + done.length).toBe(SESSIONS);
    },
  );

  test("a bad file stops nothing: it is in the report with its reason, and the exit code is 4", async () => {
    const at = place();
    const good = at.store("claude", "tools");
    mkdirSync(join(at.cwd, "nothing"));
    const { code, out } = await at.run([
      "batch",
      good,
      "nothing",
      "absent",
      "--to",
      "codex",
      "--out",
      "all",
      "--json",
    ]);
    expect(code).toBe(4);
    const failed = linesOf(out).filter(({ status }) => status === "failed");
    expect(failed.map(({ from, error }) => [from.path, error?.code])).toEqual([
      ["nothing", "not-recognised"],
      ["absent", "missing"],
    ]);
    expect(linesOf(out).filter(({ status }) => status === "done").length).toBeGreaterThan(0);
    // Said again by the next run, which tries again.
    expect((await at.run(["batch", good, "absent", "--to", "codex", "--out", "all"])).code).toBe(4);
  });

  test("--fail-on fails a session, not the batch; --fail-fast stops at it", async () => {
    const at = place();
    const store = corpus(at);
    const args = ["batch", store, "--to", "codex", "--loss", "error", "--json"];
    const all = await at.run([...args, "--out", "all"]);
    expect(all.code).toBe(1);
    expect(new Set(linesOf(all.out).map(({ error }) => error?.code))).toEqual(new Set(["forbidden-loss"]));
    expect(filesIn(at, "all")).toEqual(["report.ndjson"]);
    const fast = await at.run([...args, "--out", "fast", "--fail-fast", "--jobs", "1"]);
    expect(linesOf(fast.out).length).toBeLessThan(SESSIONS);
  });

  test("--time-limit gives up the sessions that take longer", async () => {
    const at = place();
    const store = join(at.home, ".claude");
    manySessions(store, 2, 40_000_000);
    const { code, out } = await at.run([
      "batch",
      store,
      "--to",
      "codex",
      "--out",
      "all",
      "--json",
      "--time-limit",
      "0.05",
    ]);
    expect(code).toBe(1);
    expect(linesOf(out).map(({ error }) => error?.code)).toEqual(["time-limit", "time-limit"]);
    expect(filesIn(at, "all")).toEqual(["report.ndjson"]);
  });

  test("a list of paths on standard input", async () => {
    const at = place();
    const input = `${at.store("claude", "tools")}\n\n${at.store("claude", "plain")}\n`;
    const { code, out } = await at.run(["batch", "-", "--to", "codex", "--out", "all", "--json"], { input });
    expect(code).toBe(0);
    expect(linesOf(out).length).toBeGreaterThan(1);
  });

  test("--resume without a report, and a file that is no report, are said", async () => {
    const at = place();
    const store = at.store("claude", "tools");
    const none = await at.run(["batch", store, "--to", "codex", "--out", "all", "--resume"]);
    expect(none).toMatchObject({ code: 1 });
    expect(none.err).toContain("nothing to go on with");
    mkdirSync(join(at.cwd, "other"));
    writeFileSync(join(at.cwd, "other", "report.ndjson"), '{"something":"else"}\n');
    const other = await at.run(["batch", store, "--to", "codex", "--out", "other"]);
    expect(other.code).toBe(1);
    expect(other.err).toContain("report.ndjson:1: is no line of a batch's report");
  });
});

/** Workers that take back what they began may leave a folder that another one was using: empty ones do not count. */
function filesIn(at: Place, folder: string): string[] {
  return Object.keys(at.files(join(at.cwd, folder))).filter((path) => !path.endsWith("/"));
}

function isRollout(path: string): boolean {
  return /rollout-.*\.jsonl$/.test(path);
}

function byKey(a: BatchLine, b: BatchLine): number {
  return a.key < b.key ? -1 : 1;
}
