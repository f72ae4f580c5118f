/** A command as commander builds it, its examples first in its help; completion and manual page read the same. */
import { type AddHelpTextContext, type AddHelpTextPosition, Command } from "commander";
import type { CommandModule, Commands, Entry } from "./commands/entry.js";
import { withPlugins } from "./options.js";
import type { Terminal } from "./terminal.js";

/** A line to try; `EXAMPLE_GOES_ON`: what a long one is broken into. */
const EXAMPLE = /^ {2}(?:asp-convert|npx|find|source|cd) /;
const EXAMPLE_GOES_ON = /^ {4}\S/;

export class HelpfulCommand extends Command {
  examples: readonly string[] = [];
  /** What else is to be known. */
  notes = "";

  override createCommand(name?: string): HelpfulCommand {
    return new HelpfulCommand(name);
  }

  /** Once for each command. Lines of it that can be tried are examples, and go before all else. */
  override addHelpText(
    position: AddHelpTextPosition,
    text: string | ((context: AddHelpTextContext) => string),
  ): this {
    if (typeof text !== "string") return super.addHelpText(position, text);
    const lines = text.split("\n");
    const isExample = (line: string, at: number): boolean =>
      EXAMPLE.test(line) || (EXAMPLE_GOES_ON.test(line) && at > 0 && isExample(lines[at - 1] ?? "", at - 1));
    this.examples = lines.filter(isExample);
    this.notes = lines
      .filter((line, at) => !isExample(line, at))
      .join("\n")
      .trim();
    if (this.examples.length > 0) super.addHelpText("before", `${this.examples.join("\n")}\n`);
    if (this.notes !== "") super.addHelpText(position, `\n${this.notes}`);
    return this;
  }
}

/** A command with its options, not yet asked for anything. */
export function commandOf(
  entry: Entry,
  module: CommandModule,
  terminal: Terminal,
  all: Commands,
): HelpfulCommand {
  const command = new HelpfulCommand(`asp-convert ${entry.name}`.trim());
  command.summary(entry.summary).description(entry.summary).helpOption("-h, --help", "this help");
  module.define(command, terminal, all);
  if (entry.converters !== false) withPlugins(command);
  return command;
}
