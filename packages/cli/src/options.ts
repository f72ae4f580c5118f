/** Options that several commands share, and how their values are read. */
import { type Command, InvalidArgumentError, Option } from "commander";

export interface CommonOptions {
  json?: boolean;
  quiet?: boolean;
  color: boolean;
}

export interface SessionOptions {
  session?: string[];
  latest?: boolean;
  all?: boolean;
  from?: string;
  kinds?: string[];
  /** Never ask: the output is for a program. */
  quietly?: boolean;
}

export interface LossOptions {
  loss: "error" | "warn" | "ignore";
  failOn?: FailOn[];
}

export interface TargetOptions {
  to: string;
  out?: string;
  install?: boolean;
  cwd?: string;
  dryRun?: boolean;
  remember?: boolean;
  carryEvidence?: boolean;
}

/** For the kinds beside sessions. */
export interface StateOptions {
  project?: string[];
  allowTools?: boolean;
  includeSecrets?: boolean;
  share?: boolean;
  dropRestrictions?: boolean;
  followLinks?: boolean;
}

/** One term of `--fail-on`: a level, an axis, or both. */
export interface FailOn {
  level?: string;
  axis?: string;
}

export function withCommon(command: Command, json = "exactly one JSON document on stdout"): Command {
  return command
    .option("--json", json)
    .option("-q, --quiet", "say nothing but what is essential")
    .option("--no-color", "no colours (also: NO_COLOR)");
}

export interface LogOptions extends CommonOptions {
  log?: string;
}

/** For every command that looks into a log. */
export function withLog(command: Command): Command {
  return withCommon(command).option("--log <dir>", "another log than this machine's own", filled);
}

/** For every command that works with converters. */
export function withPlugins(command: Command): Command {
  return command
    .option("--plugin <name>", "a converter that is not built in: a path, or a package installed here", some)
    .option("--no-plugins", "none but those named with --plugin");
}

export function withSessions(command: Command): Command {
  return command
    .option("--session <id...>", "these sessions: ids, or the first characters of one", some)
    .addOption(new Option("--latest", "the newest session").conflicts(["all", "session"]))
    .addOption(new Option("--all", "every session").conflicts(["latest", "session"]))
    .option("--from <id>", "the harness it is of, where that cannot be told from the files")
    .option(
      "--kinds <list>",
      "only these kinds: sessions, instructions, skills, tools, memory, settings",
      list,
    );
}

export function withTarget(command: Command): Command {
  return command
    .requiredOption("--to <id>", "the harness to convert to: claude, codex … (`plugins` lists them)")
    .option(
      "--out <dir>",
      "write here, laid out as the target's own store (default: ./asp-out/<id>); FILE.json: one session as the " +
        "file that the target imports (opencode, kilo)",
      filled,
    )
    .addOption(new Option("--install", "write into the target's real store").conflicts("out"))
    .option("--cwd <dir>", "the working directory the session is to have", filled)
    .option(
      "--no-remember",
      "forget it: nothing is kept of the source, and nothing that was kept before is put back",
    )
    .addOption(
      new Option(
        "--carry-evidence",
        "the source's own bytes travel inside the new session, for the way back on another machine",
      ).conflicts(["share", "noRemember"]),
    )
    .option("--dry-run", "do everything but write; show the plan");
}

/** Nothing that would run, no secret and no restriction is decided for a person. */
export function withState(command: Command): Command {
  return command
    .option(
      "--project <dir...>",
      "project folders whose instructions, skills, servers … come along; DIR=DIR re-homes one",
    )
    .option("--allow-tools", "let MCP servers, hooks and what else would run come along")
    .addOption(new Option("--include-secrets", "take literal secret values along").conflicts("share"))
    .option("--share", "for others to see: secrets become markers, what cannot be read stays behind")
    .option(
      "--drop-restrictions",
      "take a skill or agent although the target cannot keep what it is forbidden",
    )
    .option("--follow-links", "copy what links lead to that leave their folder");
}

export function withLoss(command: Command): Command {
  return command
    .addOption(
      new Option("--loss <mode>", "error: any loss stops it; warn: tell; ignore: do not tell")
        .choices(["error", "warn", "ignore"])
        .default("warn"),
    )
    .option("--fail-on <list>", "losses that stop it: dropped:thinking, evidence-only, images, …", failOn);
}

/** An empty value is a variable that was not set: it would mean everything, or nothing. */
export function filled(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It is empty.");
  return text;
}

/** A number of something, at least one. */
export function count(text: string): number {
  const n = Number(text);
  if (!Number.isFinite(n) || n < 1) throw new InvalidArgumentError("It is to be a number from 1.");
  return n;
}

export function some(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), filled(text)];
}

export function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function failOn(text: string): FailOn[] {
  return list(text).flatMap((term): FailOn[] => {
    const [first = "", second, ...more] = term.split(":");
    if (more.length > 0) throw new InvalidArgumentError(`"${term}" is not LEVEL, AXIS or LEVEL:AXIS.`);
    const levels = LEVELS.get(first);
    if (second === undefined) return levels?.map((level) => ({ level })) ?? [{ axis: first }];
    if (levels) return levels.map((level) => ({ level, axis: second }));
    throw new InvalidArgumentError(`"${first}" is no level; there are ${[...LEVELS.keys()].join(", ")}.`);
  });
}

/** The ledger's words, and those of the report's lines. */
const LEVELS: ReadonlyMap<string, readonly string[]> = new Map([
  ["partial", ["partial"]],
  ["evidence-only", ["evidence-only"]],
  ["degraded", ["partial", "evidence-only"]],
  ["dropped", ["dropped"]],
  ["not-in-source", ["not-in-source"]],
  ["missing", ["not-in-source"]],
]);
