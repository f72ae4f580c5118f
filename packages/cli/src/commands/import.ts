import type { Command } from "commander";
import { CommandError } from "../errors.js";
import { withCommon, withLoss, withSessions, withState, withTarget } from "../options.js";
import type { Terminal } from "../terminal.js";
import type { ConvertOptions } from "./convert.js";

export function define(command: Command, terminal: Terminal): void {
  command.argument("<bundle>", "a portable bundle (NAME.asp), as `export` makes it");
  withCommon(withLoss(withState(withSessions(withTarget(command)))))
    .addHelpText(
      "after",
      `
Into the harness they came from, sessions go back byte for byte under their own ids; where an id is there
already with the same content there is nothing to do, with other content it becomes a copy under a new id.

  asp-convert import ./monday.asp --to codex --install`,
    )
    .action((path: string, options: ConvertOptions) => run(path, options, terminal));
}

async function run(path: string, options: ConvertOptions, terminal: Terminal): Promise<void> {
  const [{ open }, { runConvert }] = await Promise.all([import("../toolkit.js"), import("./convert.js")]);
  const { converter } = await open(path, options.from, terminal);
  if (!converter.container) {
    throw new CommandError(`${path}: is a store of ${converter.name}, not a bundle`, {
      code: "not-a-bundle",
      next: `\`asp-convert convert ${path} --to ${options.to}\` converts it directly.`,
    });
  }
  await runConvert(path, options, terminal);
}
