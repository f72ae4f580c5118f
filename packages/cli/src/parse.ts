/** One command line, read by commander: its help to stdout, its complaints as ours with exit code 2. */
import { type Command, CommanderError } from "commander";
import { commandOf } from "./command.js";
import type { CommandModule, Entry } from "./commands/entry.js";
import { commands } from "./commands/index.js";
import { UsageError } from "./errors.js";
import type { CommonOptions } from "./options.js";
import type { PluginOptions } from "./plugins/find.js";
import { usePlugins } from "./plugins/use.js";
import type { Terminal } from "./terminal.js";

/** Options that take several values, and so also a path that stands behind them. */
const GREEDY = ["--session", "--project"];

export async function parse(
  entry: Entry,
  module: CommandModule,
  args: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const name = `asp-convert ${entry.name}`.trim();
  const printed: string[] = [];
  const command = commandOf(entry, module, terminal, commands);
  quietly(command, terminal.columns ?? 100, (text) => printed.push(text));
  command.hook("preAction", async () => {
    const options: Partial<CommonOptions> & PluginOptions = command.opts();
    terminal.quiet = Boolean(options.quiet);
    if (entry.converters !== false) await usePlugins(options, command.args, terminal);
  });
  try {
    await command.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return terminal.print(printed.join(""));
    const message = error.message.replace(/^error: /, "").replaceAll("\n", " ");
    const greedy = error.code === "commander.missingArgument" && GREEDY.find((flag) => args.includes(flag));
    if (greedy)
      throw new UsageError(
        `${message}: what follows ${greedy} is all taken for it`,
        `Put the path first: ${name} PATH ${greedy} …`,
      );
    throw new UsageError(message, `\`${name} --help\` shows what there is.`);
  }
}

/** Nothing is printed but by us. Those below it have copied what it was before it was told so. */
function quietly(command: Command, helpWidth: number, writeOut: (text: string) => void): void {
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureHelp({ helpWidth })
    .configureOutput({ writeOut, writeErr: () => {}, outputError: () => {} });
  for (const below of command.commands) quietly(below, helpWidth, writeOut);
}
