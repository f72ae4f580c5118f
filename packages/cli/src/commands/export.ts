import type { Command } from "commander";
import type { CommonOptions, LossOptions, SessionOptions, StateOptions } from "../options.js";
import { withCommon, withLoss, withSessions, withState } from "../options.js";
import type { Terminal } from "../terminal.js";

type ExportOptions = CommonOptions &
  SessionOptions &
  StateOptions &
  LossOptions & { out?: string; dryRun?: boolean };

export function define(command: Command, terminal: Terminal): void {
  command
    .argument("<path>", "a store, a project folder or a session file")
    .option("--out <dir>", "the bundle: a folder, made or added to (default: ./asp-out/<harness>.asp)")
    .option("--dry-run", "do everything but write");
  withCommon(withLoss(withState(withSessions(command))))
    .addHelpText(
      "after",
      `
A bundle holds the sessions as portable events beside the native bytes they were made of. Back in the harness
they came from they are byte for byte what they were. Beside them, for a person to read: AGENTS.md, skills/,
tools.json, memory/, settings.json. Literal secrets stay behind, unless --include-secrets.

  asp-convert export ~/.claude --latest --out ./monday.asp
  asp-convert import ./monday.asp --to codex`,
    )
    .action((path: string, options: ExportOptions) => run(path, options, terminal));
}

async function run(path: string, options: ExportOptions, terminal: Terminal): Promise<void> {
  const { runConvert } = await import("./convert.js");
  await runConvert(path, { ...options, to: "bundle" }, terminal);
}
