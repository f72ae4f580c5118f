/** What a command is, before anything of it is loaded. */
import type { Command } from "commander";
import type { Terminal } from "../terminal.js";

export interface CommandModule {
  /** Arguments, options, examples and action of the command. `all`: for what tells of every command. */
  define(command: Command, terminal: Terminal, all: Commands): void;
}

export interface Entry {
  name: string;
  usage: string;
  summary: string;
  load: () => Promise<CommandModule>;
  /** It works without any converter. */
  converters?: false;
}

export interface Commands {
  entries: readonly Entry[];
  /** `asp-convert PATH …`, which has no name. */
  bare: Entry;
}
