import type { Report } from "@asp-convert/core";
import type { Command } from "commander";
import { exit, UsageError } from "../errors.js";
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
  asp-convert convert ~/.claude --to codex --all --fail-on dropped
  asp-convert convert - --to md --out - < session.jsonl > session.md`,
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
  if (options.out === "-") return toStdout(path, options, terminal);
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

/** One session as the file that it would be: a filter, with `-` as the path. */
async function toStdout(
  path: string,
  options: ConvertOptions,
  terminal: Terminal,
): Promise<Report | undefined> {
  const [{ choose, requestOf }, { tellForbidden }, { convertInto }, { toStandardOutput }, { targetOf }] =
    await Promise.all([
      import("../run.js"),
      import("../show.js"),
      import("@asp-convert/core"),
      import("../stdout.js"),
      import("../toolkit.js"),
    ]);
  if (options.json) throw new UsageError("--out - is the session itself, --json the report", "Choose one.");
  const { file } = targetOf(options.to).sessions;
  const chosen = await choose(path, { ...options, quietly: true }, terminal);
  if (chosen.refs.length !== 1)
    throw new UsageError("one session goes to standard output", "Choose it with --session ID or --latest.");
  const {
    state: _,
    trail: __,
    ...request
  } = requestOf(chosen, { ...options, out: file ? `session${file.extension}` : "session" }, terminal);
  try {
    return await convertInto(request, toStandardOutput(process.stdout, terminal.signal));
  } catch (error) {
    await tellForbidden(error, options, terminal);
    return undefined;
  }
}
