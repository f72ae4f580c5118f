import type { Command } from "commander";
import type { Findings, Problem, ProgramFinding } from "../doctor/findings.js";
import { exit } from "../errors.js";
import type { CommonOptions } from "../options.js";
import { withCommon } from "../options.js";
import type { Terminal } from "../terminal.js";
import { json } from "../ui/json.js";

export function define(command: Command, terminal: Terminal): void {
  withCommon(command)
    .addHelpText(
      "after",
      `
Looks at every store and every program, and changes nothing; a program is at most asked for its version. Exit code 1
where something needs to be done, and it says what.

  asp-convert doctor
  asp-convert doctor --json | jq .problems`,
    )
    .action((options: CommonOptions) => run(options, terminal));
}

async function run(options: CommonOptions, terminal: Terminal): Promise<void> {
  const [{ lookAtPrograms }, { lookAtState }, { broken, plugins }, { version }] = await Promise.all([
    import("../doctor/programs.js"),
    import("../doctor/state.js"),
    import("../plugins/use.js"),
    import("../version.js"),
  ]);
  const problems: Problem[] = broken.map(({ name, problem }) => ({
    level: "problem",
    about: `plugin ${name}`,
    text: problem,
    next: "Mend it, or leave it out of asp.config and package.json; --no-plugins goes without any.",
  }));
  const tell = (problem: Problem) => void problems.push(problem);
  const programs = await lookAtPrograms(terminal, tell);
  const findings: Findings = {
    asp: 1,
    version,
    node: { version: process.versions.node, path: process.execPath },
    programs,
    plugins: plugins.map(({ converter: { id }, name, from, version: its }) => ({
      ...{ id, name, from },
      ...(its !== undefined && { version: its }),
    })),
    broken,
    state: await lookAtState(terminal, tell),
    problems,
  };
  if (problems.some(({ level }) => level === "problem")) process.exitCode = exit.failed;
  if (options.json) return terminal.print(json(findings, 2));
  await show(findings, terminal);
}

async function show(findings: Findings, terminal: Terminal): Promise<void> {
  const [{ table }, { plural }, { shortPath }, { standpoint }, { oneLine }] = await Promise.all([
    import("../ui/table.js"),
    import("../ui/format.js"),
    import("../ui/paths.js"),
    import("../run.js"),
    import("../ui/text.js"),
  ]);
  const { out } = terminal;
  const short = (path: string) => oneLine(shortPath(path, standpoint(terminal)));
  const { version, node, programs, plugins, state, problems } = findings;
  await terminal.print(`asp-convert ${version}, Node.js ${node.version} (${short(node.path)})\n\n`);
  const row = ({ name, at, version: its, verified, readOnly, stores }: ProgramFinding): string[] => [
    oneLine(name),
    at === undefined ? "" : short(at),
    oneLine(its ?? ""),
    readOnly === undefined ? oneLine(verified[0] ?? "") : "read only",
    stores.map(({ root, sessions }) => `${short(root)} (${plural(sessions, "session")})`).join(", "),
  ];
  const here = programs.filter(({ at, stores }) => at !== undefined || stores.length > 0);
  const absent = programs.filter((program) => !here.includes(program) && program.readOnly === undefined);
  const columns = [
    { head: "program" },
    { head: "on the PATH", shrink: 12 },
    { head: "version" },
    { head: "tried with" },
    { head: "stores", shrink: 20 },
  ];
  const [head = "", ...lines] = table(columns, here.map(row), terminal.columns);
  if (lines.length > 0) await terminal.print([out.dim(head), ...lines].join("\n"));
  if (absent.length > 0)
    await terminal.print(out.dim(`not here: ${absent.map(({ name }) => oneLine(name)).join(", ")}`));
  for (const { id, name, from, version: its } of plugins)
    await terminal.print(
      `plugin ${oneLine([name, its ?? ""].join(" ").trim())} (${id}), named in ${oneLine(from)}`,
    );
  const kept = [
    plural(state.receipts, "receipt"),
    ...(state.log === undefined ? [] : [`a log of ${plural(state.log, "session")}`]),
    ...(state.index === undefined ? [] : [`an index of ${plural(state.index, "session")}`]),
  ];
  await terminal.print(`\nkept in ${short(state.folder)}: ${kept.join(", ")}`);
  if (problems.length === 0) return terminal.print(out.green("nothing is wrong"));
  for (const level of ["problem", "note"] as const) {
    const mark = level === "problem" ? out.red("problem") : out.yellow("note   ");
    for (const { about, text, next } of problems.filter((each) => each.level === level))
      await terminal.print(`${mark}  ${oneLine(about)}: ${oneLine(text)}\n         ${oneLine(next)}`);
  }
}
