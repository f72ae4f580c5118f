/** A foreign program that wants a terminal: started in one, typed to, and read off its screen. Needs `script` of util-linux. */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { killGroup, type Run, type RunOptions } from "./run.js";
import { screenOf } from "./screen.js";

export interface Terminal {
  /** What is on the screen now. */
  screen(): string[];
  type(keys: string): void;
  /** Waits until it holds; false after so many milliseconds, or when the program has ended. */
  until(holds: () => boolean | Promise<boolean>, limit: number): Promise<boolean>;
  /** Waits until nothing has been written for a while. */
  quiet(limit: number): Promise<boolean>;
}

export interface TerminalOptions extends RunOptions {
  /** Types what is to be typed; when it is done, the program is ended. */
  readonly drive: (terminal: Terminal) => Promise<void>;
}

/** Runs a command in a terminal of its own; part of util-linux. */
const TERMINAL = "script";
const STEP = 100;
const QUIET = 800;
/** What ends a program that was told to end twice. */
const INTERRUPT = "\x03";

/** @returns what the screen showed last, as its output. Rejects only when no terminal can be had. */
export async function runInTerminal(
  program: string,
  args: readonly string[],
  { cwd, env, limit, drive }: TerminalOptions,
): Promise<Run> {
  const words = args.map((_, i) => `"$TERMINAL_${i}"`).join(" ");
  const command = `stty cols 160 rows 200; exec "$TERMINAL_PROGRAM" ${words}`;
  const named = Object.fromEntries(args.map((word, i) => [`TERMINAL_${i}`, word]));
  const child = spawn(TERMINAL, ["-qec", command, "/dev/null"], {
    cwd,
    env: { ...env, ...named, TERM: "xterm-256color", TERMINAL_PROGRAM: program },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  let output = "";
  let isOver = false;
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
  });
  child.stdin.on("error", () => {}); // it may be gone already
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  }).finally(() => {
    isOver = true;
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child);
  }, limit);
  const until: Terminal["until"] = async (holds, most) => {
    for (let waited = 0; waited < most && !isOver; waited += STEP) {
      if (await holds()) return true;
      await sleep(STEP);
    }
    return false;
  };
  const terminal: Terminal = {
    screen: () => screenOf(output),
    type: (keys) => void child.stdin.write(keys),
    until,
    quiet(most) {
      let seen = -1;
      let since = 0;
      return until(() => {
        since = output.length === seen ? since + STEP : 0;
        seen = output.length;
        return since >= QUIET;
      }, most);
    },
  };
  let shown: readonly string[] = [];
  try {
    await Promise.race([drive(terminal), ended]);
    shown = terminal.screen();
    for (let times = 0; times < 2 && !isOver; times++) {
      terminal.type(INTERRUPT);
      await until(() => isOver, 1000);
    }
    const exitCode = await ended;
    return { exitCode, timedOut, stdout: shown.filter((line) => line !== "").join("\n"), stderr: "" };
  } finally {
    clearTimeout(timer);
    killGroup(child);
  }
}
