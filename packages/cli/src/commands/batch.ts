import { type Command, InvalidArgumentError } from "commander";
import type { Shard } from "../batch/shard.js";
import { exit, UsageError } from "../errors.js";
import { type CommonOptions, filled, type LossOptions, withCommon, withLoss } from "../options.js";
import type { PluginOptions } from "../plugins/find.js";
import type { Terminal } from "../terminal.js";

interface Options extends CommonOptions, LossOptions, PluginOptions {
  to?: string;
  out: string;
  from?: string;
  cwd?: string;
  share?: boolean;
  jobs?: number;
  shard?: string;
  merge?: boolean;
  resume?: boolean;
  failFast?: boolean;
  timeLimit?: number;
  maxMemory?: number;
}

export function define(command: Command, terminal: Terminal): void {
  command
    .argument("<path...>", "stores, session files, patterns; -: one path a line on standard input")
    .option("--to <id>", "the harness to convert to, or bundle")
    .requiredOption("--out <dir>", "write here, laid out as the target's own store", filled)
    .option("--from <id>", "the harness they are of, where that cannot be told from the files")
    .option("--cwd <dir>", "the working directory the sessions are to have", filled)
    .option("--share", "for others to see: secrets become markers, what cannot be read stays behind")
    .option("--jobs <n>", "worker threads (default: as many as processors)", positive)
    .option("--shard <i/n>", "only this part of all sessions, I from 1 to N")
    .option("--merge", "the paths are reports of shards, or folders with them: one report of all into --out")
    .option("--resume", "go on: there must be a report in --out already")
    .option("--fail-fast", "stop at the first session that fails")
    .option("--time-limit <s>", "give a session up after so many seconds", positive)
    .option("--max-memory <size>", "memory for all workers together: 600MB, 2GB", size);
  withCommon(withLoss(command), "NDJSON on stdout, one session a line as it is done")
    .addHelpText(
      "after",
      `
Every session of every path; sessions only. What was done is in <out>/report.ndjson, a line each: the same command
again does what is new, changed or failed before. A bad file stops nothing; it is in the report, and the exit code is 4.

  asp-convert batch ~/.claude ~/.codex --to opencode --out ./all
  find / -name '*.jsonl' -path '*/projects/*' | asp-convert batch - --to codex --out ./all
  asp-convert batch ~/.claude --to codex --out ./part-2 --shard 2/4
  asp-convert batch --merge ./part-1 ./part-2 ./part-3 ./part-4 --out ./all`,
    )
    .action((paths: string[], options: Options) => run(paths, options, terminal));
}

async function run(paths: readonly string[], options: Options, terminal: Terminal): Promise<void> {
  const { absolute } = await import("../toolkit.js");
  const out = absolute(options.out, terminal);
  if (options.merge) {
    const { mergeReports } = await import("../batch/merge.js");
    const merged = await mergeReports(paths, out, terminal);
    return terminal.print(`${merged.path}  ${merged.lines} sessions of ${merged.reports} reports`);
  }
  if (options.to === undefined)
    throw new UsageError("--to is missing: which harness to convert to", "`asp-convert plugins` lists them.");
  const shard: Shard | undefined =
    options.shard === undefined ? undefined : (await import("../batch/shard.js")).shardFrom(options.shard);
  const [{ runBatch }, { batchProgress }, { batchLines }, { json }] = await Promise.all([
    import("../batch/run.js"),
    import("../batch/progress.js"),
    import("../ui/batch.js"),
    import("../ui/json.js"),
  ]);
  const started = performance.now();
  const progress = batchProgress(terminal);
  try {
    const result = await runBatch(
      paths,
      {
        to: options.to,
        out,
        losses: { loss: options.loss, ...(options.failOn && { failOn: options.failOn }) },
        plugins: options,
        ...(options.from !== undefined && { from: options.from }),
        ...(options.cwd !== undefined && { cwd: absolute(options.cwd, terminal) }),
        ...(options.share && { share: true }),
        ...(options.jobs !== undefined && { threads: options.jobs }),
        ...(shard && { shard }),
        ...(options.failFast && { failFast: true }),
        ...(options.resume && { resume: true }),
        ...(options.timeLimit !== undefined && { timeLimit: options.timeLimit * 1000 }),
        ...(options.maxMemory !== undefined && { maxMemory: options.maxMemory }),
        onStart: progress.start,
        onLine: async (line) => {
          progress.update(line);
          if (options.json) await terminal.print(json(line));
        },
      },
      terminal,
    );
    progress.end();
    if (!options.json) {
      const view = { elapsedMs: performance.now() - started, to: options.to, quiet: Boolean(options.quiet) };
      await terminal.print((await batchLines(result, view, terminal)).join("\n"));
    }
    if (result.failed > 0) process.exitCode = result.done + result.kept > 0 ? exit.partly : exit.failed;
  } finally {
    progress.end();
  }
}

function positive(text: string): number {
  const n = Number(text);
  if (!Number.isFinite(n) || n <= 0) throw new InvalidArgumentError(`"${text}" is no number above 0.`);
  return n;
}

function size(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)(i?)b?$/i.exec(text.trim());
  if (!match) throw new InvalidArgumentError(`"${text}" is no size: 600MB, 2GB.`);
  const base = match[3] ? 1024 : 1000;
  return Number(match[1]) * base ** ["", "k", "m", "g"].indexOf((match[2] ?? "").toLowerCase());
}
