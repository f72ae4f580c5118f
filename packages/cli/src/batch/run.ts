/** A batch from its inputs to its report. */
import { hash } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type BatchLine, CONTRACT, holdTarget, type Source } from "@asp-convert/core";
import { CommandError } from "../errors.js";
import type { LossOptions } from "../options.js";
import type { PluginOptions } from "../plugins/find.js";
import { plugins } from "../plugins/use.js";
import type { Terminal } from "../terminal.js";
import { registry, source, targetOf } from "../toolkit.js";
import { version } from "../version.js";
import { type Inputs, listInputs, openInputs } from "./inputs.js";
import { jobsOf } from "./jobs.js";
import { Ledger, REPORT } from "./ledger.js";
import { runPool } from "./pool.js";
import { readSeen, stateOf, writeSeen } from "./seen.js";
import { isIn, type Shard } from "./shard.js";
import { sameStamps, stampsOf } from "./sources.js";
import { sharedTurn } from "./turn.js";
import type { Unit } from "./work.js";

export interface BatchOptions {
  to: string;
  /** Absolute. */
  out: string;
  from?: string;
  cwd?: string;
  share?: boolean;
  losses: Partial<LossOptions>;
  threads?: number;
  shard?: Shard;
  failFast?: boolean;
  /** There must be a report to go on from. */
  resume?: boolean;
  /** Milliseconds a session. */
  timeLimit?: number;
  /** Bytes, for all workers together. */
  maxMemory?: number;
  plugins: PluginOptions;
  onStart?: (total: { sessions: number; bytes: number }) => void;
  /** As each session is done or failed; `size`: its bytes. */
  onLine?: (line: BatchLine) => Promise<void> | void;
}

export interface BatchResult {
  sessions: number;
  /** Of those that were to be done. */
  bytes: number;
  /** Of them: done in this run, done before and the same now, failed. */
  done: number;
  kept: number;
  failed: number;
  /** By code. */
  reasons: Record<string, number>;
  /** Sessions that were not looked at, since one failed and that was to stop it. */
  left: number;
  report: string;
}

/** @throws UsageError, CommandError, BusyError; AbortError where `terminal.signal` stopped it: what was done is kept */
export async function runBatch(
  paths: readonly string[],
  options: BatchOptions,
  terminal: Terminal,
): Promise<BatchResult> {
  const { out, shard } = options;
  const to = targetOf(options.to);
  const report = join(out, REPORT);
  if (options.resume && !(await source.stat(report)))
    throw new CommandError(`${report}: is not there, so there is nothing to go on with`, {
      code: "missing",
      next: "Leave out --resume: a batch goes on by itself where there is a report.",
    });
  const setup = setupOf(options);
  const opened = await openInputs(paths, options.from, terminal);
  const roots = [out, ...(to.alsoWrites?.(out, terminal.environment) ?? [])];
  const locks = await holdTarget(terminal.environment, roots);
  let ledger: Ledger | undefined;
  try {
    ledger = await Ledger.open(report, source);
    const seenState = await stateOf(`${setup}\n${shard?.index}/${shard?.of}`, opened.inputs, source);
    const seen = await readSeen(out, source);
    if (
      seenState !== undefined &&
      seen?.state === seenState &&
      seen.sessions === ledger.size &&
      opened.failed.length === 0
    )
      return { ...nothing(report), sessions: ledger.size, kept: ledger.size };

    const { todo, result, failed } = await whatIsToDo(opened, ledger, setup, options, terminal);
    const take = async (lines: readonly BatchLine[]) => {
      await ledger?.add(lines);
      for (const line of lines) {
        if (line.status === "done") result.done++;
        else {
          result.failed++;
          const code = line.error?.code ?? "failed";
          result.reasons[code] = (result.reasons[code] ?? 0) + 1;
        }
        await options.onLine?.(line);
      }
    };
    options.onStart?.({ sessions: result.sessions, bytes: result.bytes });
    await take(failed);
    const threads = Math.ceil(options.threads ?? availableParallelism());
    await runPool({
      jobs: jobsOf(todo, threads),
      threads,
      heap: options.maxMemory === undefined ? undefined : options.maxMemory / threads,
      signal: terminal.signal,
      enough: () => options.failFast === true && result.failed > 0,
      lost: (unit, error) => lostLine(unit, options.to, setup, error),
      done: take,
      setup: {
        to: options.to,
        root: out,
        roots,
        losses: options.losses,
        key: setup,
        inputs: opened.inputs.map(({ harness, path }) => ({ harness, path })),
        plugins: options.plugins,
        pluginPaths: paths,
        locks: locks.marks,
        turn: sharedTurn(),
        stop: sharedTurn(),
        ...(options.cwd !== undefined && { cwd: options.cwd }),
        ...(options.share && { share: true }),
        ...(options.timeLimit !== undefined && { timeLimit: options.timeLimit }),
      },
    });
    terminal.signal.throwIfAborted();
    result.left = result.sessions - result.kept - result.done - result.failed;
    await ledger.finish(source);
    if (result.failed + result.left === 0 && seenState !== undefined)
      await writeSeen(out, { asp: 1, state: seenState, sessions: ledger.size });
    return result;
  } finally {
    ledger?.close();
    locks.release();
  }
}

