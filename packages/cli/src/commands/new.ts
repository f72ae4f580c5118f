import type { Command } from "commander";
import { CommandError, UsageError } from "../errors.js";
import { type CommonOptions, filled, withCommon } from "../options.js";
import type { Terminal } from "../terminal.js";

type NewOptions = CommonOptions & { out?: string };

export function define(command: Command, terminal: Terminal): void {
  command
    .argument("<what>", "converter")
    .argument("<name>", "what the harness is called on the command line: small letters, digits, hyphens")
    .option("--out <dir>", "write here (default: ./asp-convert-<name>)", filled);
  withCommon(command)
    .addHelpText(
      "after",
      `
A package for a converter of your own: it reads and writes an invented format, with one fixture, and its \`npm test\` is
green at once. What is still to be done is a failing item each, in src/todo.test.ts. The guide goes through it:
node_modules/asp-convert/dist/docs/write-a-converter.md.

  asp-convert new converter acme
  cd asp-convert-acme && npm install && npm test
  npx asp-convert --plugin . describe fixtures/invented/store`,
    )
    .action((what: string, name: string, options: NewOptions) => run(what, name, options, terminal));
}

async function run(what: string, name: string, options: NewOptions, terminal: Terminal): Promise<void> {
  if (what !== "converter") throw new UsageError(`there is no "${what}" to be made`, "new converter NAME");
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new UsageError(`"${name}" is no name: small letters, digits and single hyphens`, "Say `acme`.");
  const [toolkit, { filesOf }, { apply }, { shortPath }, { standpoint, programName, pastePath }, { json }] =
    await Promise.all([
      import("../toolkit.js"),
      import("../scaffold.js"),
      import("@asp-convert/core"),
      import("../ui/paths.js"),
      import("../run.js"),
      import("../ui/json.js"),
    ]);
  if (toolkit.registry.all.some(({ id }) => id === name))
    throw new UsageError(
      `there is a converter called "${name}" already`,
      "`asp-convert plugins` lists them.",
    );
  const folder = toolkit.absolute(options.out ?? `asp-convert-${name}`, terminal);
  if ((await toolkit.source.readDir(folder)).length > 0)
    throw new CommandError(`${folder} is there, and not empty`, { next: "Name another folder with --out." });
  const files = await filesOf(name);
  const actions = files.map(({ path, text }) => ({
    do: "create" as const,
    path: `${folder}/${path}`,
    content: text,
    mode: 0o644,
  }));
  const { environment } = terminal;
  const receipt = await apply(actions, { environment, roots: [folder], what: `new converter ${name}` });
  if (options.json) {
    const made = { name, folder, files: files.map(({ path }) => path), receipt: receipt.id };
    return terminal.print(json({ asp: 1, made }, 2));
  }
  const { out } = terminal;
  await terminal.print(
    [
      `${out.bold("made")}   ${shortPath(folder, standpoint(terminal))}   ${out.dim(`${files.length} files`)}`,
      `  ${out.dim("next")}  cd ${pastePath(folder, terminal)} && npm install && npm test`,
      `  ${out.dim("undo")}  ${programName(terminal)} undo ${receipt.id}`,
    ].join("\n"),
  );
}
