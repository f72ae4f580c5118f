/** The first page of help. The help of a command comes from its own definition. */
import { commands } from "./commands/index.js";
import { version } from "./version.js";

export function help(): string {
  const usages = commands.entries.map(({ name, usage }) => `${name} ${usage}`.trim());
  const size = Math.max(...usages.map((usage) => usage.length));
  return `asp-convert ${version}: move an AI coding agent's sessions between programs

  asp-convert                          pick a session and where it goes (in a terminal; --plain: in numbers)
  asp-convert PATH                     what is this?
  asp-convert PATH --to codex          convert, into ./asp-out/codex
  asp-convert PATH --to codex --install   convert, into the program's real store

PATH is a store (~/.claude, ~/.codex), a project folder, one session file, or a portable bundle (NAME.asp).
A source is never changed, nothing is ever overwritten, everything written can be undone.

Commands
${commands.entries.map(({ summary }, index) => `  ${(usages[index] ?? "").padEnd(size)}  ${summary}`).join("\n")}

  asp-convert COMMAND --help           its options
  asp-convert --version

Exit codes: 0 done · 1 failed, nothing written · 2 wrong usage · 3 a forbidden loss, nothing written · 4 partly done
`;
}
