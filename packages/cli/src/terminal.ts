/** What a command talks through: data to stdout, talk to stderr, and what it may know of the machine. */
import { homedir } from "node:os";
import type { Environment } from "@asp-convert/core";
import { type Style, style, wantsColour } from "./ui/style.js";

export interface Terminal {
  /** Data: one or more whole lines. Resolves once the pipe took them. */
  print(text: string): Promise<void>;
  /** Talk, on stderr; nothing when quiet. */
  say(text: string): void;
  /** As `say`, but quiet does not silence it. */
  warn(text: string): void;
  /** Whoever read stdout has gone: nothing more needs to be made. */
  readonly closed: boolean;
  /** A person can be asked. */
  readonly interactive: boolean;
  /** Columns of the terminal that stdout is; absent where it is none. */
  readonly columns: number | undefined;
  /** stderr is a terminal: a line there may be rewritten. */
  readonly live: boolean;
  readonly out: Style;
  readonly err: Style;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Done when the command is, however it ends. */
  readonly after: (() => void)[];
  quiet: boolean;
}

interface Streams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

export function createTerminal(streams: Streams, signal: AbortSignal, colour: boolean): Terminal {
  const { stdin, stdout, stderr } = streams;
  let closed = false;
  const onError = (error: NodeJS.ErrnoException) => {
    closed = true;
    // The reader left (`| head`): nothing to complain about. A full disk behind a redirection is.
    if (error.code === "EPIPE" || error.code === "EOF" || error.code === "ERR_STREAM_DESTROYED") return;
    process.exitCode = 1;
    stderr.write(`asp-convert: could not write to standard output: ${error.message}\n`);
  };
  stdout.on("error", onError);
  stderr.on("error", () => {});

  const terminal: Terminal = {
    async print(text) {
      if (closed) return;
      const line = text.endsWith("\n") ? text : `${text}\n`;
      if (stdout.write(line)) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          stdout.off("drain", done).off("error", done).off("close", done);
          resolve();
        };
        stdout.on("drain", done).on("error", done).on("close", done);
      });
    },
    say(text) {
      if (!terminal.quiet) stderr.write(`${text}\n`);
    },
    warn(text) {
      stderr.write(`${text}\n`);
    },
    get closed() {
      return closed;
    },
    interactive: Boolean(stdin.isTTY && stdout.isTTY && stderr.isTTY) && !process.env.CI,
    columns: (stdout.isTTY && stdout.columns) || undefined,
    live: Boolean(stderr.isTTY) && process.env.TERM !== "dumb",
    out: style(colour && wantsColour(Boolean(stdout.isTTY), process.env)),
    err: style(colour && wantsColour(Boolean(stderr.isTTY), process.env)),
    environment: { env: process.env, home: homedir(), platform: process.platform, cwd: process.cwd() },
    signal,
    after: [],
    quiet: false,
  };
  return terminal;
}
