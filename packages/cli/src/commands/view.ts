import type { Command } from "commander";
import type { CommonOptions, SessionOptions } from "../options.js";
import { filled, withCommon } from "../options.js";
import type { Terminal } from "../terminal.js";

interface ViewOptions extends CommonOptions, Pick<SessionOptions, "session" | "latest" | "from"> {
  out?: string;
  to?: string;
  cwd?: string;
  open?: boolean;
  share?: boolean;
}

export function define(command: Command, terminal: Terminal): void {
  command
    .argument(
      "<path>",
      "a store, a project folder, a session file, a bundle; or the id of a session on this machine",
    )
    .option("-o, --out <file>", "the page (default: ./<session id>.html)", filled)
    .option("--open", "show it in the browser")
    .option("--to <id>", "mark what a conversion to this harness would lose, each thing where it is")
    .option("--session <id>", "this session: its id, or the first characters of it", (id) => [filled(id)])
    .option("--latest", "the newest session")
    .option("--from <id>", "the harness it is of, where that cannot be told from the files")
    .option("--cwd <dir>", "with --to: the working directory the session would have", filled)
    .option("--share", "for others to see: secrets become markers, what cannot be read stays behind");
  withCommon(command)
    .addHelpText(
      "after",
      `
One HTML file that needs nothing beside it and loads nothing. A page that is there already is made anew; any other file
of that name stays.

  asp-convert view ~/.claude --latest --open
  asp-convert view ~/.claude --latest --to codex -o losses.html
  asp-convert view 0199c1de --share -o for-a-colleague.html`,
    )
    .action((path: string, options: ViewOptions) => run(path, options, terminal));
}

async function run(path: string, options: ViewOptions, terminal: Terminal): Promise<void> {
  const [{ makePage }, { json }, { shortPath }, { standpoint }, { bytes }] = await Promise.all([
    import("../view/make.js"),
    import("../ui/json.js"),
    import("../ui/paths.js"),
    import("../run.js"),
    import("../ui/format.js"),
  ]);
  const made = await makePage(path, options, terminal);
  if (options.json) await terminal.print(json({ asp: 1, view: made }, 2));
  else {
    const losses = made.losses === undefined ? "" : `, ${made.losses} losses marked`;
    const text = `${terminal.out.bold("page")}   ${shortPath(made.path, standpoint(terminal))}   ${terminal.out.dim(`${bytes(made.bytes)}${losses}`)}`;
    await terminal.print(text);
  }
  if (!options.open) return;
  const { openInBrowser } = await import("../view/browser.js");
  await openInBrowser(made.path, terminal);
}
