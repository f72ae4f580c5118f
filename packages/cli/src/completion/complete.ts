/** Which words can stand in place of the last one, by the same commands that read them. */
import type { Argument, Command, Option } from "commander";
import { commandOf } from "../command.js";
import type { Commands } from "../commands/entry.js";
import { KINDS } from "../state.js";
import type { Terminal } from "../terminal.js";
import { type Candidate, files, harnessIds, receiptIds, sessionIds, shapes, type Values } from "./values.js";

/** @param words behind `asp-convert`, the last one as far as it is typed */
export async function complete(
  words: readonly string[],
  commands: Commands,
  terminal: Terminal,
): Promise<Values> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const [first] = before;
  if (first === undefined) return fitting(typed, await firstWords(typed, commands, terminal));
  const entry = commands.entries.find(({ name }) => name === first);
  const meant = entry ?? commands.bare;
  let command: Command = commandOf(meant, await meant.load(), terminal, commands);
  let rest = entry ? before.slice(1) : before;
  const sub = command.commands.find((each) => rest.includes(each.name()));
  if (sub) [command, rest] = [sub, rest.slice(rest.indexOf(sub.name()) + 1)];
  const line = readLine(command, rest);
  if (line.waiting) return fitting(typed, await valuesOf(line.waiting, typed, line.paths, terminal));
  if (line.taking && !typed.startsWith("-"))
    return fitting(typed, await valuesOf(line.taking, typed, line.paths, terminal));
  if (typed.startsWith("-")) return fitting(typed, { candidates: optionsOf(command, rest) });
  if (command.commands.length > 0)
    return fitting(typed, {
      candidates: command.commands.map((each) => ({ value: each.name(), about: each.description() })),
    });
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[line.paths.length] ?? (last?.variadic ? last : undefined);
  return argument
    ? fitting(typed, await argumentValues(argument, typed, terminal))
    : fitting(typed, { candidates: optionsOf(command, rest) });
}

async function firstWords(typed: string, commands: Commands, terminal: Terminal): Promise<Values> {
  const { bare, entries } = commands;
  if (typed.startsWith("-")) {
    const command = commandOf(bare, await bare.load(), terminal, commands);
    const more = [
      { value: "--version", about: "the version" },
      { value: "--plain", about: "pick in numbered questions" },
    ];
    return { candidates: [...optionsOf(command, []), ...more] };
  }
  return { candidates: entries.map(({ name, summary }) => ({ value: name, about: summary })), files: true };
}

interface Line {
  /** What stands there besides options and their values. */
  paths: string[];
  /** An option that wants a value, and has none yet. */
  waiting?: Option;
  /** One that takes several, and has some. */
  taking?: Option;
}

function readLine(command: Command, words: readonly string[]): Line {
  const line: Line = { paths: [] };
  for (const word of words) {
    const option = command.options.find(({ long, short }) => word === long || word === short);
    if (option) {
      delete line.waiting;
      delete line.taking;
      if (option.required || option.optional) line.waiting = option;
    } else if (line.waiting) {
      if (line.waiting.variadic) line.taking = line.waiting;
      delete line.waiting;
    } else if (!word.startsWith("-") && !line.taking) line.paths.push(word);
  }
  return line;
}

function optionsOf({ options }: Command, used: readonly string[]): Candidate[] {
  const candidates = options
    .filter(({ hidden, long, variadic }) => !hidden && long && (variadic || !used.includes(long)))
    .map(({ long, description }) => ({ value: long ?? "", about: description.replaceAll("\n", " ") }));
  return [...candidates, { value: "--help", about: "this help" }];
}

/** `--to`, and what else names a harness. */
const HARNESS = /^--(to|from|harness)$/;
const PATH = /<(dir|path|log|file)(\.\.\.)?>/;

async function valuesOf(
  option: Option,
  typed: string,
  paths: readonly string[],
  terminal: Terminal,
): Promise<Values> {
  const { long = "", flags, argChoices } = option;
  if (argChoices) return { candidates: argChoices.map((value) => ({ value, about: "" })) };
  if (HARNESS.test(long) && flags.endsWith("<id>"))
    return { candidates: await harnessIds(long === "--to" ? "to" : "from", terminal) };
  if (long === "--session") return sessionIds(paths[0], typed, terminal);
  if (long === "--kinds") {
    // One after the other, behind those that are there.
    const had = typed.slice(0, typed.lastIndexOf(",") + 1);
    const left = KINDS.filter((kind) => !had.split(",").includes(kind));
    return { candidates: left.map((kind) => ({ value: `${had}${kind}`, about: "" })) };
  }
  return PATH.test(flags) ? files : { candidates: [] };
}

async function argumentValues(argument: Argument, typed: string, terminal: Terminal): Promise<Values> {
  const name = argument.name();
  if (argument.argChoices) return { candidates: argument.argChoices.map((value) => ({ value, about: "" })) };
  if (name === "session") return sessionIds(undefined, typed, terminal);
  if (name === "receipt") return { candidates: await receiptIds(terminal) };
  if (name === "shape") return { candidates: await shapes() };
  if (name === "what") return { candidates: [{ value: "converter", about: "a package of your own" }] };
  return name === "path" || name === "bundle" ? files : { candidates: [] };
}

/** Those that begin so. */
function fitting(typed: string, values: Values): Values {
  if (values.fitted) return values;
  return { ...values, candidates: values.candidates.filter(({ value }) => value.startsWith(typed)) };
}
