import { Argument, type Command } from "commander";
import { UsageError } from "../errors.js";
import type { Terminal } from "../terminal.js";
import type { Commands } from "./entry.js";

export function define(command: Command, terminal: Terminal, all: Commands): void {
  command
    .addArgument(new Argument("[words...]", "bash, zsh or fish"))
    .option("--line", "what can stand in place of the last of these words: it is this that the shell asks")
    .addHelpText(
      "after",
      `
  source <(asp-convert completion bash)      in ~/.bashrc
  source <(asp-convert completion zsh)       in ~/.zshrc
  asp-convert completion fish > ~/.config/fish/completions/asp-convert.fish

Sessions are completed by their ids and found by their titles: \`--session flux\` and the tab key.`,
    )
    .action((words: string[], { line }: { line?: boolean }) => run(words, line === true, all, terminal));
}

async function run(
  words: readonly string[],
  line: boolean,
  all: Commands,
  terminal: Terminal,
): Promise<void> {
  if (line) {
    const { complete } = await import("../completion/complete.js");
    // Whoever presses a key is told nothing but words.
    const { candidates, files } = await complete(words, all, {
      ...terminal,
      closed: false,
      warn() {},
      say() {},
    });
    const lines = candidates.map(({ value, about }) => `${value}\t${about}`);
    const answer = [...(files ? [":files"] : []), ...lines];
    return answer.length > 0 ? terminal.print(answer.join("\n")) : undefined;
  }
  const { scripts, shells } = await import("../completion/scripts.js");
  const [name, ...more] = words;
  const shell = shells.find((each) => each === name);
  if (shell === undefined || more.length > 0)
    throw new UsageError(
      name === undefined ? "for which shell?" : `there is nothing for the shell "${words.join(" ")}"`,
      `Shells: ${shells.join(", ")}`,
    );
  await terminal.print(scripts[shell]);
}
