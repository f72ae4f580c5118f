/** From arguments to an exit code: finds the command, runs it, tells what went wrong. */
import { constants } from "node:os";
import type { Entry } from "./commands/entry.js";
import { commands } from "./commands/index.js";
import { exit, type Failure, failureOf, UsageError } from "./errors.js";
import { createTerminal, type Terminal } from "./terminal.js";
import { json } from "./ui/json.js";

/** Flags without a value that may stand before the command. */
const LEADING = new Set(["--json", "--quiet", "-q", "--no-color"]);

/** All that the picker knows. */
const PICKING = new Set(["--plain", "--no-index", "--no-color"]);

const isOfPicker = (arg: string): boolean => arg === "--plain" || arg === "--no-index";

export async function main(args: readonly string[]): Promise<void> {
  const abort = new AbortController();
  const terminal = createTerminal(process, abort.signal, !args.includes("--no-color"));
  const restore = onInterrupt(abort, terminal);
  try {
    await dispatch(args, terminal);
  } catch (error) {
    const failure = abort.signal.aborted ? interrupted(error, abort.signal) : failureOf(error);
    process.exitCode = failure.exit;
    await tell(failure, error, args, terminal);
  } finally {
    for (const step of terminal.after) step();
    restore();
  }
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<void> {
  const at = args.findIndex((arg, index) => !LEADING.has(arg) && !isPlugin(arg, args[index - 1]));
  const first = args[at];
  if (args.every((arg) => PICKING.has(arg)) && (terminal.interactive || args.some(isOfPicker))) {
    if (!terminal.interactive)
      throw new UsageError("there is no terminal to pick a session on", "`asp-convert list` shows them all.");
    const { pick } = await import("./pick.js");
    return pick({ plain: args.includes("--plain"), index: !args.includes("--no-index") }, terminal);
  }
  if (
    first === undefined ||
    first === "--help" ||
    first === "-h" ||
    (first === "help" && args.length === at + 1)
  ) {
    const { help } = await import("./help.js");
    return terminal.print(help());
  }
  if (first === "--version" || first === "-V") {
    const { version } = await import("./version.js");
    return terminal.print(version);
  }
  // `help list` is `list --help`.
  const words = first === "help" ? [...args.slice(at + 1), "--help"] : args;
  const name = first === "help" ? args[at + 1] : first;
  const entry = commands.entries.find((known) => known.name === name);
  const rest = entry ? withoutFirst(words, entry.name) : words;
  if (entry) return runCommand(entry, rest, terminal);
  try {
    await runCommand(commands.bare, rest, terminal);
  } catch (error) {
    const { explain } = await import("./suggest.js");
    throw explain(
      error,
      first,
      commands.entries.map((known) => known.name),
    );
  }
}

/** `--plugin X`, `--plugin=X`, `--no-plugins`: before the command as well as after it. */
function isPlugin(arg: string, before: string | undefined): boolean {
  return arg === "--no-plugins" || /^--plugin(=|$)/.test(arg) || before === "--plugin";
}

function withoutFirst(words: readonly string[], name: string): string[] {
  const at = words.indexOf(name);
  return words.filter((_, index) => index !== at);
}

async function runCommand(entry: Entry, args: readonly string[], terminal: Terminal): Promise<void> {
  const [{ parse }, module] = await Promise.all([import("./parse.js"), entry.load()]);
  await parse(entry, module, args, terminal);
}

/** The first Ctrl-C asks the work to stop and clean up; a second one does not wait for that. */
function onInterrupt(abort: AbortController, terminal: Terminal): () => void {
  const stop = (signal: NodeJS.Signals) => {
    if (abort.signal.aborted) process.exit(exitOf(signal));
    if (terminal.live) terminal.warn("\nstopping; what was begun is taken back …");
    abort.abort(new Stopped(signal));
  };
  const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

/** Why the work was asked to stop. */
class Stopped extends Error {
  override name = "AbortError";
  readonly by: NodeJS.Signals;
  constructor(by: NodeJS.Signals) {
    super(`stopped by ${by}`);
    this.by = by;
  }
}

/** As shells count: 130 for Ctrl-C. */
function exitOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

function interrupted(error: unknown, { reason }: AbortSignal): Failure {
  // What failed while cleaning up is the news then, not the interruption.
  const real = error instanceof Error && error.name !== "AbortError" ? failureOf(error) : undefined;
  return {
    exit: reason instanceof Stopped ? exitOf(reason.by) : exit.interrupted,
    code: "interrupted",
    message: `interrupted; ${real ? real.message : "nothing was left behind"}`,
  };
}

async function tell(
  failure: Failure,
  error: unknown,
  args: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const { exit: _, next, ...rest } = failure;
  terminal.warn(`${terminal.err.red("asp-convert:")} ${failure.message}`);
  if (next !== undefined) terminal.warn(`  ${next}`);
  if (terminal.environment.env.ASP_DEBUG === "1" && error instanceof Error) terminal.warn(stackOf(error));
  if (args.includes("--json")) {
    await terminal.print(json({ asp: 1, error: { ...rest, ...(next !== undefined && { next }) } }));
  }
}

/** With what it was caused by. */
function stackOf({ stack = "", cause }: Error): string {
  return cause instanceof Error ? `${stack}\ncaused by ${stackOf(cause)}` : stack;
}
