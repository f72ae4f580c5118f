import type { Command } from "commander";
import { exit } from "../errors.js";
import type { CommonOptions, LossOptions, SessionOptions, StateOptions, TargetOptions } from "../options.js";
import { withCommon, withLoss, withSessions, withState } from "../options.js";
import type { Terminal } from "../terminal.js";
import { json } from "../ui/json.js";

type CompareOptions = CommonOptions & SessionOptions & TargetOptions & StateOptions & LossOptions;

export function define(command: Command, terminal: Terminal): void {
  command
    .argument("<path>", "a store, a project folder, a session file or a bundle")
    .requiredOption("--to <id>", "the harness to compare with: claude, codex … (`plugins` lists them)");
  withCommon(withLoss(withState(withSessions(command))))
    .addHelpText(
      "after",
      "\nReads everything and plans everything, as `convert` would; writes nothing.\n\n  asp-convert compare ~/.claude --to codex --latest",
    )
    .action((path: string, options: CompareOptions) => runCompare(path, options, terminal));
}

export async function runCompare(
  path: string,
  options: Omit<CompareOptions, "out">,
  terminal: Terminal,
): Promise<void> {
  const [
    { choose, requestOf },
    { forbidden },
    core,
    { progressLine },
    { comparisonRows },
    { table },
    format,
    { nameOf },
  ] = await Promise.all([
    import("../run.js"),
    import("../losses.js"),
    import("@asp-convert/core"),
    import("../progress.js"),
    import("../ui/report.js"),
    import("../ui/table.js"),
    import("../ui/format.js"),
    import("../toolkit.js"),
  ]);
  const chosen = await choose(
    path,
    { ...options, quietly: Boolean(options.json || options.quiet) },
    terminal,
  );
  const progress = progressLine(terminal);
  const { forbid: _, ...request } = requestOf(chosen, options, terminal);
  const comparison = await core.compare({ ...request, onProgress: progress.update }).finally(progress.end);
  const forbid = forbidden(options);
  if (forbid && comparison.losses.some(forbid)) process.exitCode = exit.loss;
  if (options.json) return terminal.print(json(comparison, 2));
  const { from, to, sessions } = comparison;
  const head = `${nameOf(from.harness)} → ${nameOf(to.harness)}   ${format.plural(sessions.length, "session")}, nothing written`;
  const rows = comparisonRows(comparison);
  const columns = [
    { head: "" },
    { head: "keep", align: "right" },
    { head: "degrade", align: "right" },
    { head: "drop", align: "right" },
    { head: "why", shrink: 20 },
  ] as const;
  const [heads = "", ...lines] = table(columns, rows, terminal.columns);
  await terminal.print([terminal.out.bold(head), terminal.out.dim(heads), ...lines].join("\n"));
  if (comparison.items.length === 0) return;
  const { itemRows } = await import("../ui/state.js");
  const itemColumns = [
    { head: "kind" },
    { head: "item", shrink: 20 },
    { head: "scope" },
    { head: "would be" },
    { head: "why", shrink: 20 },
  ] as const;
  const [itemHeads = "", ...itemLines] = table(itemColumns, itemRows(comparison.items), terminal.columns);
  await terminal.print(["", terminal.out.dim(itemHeads), ...itemLines].join("\n"));
}
