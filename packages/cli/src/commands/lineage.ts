import type { Command } from "commander";
import type { LogOptions } from "../options.js";
import { withLog } from "../options.js";
import type { Terminal } from "../terminal.js";

export function define(command: Command, terminal: Terminal): void {
  command.argument("[session]", "its id in any program it was in, or the first characters; none: all");
  withLog(command)
    .addHelpText(
      "after",
      "\nFrom which session which other one was made, in which program, oldest first: what this machine's log tells." +
        "\n\n  asp-convert lineage\n  asp-convert lineage 0199c1de",
    )
    .action((session: string | undefined, options: LogOptions) => run(session ?? "", options, terminal));
}

async function run(session: string, options: LogOptions, terminal: Terminal): Promise<void> {
  const [{ lineageOf }, { logIn }, { nameOf }, { when }, { oneLine }, { table }] = await Promise.all([
    import("@asp-convert/store"),
    import("../trail.js"),
    import("../toolkit.js"),
    import("../ui/format.js"),
    import("../ui/text.js"),
    import("../ui/table.js"),
  ]);
  const lineage = await lineageOf(await logIn(options.log, terminal), session);
  if (options.json) return terminal.print(JSON.stringify({ asp: 1, ...lineage }, undefined, 2));
  if (lineage.relations.length === 0) {
    const whose = session === "" ? "any session" : `a session ${oneLine(session)}`;
    return terminal.say(`nothing is known of ${whose}: no conversion of it is in this machine's log`);
  }
  const titles = new Map(lineage.sessions.map(({ id, title }) => [id, title]));
  const rows = lineage.relations.map(
    ({ createdAt, sourceSessionId, targetSessionId, type, typeData, how }) => [
      when(createdAt),
      `${nameOf(typeData?.sourceHarness ?? "")} ${sourceSessionId}`,
      how === "returned" ? "came home" : type,
      `${nameOf(typeData?.targetHarness ?? "")} ${targetSessionId}`,
      oneLine(titles.get(sourceSessionId) ?? ""),
    ],
  );
  const heads = [
    { head: "time" },
    { head: "from" },
    { head: "" },
    { head: "to" },
    { head: "title", shrink: 12 },
  ];
  const [head = "", ...lines] = table(
    heads,
    rows.map((row) => row.map(oneLine)),
    terminal.columns,
  );
  await terminal.print([terminal.out.dim(head), ...lines].join("\n"));
}
