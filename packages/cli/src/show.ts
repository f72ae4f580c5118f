/** Reports to the person or the program that asked. */
import { ForbiddenLossError, type Report } from "@asp-convert/core";
import { exit } from "./errors.js";
import type { CommonOptions, LossOptions } from "./options.js";
import { viewOf } from "./run.js";
import type { Terminal } from "./terminal.js";
import { json } from "./ui/json.js";
import { lossItems, type ReportView, reportLines, resumeLine } from "./ui/report.js";

export async function showReport(
  report: Report,
  options: CommonOptions & Partial<LossOptions> & { cwd?: string },
  more: Pick<ReportView, "elapsedMs" | "archived">,
  terminal: Terminal,
): Promise<void> {
  if (options.json) return terminal.print(json(report, 2));
  const view = await viewOf(report, terminal, {
    ...more,
    hideLosses: options.loss === "ignore",
    rehomed: options.cwd !== undefined,
  });
  if (options.quiet) {
    const lines = report.sessions.flatMap((session) => (session.resume ? resumeLine(session, view) : []));
    return lines.length > 0 ? terminal.print(lines.join("\n")) : undefined;
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
    await terminal.print(json({ ...error.report, error: problem }, 2));
  }
}
