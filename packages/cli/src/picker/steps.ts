/** What both pickers do with a choice: compare, write, start the program. */
import { spawn } from "node:child_process";
import type { Report } from "@asp-convert/core";
import type { ConvertOptions } from "../commands/convert.js";
import { pastePath, programName } from "../run.js";
import type { Terminal } from "../terminal.js";
import { source } from "../toolkit.js";
import { quote } from "../ui/shell.js";
import type { Item } from "./found.js";

export function optionsFor({ harness, ref }: Item, to: string, install: boolean): ConvertOptions {
  return {
    to,
    from: harness,
    session: [ref.id],
    loss: "warn",
    color: true,
    ...(install && { install }),
  };
}

/** Its store and as much of its id as is needed. */
export function wordsFor(command: string, { root, shortId }: Item, more: string, terminal: Terminal): string {
  const session = quote(shortId, terminal.environment.platform);
  return [command, pastePath(root, terminal), `--session ${session}`, more].join(" ");
}

/** The comparison as `compare` prints it, in lines. @throws as `compare` does, also on `signal` */
export async function comparison(
  item: Item,
  to: string,
  columns: number,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<string[]> {
  const { runCompare } = await import("../commands/compare.js");
  const lines: string[] = [];
  const { style } = await import("../ui/style.js");
  const aside: Terminal = {
    ...terminal,
    print: async (text) => void lines.push(...text.split("\n")),
    say: () => {},
    warn: (text) => void lines.push(...text.split("\n")),
    interactive: false,
    live: false,
    columns,
    out: style(false),
    err: style(false),
    signal: AbortSignal.any([signal, terminal.signal]),
  };
  // By its own path: nothing else of the store need be listed.
  await runCompare(item.ref.path, optionsFor(item, to, false), aside);
  return lines;
}

/** Writes it, tells what became of it, and how it is said without a picker. */
export async function write(
  item: Item,
  to: string,
  install: boolean,
  terminal: Terminal,
): Promise<Report | undefined> {
  const { runConvert } = await import("../commands/convert.js");
  const report = await runConvert(item.ref.path, optionsFor(item, to, install), terminal);
  const more = `--to ${to}${install ? " --install" : ""}`;
  terminal.say(`\nnext time: ${programName(terminal)} ${wordsFor("convert", item, more, terminal)}`);
  return report;
}

export type Resume = NonNullable<Report["sessions"][number]["resume"]>;

export function resumeOf(report: Report | undefined): Resume | undefined {
  return report?.sessions[0]?.resume;
}

/** The real program takes the terminal over; its exit code is ours. */
export async function runNow({ cwd, env, first = [], command }: Resume, terminal: Terminal): Promise<void> {
  // The session of another machine: its folder is not here, and the line that was shown goes without.
  const there = cwd !== undefined && (await source.stat(cwd).catch(() => undefined))?.kind === "directory";
  for (const words of [...first, command]) {
    const [file = "", ...args] = words;
    const code = await new Promise<number>((resolve, reject) => {
      const child = spawn(file, args, {
        stdio: "inherit",
        // npm's programs are command files there.
        shell: terminal.environment.platform === "win32",
        ...(there && { cwd }),
        env: { ...process.env, ...env },
      });
      // Ctrl-C is the program's now.
      const leave = () => {};
      process.on("SIGINT", leave);
      const end = () => process.off("SIGINT", leave);
      child.once("error", (error) => {
        end();
        reject(error);
      });
      child.once("exit", (status, signal) => {
        end();
        resolve(status ?? (signal === null ? 0 : 1));
      });
    });
    process.exitCode = code;
    if (code !== 0) return;
  }
}
