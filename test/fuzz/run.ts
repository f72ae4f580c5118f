/**
 * Fuzzes the readers and every route with mutated fixtures.
 *
 *   npm run fuzz -- [--minutes N | --seconds N | --seeds N] [--harness claude|codex] [--from SEED | --seed SEED]
 *
 * `--seeds`: so many, however long they take. `--from`: the first of the seeds; without it, one that no run had before.
 * `--seed`: this one alone. A watchdog ends what hangs and names the seed. Exit code 1 if anything was found.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import {
  type Finding,
  type FuzzSubject,
  fuzzOnce,
  sample,
  sampleFixture,
} from "@asp-convert/conformance/toolbox";
import { bundle } from "@asp-convert/core";
import { capturedAll, type HarnessId, harnesses } from "../harnesses.ts";
import { shapeFixtures } from "../shapes/load.ts";

type Named = HarnessId | "sample";

interface Task {
  /** In turns, by seed. */
  harnesses: readonly Named[];
  /** Seeds from `first`, each `step` further. */
  first: number;
  step: number;
  /** How many at most. */
  seeds: number;
  /** ms. */
  time: number;
}

type Message =
  | { about: "start"; seed: number }
  | { about: "found"; finding: Finding }
  | { about: "end"; tried: number };

/** A seed that takes longer than this hangs. */
const HANGS = 60_000;

if (isMainThread) await main();
else await work(workerData as Task);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string" },
      seconds: { type: "string" },
      seeds: { type: "string" },
      harness: { type: "string" },
      from: { type: "string" },
      seed: { type: "string" },
    },
  });
  const all = [...(Object.keys(harnesses) as HarnessId[]), "sample"] as const;
  const named = all.filter((id) => values.harness === undefined || id === values.harness);
  if (named.length === 0) throw new Error(`no such harness: ${values.harness}; there are ${all.join(", ")}`);
  const seconds = Number(values.seconds ?? Number(values.minutes ?? 1) * 60);
  const seeds = values.seed === undefined ? Number(values.seeds ?? Number.POSITIVE_INFINITY) : 1;
  const first = Number(values.seed ?? values.from ?? Math.floor(Date.now() / 1000));
  const bounded = Number.isFinite(seeds);
  console.log(
    `fuzzing ${named.join(", ")}: ${bounded ? `${seeds} seed(s)` : `for ${seconds} s`} from seed ${first}`,
  );

  const lanes = Math.min(availableParallelism(), seeds);
  const results = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      watch({
        harnesses: named,
        first: first + lane,
        step: lanes,
        seeds: bounded ? Math.ceil((seeds - lane) / lanes) : seeds,
        time: bounded ? Number.POSITIVE_INFINITY : seconds * 1000,
      }),
    ),
  );
  const findings = results.flat();
  if (findings.length > 0) process.exitCode = 1;
  console.log(findings.length === 0 ? "nothing was found" : `${findings.length} found`);
}

/** Runs one lane; if it hangs it is ended, and goes on behind the seed that did it. */
function watch(task: Task): Promise<Finding[]> {
  const findings: Finding[] = [];
  return new Promise((resolve, reject) => {
    let seed = task.first;
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    let timer = setTimeout(hung, HANGS);
    worker.on("message", (message: Message) => {
      clearTimeout(timer);
      if (message.about === "start") {
        seed = message.seed;
        timer = setTimeout(hung, HANGS);
      } else if (message.about === "found") {
        findings.push(message.finding);
        tell(harnessOf(task, message.finding.seed), message.finding);
      } else console.log(`${message.tried} seeds tried`);
    });
    worker.on("error", reject);
    worker.on("exit", () => {
      clearTimeout(timer);
      resolve(findings);
    });
    function hung(): void {
      const finding = {
        seed,
        fixture: "?",
        file: "?",
        how: [],
        problems: [`hangs: no end after ${HANGS} ms`],
      };
      findings.push(finding);
      tell(harnessOf(task, seed), finding);
      void worker.terminate();
    }
  });
}

function tell(harness: string, { seed, fixture, file, how, problems }: Finding): void {
  console.log(`\n${harness}, seed ${seed}: ${fixture} ${file} (${how.join(", ")})`);
  for (const problem of problems.slice(0, 5)) console.log(`  ${problem.slice(0, 600)}`);
  console.log(`  again: npm run fuzz -- --harness ${harness} --seed ${seed}`);
}

function harnessOf({ harnesses: named }: Task, seed: number): Named {
  return named[seed % named.length] ?? "sample";
}

async function work(task: Task): Promise<void> {
  const subjects = new Map<Named, FuzzSubject>();
  const end = performance.now() + task.time;
  let tried = 0;
  for (let seed = task.first; tried < task.seeds && performance.now() < end; seed += task.step) {
    const harness = harnessOf(task, seed);
    const subject = subjects.get(harness) ?? (await subjectOf(harness));
    subjects.set(harness, subject);
    parentPort?.postMessage({ about: "start", seed } satisfies Message);
    const finding = await fuzzOnce(subject, seed);
    if (finding) parentPort?.postMessage({ about: "found", finding } satisfies Message);
    tried++;
  }
  parentPort?.postMessage({ about: "end", tried } satisfies Message);
}

async function subjectOf(harness: Named): Promise<FuzzSubject> {
  const targets = [...Object.values(harnesses).map(({ converter }) => converter), sample, bundle];
  if (harness === "sample") return { converter: sample, fixtures: [sampleFixture()], targets };
  const fixtures = [...(await capturedAll(harness)), ...(await shapeFixtures(harness))];
  return { converter: harnesses[harness].converter, fixtures, targets, possible: oneOfEachKey };
}

/** Rows of a database, as lines: no table holds one key twice. */
function oneOfEachKey(path: string, bytes: Buffer): Buffer {
  if (!/\.db[/\\]/.test(path)) return bytes;
  const seen = new Set<string>();
  const isNew = (line: string) => {
    const keys = [...line.matchAll(/\{"table":"\w+","id":"[^"]*"/g)].map(([key]) => key);
    if (new Set(keys).size < keys.length || keys.some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  };
  return Buffer.from(bytes.toString("latin1").split("\n").filter(isNew).join("\n"), "latin1");
}
