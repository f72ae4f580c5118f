/** `-`: what is piped in, kept in a private temporary file until the command ends. */
import { addAbortSignal } from "node:stream";
import { spool } from "@asp-convert/core";
import { CommandError, UsageError } from "./errors.js";
import type { Terminal } from "./terminal.js";

/** Once a process: a pipe gives its bytes only once. */
let spooled: Promise<string> | undefined;

/** The path of the file. */
export function fromStdin(terminal: Terminal, stdin: NodeJS.ReadStream = process.stdin): Promise<string> {
  spooled ??= take(terminal, stdin);
  return spooled;
}

async function take(terminal: Terminal, stdin: NodeJS.ReadStream): Promise<string> {
  if (stdin.isTTY)
    throw new UsageError(
      "`-` means standard input, and nothing is piped into it",
      "cat FILE | asp-convert -",
    );
  const { path, size, remove } = await spool(
    addAbortSignal(terminal.signal, stdin),
    "stdin.jsonl",
    terminal.signal,
  );
  terminal.after.push(remove);
  if (size === 0) throw new CommandError("standard input is empty", { code: "empty" });
  return path;
}
