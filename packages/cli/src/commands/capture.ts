import type { SessionRef } from "@asp-convert/core";
import type { Seen } from "@asp-convert/store";
import type { Command } from "commander";
import { type CommonOptions, count, filled, withCommon } from "../options.js";
import type { Terminal } from "../terminal.js";

interface CaptureCommand extends CommonOptions {
  into?: string;
  from?: string;
  once?: boolean;
  poll?: number;
}

export function define(command: Command, terminal: Terminal): void {
  command
    .argument("<path>", "a store, a project folder, or a single session")
    .option("--into <log>", "the log's folder (default: this machine's own)", filled)
    .option("--from <id>", "the harness it is of, where that cannot be told from the files")
    .option("--once", "keep what is there now, and end")
    .option("--poll <seconds>", "look again and again, as a network file system needs it", count);
  withCommon(command, "one line of JSON on stdout for each state that was seen")
    .addHelpText(
      "after",
      `
Follows the sessions below PATH until it is stopped (Ctrl-C): what is added to them is kept a moment later, and each state
they were seen in comes out again, also when the program has shortened, rewritten or deleted them since. It may be stopped
and started at any time: nothing is kept twice, and what came in between is kept then.

  asp-convert capture ~/.claude
  asp-convert capture ~/.codex --into ./codex-log --once
  asp-convert log list --log ./codex-log
  asp-convert log export SESSION --revision 3 --to claude --log ./codex-log`,
    )
    .action((path: string, options: CaptureCommand) => run(path, options, terminal));
}

async function run(path: string, options: CaptureCommand, terminal: Terminal): Promise<void> {
  const [{ Capture }, { logIn }, { open, nameOf, source }, { oneLine }, { plural }] = await Promise.all([
    import("@asp-convert/store"),
    import("../trail.js"),
    import("../toolkit.js"),
    import("../ui/text.js"),
    import("../ui/format.js"),
  ]);
  const { environment, signal } = terminal;
  const { converter, store } = await open(path, options.from, terminal);
  const log = await logIn(options.into, terminal);
  const sessions = new Set<string>();
  const onSeen = (ref: SessionRef, { at, why, revision, events, session }: Seen) => {
    const { harness, id, title } = ref;
    sessions.add(id);
    const bytes = session.files.reduce((sum, { size }) => sum + size, 0);
    if (options.json) void terminal.print(JSON.stringify({ at, harness, id, why, revision, events, bytes }));
    else
      terminal.say(
        `${at.slice(11, 19)}  ${id.slice(0, 8)}  ${why}, ${plural(events, "event")}  ${oneLine(title ?? "")}`,
      );
  };
  await new Capture({
    ...{ log, converter, store, source, environment, onSeen },
    ...(!options.once && { signal }),
    ...(options.poll !== undefined && { poll: options.poll * 1000 }),
    onUnreadable: (error) => terminal.warn(`not read: ${oneLine(error.message)}`),
    onFollowing: (why) =>
      terminal.say(
        why === undefined
          ? `following ${nameOf(converter.id)} in ${path}, into ${log.root}; Ctrl-C ends it`
          : `the system does not tell of changes (${oneLine(why)}); it is looked every 2 seconds`,
      ),
  }).run();
  if (options.once) terminal.say(`${plural(sessions.size, "session")} kept in ${log.root}`);
}
