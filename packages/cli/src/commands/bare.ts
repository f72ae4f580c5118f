/** `asp-convert PATH`: describes it; with `--to` it converts. */
import { type Command, Option } from "commander";
import { UsageError } from "../errors.js";
import { filled, withCommon, withLoss, withSessions, withState } from "../options.js";
import type { Terminal } from "../terminal.js";
import type { ConvertOptions } from "./convert.js";

type BareOptions = Omit<ConvertOptions, "to"> & { to?: string };

const NEED_TARGET = [
  "out",
  "install",
  "cwd",
  "dryRun",
  "session",
  "latest",
  "all",
  "failOn",
  "allowTools",
  "includeSecrets",
  "share",
  "dropRestrictions",
] as const;

export function define(command: Command, terminal: Terminal): void {
  command
    .argument("<path>", "a store, a project folder, a session file or a bundle")
    .option("--to <id>", "convert it to this harness")
    .option("--out <dir>", "", filled)
    .addOption(new Option("--install").conflicts("out"))
    .option("--cwd <dir>", "", filled)
    .option("--dry-run")
    .option("--no-remember");
  withCommon(withLoss(withState(withSessions(command)))).action((path: string, options: BareOptions) =>
    run(path, options, terminal),
  );
}

async function run(path: string, options: BareOptions, terminal: Terminal): Promise<void> {
  if (options.to !== undefined) {
    const { runConvert } = await import("./convert.js");
    await runConvert(path, { ...options, to: options.to }, terminal);
    return;
  }
  const given = NEED_TARGET.find((name) => options[name] !== undefined);
  if (given !== undefined) {
    const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(
      `--${flag} is for a conversion, and there is no --to`,
      "Say what to convert to: --to codex",
    );
  }
  const { runDescribe } = await import("./describe.js");
  await runDescribe(path, options, terminal);
}