/** What is done to a session, in a few letters: another version may do it otherwise. */
function setupOf({ to, cwd, share, losses }: BatchOptions): string {
  const added = plugins.map(({ converter, version: its }) => [converter.id, its]);
  const what = [
    version,
    CONTRACT,
    to,
    registry.get(to).verified,
    cwd,
    share,
    losses.loss,
    losses.failOn,
    added,
  ];
  return hash("sha256", JSON.stringify(what)).slice(0, 12);
}

function nothing(report: string): BatchResult {
  return { sessions: 0, bytes: 0, done: 0, kept: 0, failed: 0, reasons: {}, left: 0, report };
}

async function whatIsToDo(
  { inputs, failed: notOpened }: Inputs,
  ledger: Ledger,
  setup: string,
  options: BatchOptions,
  terminal: Terminal,
): Promise<{ todo: Unit[]; failed: BatchLine[]; result: BatchResult }> {
  const { units, unreadable } = await listInputs(inputs, terminal);
  const mine = units.filter(({ ref }) => !options.shard || isIn(options.shard, ref));
  const result = { ...nothing(ledger.path), sessions: mine.length };
  const todo: Unit[] = [];
  for (const { ref, input } of mine) {
    terminal.signal.throwIfAborted();
    const before = ledger.lineOf(ref);
    if (before && (await isDone(before, setup, options.out, ref, source))) result.kept++;
    else {
      result.bytes += ref.size;
      todo.push({ ref, input, ...(before?.status === "done" && { before }) });
    }
  }
  const failed: BatchLine[] = [];
  // What belongs to no session is the first shard's to tell.
  if (!options.shard || options.shard.index === 1) {
    for (const { path, failure } of notOpened)
      failed.push(failedLine({ harness: options.from ?? "", id: "", path }, options.to, setup, failure));
    for (const { harness, path, reason } of unreadable)
      failed.push(
        failedLine({ harness, id: "", path }, options.to, setup, { code: "unreadable", message: reason }),
      );
    result.sessions += failed.length;
  }
  return { todo, failed, result };
}

/** By size and time of its files; whoever is not sure reads them. */
async function isDone(
  before: BatchLine,
  setup: string,
  out: string,
  ref: Unit["ref"],
  files: Source,
): Promise<boolean> {
  if (before.status !== "done" || !before.key.startsWith(`${setup}.`) || before.sources.length === 0)
    return false;
  if (!sameStamps(before.sources, await stampsOf(ref, files))) return false;
  for (const { files: written } of before.sessions)
    for (const path of written) if (!(await files.stat(join(out, path)))) return false;
  return true;
}

function failedLine(
  from: BatchLine["from"],
  to: string,
  setup: string,
  { code, message, next }: { code: string; message: string; next?: string },
): BatchLine {
  const error = { code, message, ...(next !== undefined && { next }) };
  return {
    asp: 1,
    key: `${setup}.`,
    status: "failed",
    from,
    to,
    size: 0,
    sources: [],
    sessions: [],
    losses: [],
    error,
  };
}

function lostLine({ ref }: Unit, to: string, setup: string, error: Error): BatchLine {
  const { harness, id, path, title } = ref;
  const memory = (error.cause as { code?: unknown } | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY";
  const line = failedLine({ harness, id, path, ...(title !== undefined && { title }) }, to, setup, {
    code: memory ? "memory" : "crashed",
    message: memory ? "needs more memory than a worker has" : `the worker died over it: ${error.message}`,
    ...(memory && { next: "Give more with --max-memory, or fewer --jobs." }),
  });
  return { ...line, size: ref.size };
}
