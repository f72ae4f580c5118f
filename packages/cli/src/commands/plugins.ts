import type { Command } from "commander";
import type { CommonOptions } from "../options.js";
import { withCommon } from "../options.js";
import type { Terminal } from "../terminal.js";
import { json } from "../ui/json.js";

export function define(command: Command, terminal: Terminal): void {
  withCommon(command).action((options: CommonOptions) => run(options, terminal));
}

async function run(options: CommonOptions, terminal: Terminal): Promise<void> {
  const [{ harnesses }, { table }, { shortPath }, { standpoint }] = await Promise.all([
    import("../toolkit.js"),
    import("../ui/table.js"),
    import("../ui/paths.js"),
    import("../run.js"),
  ]);
  const found = harnesses.map((converter) => ({
    id: converter.id,
    name: converter.name,
    from: "built-in",
    verified: converter.verified,
    stores: converter.locate(terminal.environment),
  }));
  if (options.json) return terminal.print(json({ asp: 1, plugins: found }, 2));
  const rows = found.map(({ id, name, from, verified, stores }) => [
    id,
    name,
    from,
    verified.join(", "),
    stores.map((path) => shortPath(path, standpoint(terminal))).join(", "),
  ]);
  const columns = [
    { head: "id" },
    { head: "name" },
    { head: "from" },
    { head: "verified on" },
    { head: "store", shrink: 12 },
  ];
  const [head = "", ...lines] = table(columns, rows, terminal.columns);
  await terminal.print([terminal.out.dim(head), ...lines].join("\n"));
}
