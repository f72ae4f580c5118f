import type { Receipt } from "@asp-convert/core";
import type { Command } from "commander";
import type { CommonOptions } from "../options.js";
import { withCommon } from "../options.js";
import type { Terminal } from "../terminal.js";
import { json } from "../ui/json.js";

interface UndoOptions extends CommonOptions {
  list?: boolean;
}

export function define(command: Command, terminal: Terminal): void {
  command
    .argument("[receipt]", "its id, as the report showed it; none: the latest that was not undone")
    .option("--list", "show the receipts instead");
  withCommon(command)
    .addHelpText(
      "after",
      "\nCreated files are removed, edited ones restored. Refuses if any of them was changed since." +
        "\n\n  asp-convert undo\n  asp-convert undo --list\n  asp-convert undo 2026-11-30T12-00-00Z-7f3a",
    )
    .action((id: string | undefined, options: UndoOptions) =>
      options.list ? showReceipts(options, terminal) : run(id, options, terminal),
    );
}

async function run(id: string | undefined, options: UndoOptions, terminal: Terminal): Promise<void> {
  const [{ undo }, { shortPath }, { standpoint }, { oneLine }, { source }] = await Promise.all([
    import("@asp-convert/core"),
    import("../ui/paths.js"),
    import("../run.js"),
    import("../ui/text.js"),
    import("../toolkit.js"),
  ]);
  const receipt = await undo(id, terminal.environment);
  if (options.json) return terminal.print(json({ asp: 1, undone: receipt }, 2));
  const { out } = terminal;
  await terminal.print(`${out.bold("undone")}   ${receipt.id}   ${out.dim(oneLine(receipt.what))}`);
  if (options.quiet) return;
  for (const entry of receipt.entries) {
    // An index or a manifest that this run had made goes away like any new file.
    const how = (await source.stat(entry.path).catch(() => undefined)) ? "restored" : "removed ";
    await terminal.print(`  ${out.dim(how)}  ${oneLine(shortPath(entry.path, standpoint(terminal)))}`);
  }
}

async function showReceipts(options: UndoOptions, terminal: Terminal): Promise<void> {
  const [{ listReceipts }, { table }, { plural, when }, { oneLine }] = await Promise.all([
    import("@asp-convert/core"),
    import("../ui/table.js"),
    import("../ui/format.js"),
    import("../ui/text.js"),
  ]);
  const receipts = await listReceipts(terminal.environment);
  if (options.json) return terminal.print(json({ asp: 1, receipts }, 2));
  if (receipts.length === 0) return terminal.say("no receipts: nothing was written on this machine");
  const row = (receipt: Receipt) => [
    receipt.id,
    when(receipt.createdAt),
    receipt.state,
    plural(receipt.entries.length, "file"),
    oneLine(receipt.what),
  ];
  const heads = [
    { head: "receipt" },
    { head: "time" },
    { head: "state" },
    { head: "" },
    { head: "what", shrink: 12 },
  ];
  const [head = "", ...lines] = table(heads, receipts.map(row), terminal.columns);
  await terminal.print([terminal.out.dim(head), ...lines].join("\n"));
}
