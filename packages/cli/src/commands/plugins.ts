import type { Converter } from "@asp-convert/core";
import type { Command } from "commander";
import type { CommonOptions } from "../options.js";
import { withCommon } from "../options.js";
import { broken, plugins } from "../plugins/use.js";
import type { Terminal } from "../terminal.js";
import { json } from "../ui/json.js";

export function define(command: Command, terminal: Terminal): void {
  withCommon(command)
    .addHelpText(
      "after",
      `
Besides what is built in: --plugin PATH|PACKAGE; \`plugins\` in asp.config.{ts,js,json}; packages named asp-convert-* or
@scope/asp-convert-* in the package.json around this folder. A plugin is code, and runs as you do.

  asp-convert plugins
  asp-convert plugins --plugin ./asp-convert-acme`,
    )
    .action((options: CommonOptions) => run(options, terminal));
}

async function run(options: CommonOptions, terminal: Terminal): Promise<void> {
  const [{ harnesses }, { table }, { shortPath }, { standpoint }, { oneLine }] = await Promise.all([
    import("../toolkit.js"),
    import("../ui/table.js"),
    import("../ui/paths.js"),
    import("../run.js"),
    import("../ui/text.js"),
  ]);
  const found = harnesses.map((converter) => {
    const plugin = plugins.find((each) => each.converter.id === converter.id);
    return {
      id: converter.id,
      name: converter.name,
      from: plugin ? plugin.from : "built-in",
      ...(plugin && {
        plugin: plugin.name,
        ...(plugin.version !== undefined && { version: plugin.version }),
      }),
      verified: converter.verified,
      ...(converter.readOnly !== undefined && { readOnly: converter.readOnly }),
      ...storesOf(converter, terminal),
    };
  });
  if (options.json) return terminal.print(json({ asp: 1, plugins: found, broken }, 2));
  const rows = found.map(({ id, name, from, plugin, version, verified, readOnly, stores }) => [
    id,
    oneLine(name),
    plugin === undefined ? from : oneLine([plugin, version ?? ""].join(" ").trim()),
    readOnly === undefined ? oneLine(verified.join(", ")) : "read only",
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

function storesOf(converter: Converter, terminal: Terminal): { stores: readonly string[] } {
  try {
    return { stores: converter.locate(terminal.environment) };
  } catch (error) {
    terminal.warn(`asp-convert: ${converter.id} could not say where its stores are: ${String(error)}`);
    return { stores: [] };
  }
}
