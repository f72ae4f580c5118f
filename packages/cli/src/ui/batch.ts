/** What a batch came to, in a few lines. */
import type { BatchResult } from "../batch/run.js";
import { standpoint } from "../run.js";
import type { Terminal } from "../terminal.js";
import { nameOf } from "../toolkit.js";
import { bytes, count, duration, plural } from "./format.js";
import { shortPath } from "./paths.js";

export async function batchLines(
  result: BatchResult,
  { elapsedMs, to, quiet }: { elapsedMs: number; to: string; quiet: boolean },
  terminal: Terminal,
): Promise<string[]> {
  const report = shortPath(result.report, standpoint(terminal));
  if (quiet) return [report];
  const reasons = Object.entries(result.reasons)
    .sort(([, a], [, b]) => b - a)
    .map(([code, n]) => `${code} ${count(n)}`);
  const rate =
    result.bytes > 0 ? `, ${bytes(result.bytes)}, ${bytes(result.bytes / (elapsedMs / 1000))}/s` : "";
  const line = (word: string, text: string) => `  ${terminal.out.dim(word.padEnd(8))}  ${text}`;
  return [
    `batch → ${nameOf(to)}   ${plural(result.sessions, "session")}${rate}   ${duration(elapsedMs)}`,
    line("done", count(result.done)),
    ...(result.kept > 0 ? [line("kept", `${count(result.kept)} done before, and the same now`)] : []),
    ...(result.failed > 0 ? [line("failed", `${count(result.failed)}: ${reasons.join(", ")}`)] : []),
    ...(result.left > 0 ? [line("left", `${count(result.left)}, since one failed (--fail-fast)`)] : []),
    line("report", report),
  ];
}
