import type { Report } from "@asp-convert/core";
import type { Command } from "commander";
import { exit } from "../errors.js";
import type { CommonOptions, LossOptions, SessionOptions, StateOptions, TargetOptions } from "../options.js";
import { withCommon, withLoss, withSessions, withState, withTarget } from "../options.js";
import type { Terminal } from "../terminal.js";

export type ConvertOptions = CommonOptions & SessionOptions & TargetOptions & StateOptions & LossOptions;

export function define(command: Command, terminal: Terminal): void {
  command.argument("<path>", "a store, a project folder, a session file or a bundle");
  withCommon(withLoss(withState(withSessions(withTarget(command)))))
    .addHelpText(
      "after",
      `
Without --session, --latest or --all: the only session there is; of several you are asked, and where nobody
can be asked (a script) the newest is taken. With it come instructions, skills, memory and settings, and with
--allow-tools MCP servers and hooks; --kinds says which. Those of a project folder: its path, or --project.

  asp-convert convert ~/.claude --to codex --install
  asp-convert convert ~/.codex --to claude --session 0199c1de --out ./there
  asp-convert convert ~/.claude --to codex --all --fail-on dropped`,
    )
    .action(async (path: string, options: ConvertOptions) => {
      await runConvert(path, options, terminal);
    });
}

/** undefined: a loss that is not allowed stopped it. */
export async function runConvert(
  path: string,
  options: ConvertOptions,
  terminal: Terminal,
): Promise<Report | undefined> {
  const [
    { choose, requestOf },
    { withConsent },
    { showReport, tellForbidden },
    { convert },
    { progressLine },
  ] = await Promise.all([
    import("../run.js"),
    import("../consent.js"),
    import("../show.js"),
    import("@asp-convert/core"),
    import("../progress.js"),
  ]);
  const chosen = await choose(
    path,
    { ...options, quietly: Boolean(options.json || options.quiet) },
    terminal,
  );
  const request = await withConsent(requestOf(chosen, options, terminal), options, terminal);
  const started = performance.now();
  const progress = progressLine(terminal);
  try {
    const report = await convert({ ...request, onProgress: progress.update });
    progress.end();
    const elapsedMs = performance.now() - started;
    const archived = new Set(chosen.refs.flatMap((ref) => (ref.archived ? ref.id : [])));
    if (options.all && chosen.unreadable.length > 0) process.exitCode = exit.partly;
    await showReport(report, options, { elapsedMs, archived }, terminal);
    return report;
  } catch (error) {
    progress.end();
    await tellForbidden(error, options, terminal);
    return undefined;
  }
}
