/** packages/cli/man/asp-convert.1, from the commands as they read their own words. `npm run man` writes it anew. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { commandOf, type HelpfulCommand } from "../packages/cli/dist/command.js";
import type { Entry } from "../packages/cli/dist/commands/entry.js";
import { commands } from "../packages/cli/dist/commands/index.js";
import { createTerminal } from "../packages/cli/dist/terminal.js";

export const manPath: string = join(import.meta.dirname, "../packages/cli/man/asp-convert.1");

/** The page in roff, for `man`. */
export async function manPage(): Promise<string> {
  const terminal = createTerminal(process, new AbortController().signal, false);
  const made = async (entry: Entry) => ({
    entry,
    command: commandOf(entry, await entry.load(), terminal, commands),
  });
  const all = await Promise.all(commands.entries.map(made));
  const sections = all.flatMap(({ entry, command }) => [
    `.SS "asp-convert ${entry.name} ${text(entry.usage)}"`,
    `${sentence(entry.summary)}`,
    ...examples(command),
    ...notes(command),
    ...parts(command),
    ...command.commands.flatMap((below) => [
      ".TP",
      `.B ${text(`${entry.name} ${below.name()} ${below.usage()}`.replace(" [options]", ""))}`,
      sentence(below.description()),
      ".RS",
      ...parts(below),
      ".RE",
    ]),
  ]);
  const { command: first } = await made(commands.bare);
  return `${[
    '.\\" Made by `npm run man` from the commands themselves.',
    '.TH ASP-CONVERT 1 "" asp-convert "User Commands"',
    ".SH NAME",
    "asp-convert \\- move an AI coding agent's sessions between programs",
    ".SH SYNOPSIS",
    ...["", "PATH", "PATH \\-\\-to ID [OPTION]...", "COMMAND [OPTION]..."].flatMap((line) => [
      `.B asp\\-convert`,
      ...(line === "" ? [] : [line]),
      ".br",
    ]),
    ".SH DESCRIPTION",
    "Alone, on a terminal, it shows the sessions of every program on this machine: pick one, and where it goes",
    "(\\-\\-plain asks in numbered questions, \\-\\-no\\-index keeps no index of texts).",
    "With a PATH it says what that is, and with \\-\\-to it converts it.",
    ".PP",
    "PATH is a store, a project folder, one session file, or a portable bundle (NAME.asp). A source is never changed,",
    "nothing is ever overwritten, everything written can be undone.",
    ...parts(first),
    ".SH COMMANDS",
    ...sections,
    ".SH EXIT STATUS",
    ...[
      ["0", "done"],
      ["1", "failed, nothing written"],
      ["2", "wrong usage"],
      ["3", "a loss that is not allowed, nothing written"],
      ["4", "partly done; the report says which"],
    ].flatMap(([code = "", what = ""]) => [".TP", `.B ${code}`, what]),
    ".SH ENVIRONMENT",
    ".TP",
    ".B ASP_HOME",
    "where receipts, the log and the index of texts are kept",
    ".TP",
    ".B NO_COLOR",
    "no colours",
    ".TP",
    ".B ASP_DEBUG",
    "1: where an error comes from",
  ].join("\n")}\n`;
}

function parts(command: Pick<HelpfulCommand, "options" | "registeredArguments">): string[] {
  return [
    ...command.registeredArguments
      .filter(({ description }) => description !== "")
      .flatMap((argument) => [".TP", `.I ${text(argument.name())}`, text(argument.description)]),
    ...command.options
      .filter(({ hidden, description }) => !hidden && description !== "")
      .flatMap((option) => [".TP", `.B ${text(option.flags)}`, text(described(option))]),
  ];
}

function described({ description, argChoices }: HelpfulCommand["options"][number]): string {
  const choices = argChoices && !argChoices.every((choice) => description.includes(choice));
  return choices ? `${description} (${argChoices.join(", ")})` : description;
}

function examples({ examples: lines }: HelpfulCommand): string[] {
  return lines.length === 0 ? [] : [".PP", ".nf", ...lines.map((line) => text(line)), ".fi"];
}

function notes({ notes: all }: HelpfulCommand): string[] {
  return all === "" ? [] : all.split(/\n\s*\n/).flatMap((part) => [".PP", text(part)]);
}

/** A summary begins small, as in a list. */
function sentence(summary: string): string {
  return text(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
}

/** What roff would take for its own is not. */
function text(plain: string): string {
  return plain
    .split("\n")
    .map((line) =>
      line
        .trimEnd()
        .replaceAll("\\", "\\e")
        .replaceAll("-", "\\-")
        .replace(/^([.'])/, "\\&$1"),
    )
    .join("\n");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(manPath, await manPage());
