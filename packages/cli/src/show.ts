/** Reports to the person or the program that asked. */
import { ForbiddenLossError, type Report } from "@asp-convert/core";
import { exit } from "./errors.js";
import type { CommonOptions, LossOptions } from "./options.js";
import { viewOf } from "./run.js";
import type { Terminal } from "./terminal.js";
import { lossItems, reportLines, resumeLine } from "./ui/report.js";

export async function showReport(
  report: Report,
  options: CommonOptions & Partial<LossOptions>,
  elapsedMs: number,
  terminal: Terminal,
): Promise<void> {
  if (options.json) return terminal.print(JSON.stringify(report, undefined, 2));
  const view = await viewOf(report, terminal, { elapsedMs, hideLosses: options.loss === "ignore" });
  if (options.quiet) {
    const top = report.sessions.filter(({ parent }) => parent === undefined);
    return terminal.print(top.map((session) => resumeLine(session, view)).join("\n"));
  }
  await terminal.print(reportLines(report, view).join("\n"));
}

/** A forbidden loss is an answer, with exit code 3; anything else is thrown on. */
export async function tellForbidden(
  error: unknown,
  options: CommonOptions,
  terminal: Terminal,
): Promise<void> {
  if (!(error instanceof ForbiddenLossError)) throw error;
  process.exitCode = exit.loss;
  terminal.warn(`${terminal.err.red("asp-convert:")} nothing was written: these losses are not allowed`);
  for (const level of ["dropped", "evidence-only", "partial", "not-in-source"] as const) {
    for (const item of lossItems(error.losses, [level])) terminal.warn(`  ${level}  ${item}`);
  }
  terminal.warn("  Allow them (--fail-on, --loss warn), or see all with `asp-convert compare`.");
  if (options.json) {
    const problem = { code: "forbidden-loss", message: error.message };
    await terminal.print(JSON.stringify({ ...error.report, error: problem }, undefined, 2));
  }
}
