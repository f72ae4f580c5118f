/** Worker threads, each with one job at a time: the next is given when the last came back, so nothing piles up. */
import { Worker } from "node:worker_threads";
import type { BatchLine } from "@asp-convert/core";
import { type Job, together } from "./jobs.js";
import { giveBack } from "./turn.js";
import type { Outcome, Setup, Task, Unit } from "./work.js";

export interface PoolOptions {
  jobs: readonly Job<Unit>[];
  threads: number;
  /** Bytes of heap that a worker may have. */
  heap: number | undefined;
  setup: Omit<Setup, "me">;
  /** Told what came of a job; its resolution is waited for before the worker gets the next one. */
  done: (lines: readonly BatchLine[], job: Job<Unit>) => Promise<void>;
  /** A worker died over a session that it was given alone. */
  lost: (unit: Unit, error: Error) => BatchLine;
  /** No more jobs are given out; those begun are finished. */
  enough: () => boolean;
  /** Those begun are taken back. */
  signal: AbortSignal;
}

/** In the bundle it stands beside its one chunk. */
const ENTRY = import.meta.url.includes("/dist/start/") ? "./batch-worker.js" : "./worker.js";

export async function runPool(options: PoolOptions): Promise<void> {
  const waiting = [...options.jobs];
  const stop = () => void Atomics.store(options.setup.stop, 0, 1);
  options.signal.addEventListener("abort", stop, { once: true });
  const threads = Math.min(options.threads, waiting.length);
  await Promise.all(Array.from({ length: threads }, (_, index) => serve(index + 1, waiting, options)));
}

/** One worker after the other under one number: one that dies is replaced. */
async function serve(me: number, waiting: Job<Unit>[], options: PoolOptions): Promise<void> {
  const { setup, heap, signal } = options;
  let worker: Worker | undefined;
  try {
    while (!signal.aborted && !options.enough()) {
      const job = waiting.shift();
      if (!job) return;
      worker ??= new Worker(new URL(ENTRY, import.meta.url), {
        workerData: { ...setup, me } satisfies Setup,
        ...(heap !== undefined && { resourceLimits: { maxOldGenerationSizeMb: Math.ceil(heap / 2 ** 20) } }),
      });
      try {
        const { lines, rows } = await ask(worker, job);
        if (rows) waiting.splice(0, waiting.length, ...together(waiting));
        await options.done(lines, job);
      } catch (error) {
        worker = undefined;
        giveBack(setup.turn, me);
        if (!(error instanceof WorkerDied)) throw error;
        const [only] = job.units;
        if (only && job.units.length === 1) await options.done([options.lost(only, error)], job);
        // Each by itself, to find the one it died of.
        else waiting.unshift(...job.units.map((unit) => ({ units: [unit], size: unit.ref.size })));
      }
    }
  } finally {
    await worker?.terminate();
  }
}

/** The thread is gone: out of memory, or a fault of ours. */
class WorkerDied extends Error {
  override name = "WorkerDied";
}

function ask(worker: Worker, { units }: Job<Unit>): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const end = () => worker.off("message", onMessage).off("error", onError).off("exit", onExit);
    const onMessage = (outcome: Outcome) => {
      end();
      resolve(outcome);
    };
    const onError = (error: Error) => {
      end();
      reject(new WorkerDied(error.message, { cause: error }));
    };
    const onExit = (code: number) => {
      end();
      reject(new WorkerDied(`its thread ended (${code})`));
    };
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage({ units } satisfies Task);
  });
}
