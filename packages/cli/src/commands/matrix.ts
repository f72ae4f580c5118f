import type { Axis, MatrixRow } from "@asp-convert/core";
import { type Command, Option } from "commander";
import type { CommonOptions } from "../options.js";
import { filled, withCommon } from "../options.js";
import type { Terminal } from "../terminal.js";
import { json } from "../ui/json.js";

interface MatrixOptions extends CommonOptions {
  markdown?: boolean;
  html?: boolean;
  out?: string;
}

export function define(command: Command, terminal: Terminal): void {
  command
    .addOption(new Option("--markdown", "as a Markdown table").conflicts("json"))
    .addOption(new Option("--html", "as a picture: one HTML page").conflicts(["json", "markdown"]))
    .option("-o, --out <file>", "with --html: the page (default: ./matrix.html)", filled);
  withCommon(command)
    .addHelpText(
      "after",
      `
kept: arrives as it was · partial: merged or re-encoded · evidence: only in the native bytes that are kept ·
dropped: does not arrive · –: the program has no such thing (or, where a line below says so, it is not read)
What a conversion does with one session is what both say together: \`asp-convert compare PATH --to ID\`

  asp-convert matrix
  asp-convert matrix --markdown
  asp-convert matrix --html -o matrix.html`,
    )
    .action((options: MatrixOptions) => run(options, terminal));
}

async function run(options: MatrixOptions, terminal: Terminal): Promise<void> {
  const [{ harnesses }, core, ui] = await Promise.all([
    import("../toolkit.js"),
    import("@asp-convert/core"),
    import("../ui/matrix.js"),
  ]);
  const rows = core.matrix(harnesses);
  const known = Object.keys(core.axes) as Axis[];
  if (options.json) return terminal.print(json({ asp: 1, axes: core.axes, matrix: rows }, 2));
  if (options.html) return page(options.out ?? "matrix.html", rows, terminal);
  if (options.markdown) return terminal.print(ui.matrixMarkdown(rows, known));
  const [head = "", ...lines] = ui.matrixLines(rows, known);
  await terminal.print([terminal.out.dim(head), ...lines].join("\n"));
}

async function page(out: string, rows: readonly MatrixRow[], terminal: Terminal): Promise<void> {
  const [{ absolute }, { writePage }, { loadAssets, matrixPage }, { shortPath }, { standpoint }] =
    await Promise.all([
      import("../toolkit.js"),
      import("../view/file.js"),
      import("@asp-convert/page"),
      import("../ui/paths.js"),
      import("../run.js"),
    ]);
  const path = absolute(out, terminal);
  await writePage(path, matrixPage(rows, loadAssets()), terminal);
  await terminal.print(`${terminal.out.bold("page")}   ${shortPath(path, standpoint(terminal))}`);
}
