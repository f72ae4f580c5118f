/** Runs a foreign program: clean environment, time limit, nothing left behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";

export interface RunOptions {
  readonly cwd: string;
  /** The whole environment of the program; see `cleanEnvironment`. */
  readonly env: Environment;
  /** Milliseconds until the program and its children are killed. */
  readonly limit: number;
}

export type Environment = { readonly [name: string]: string };

export interface Run {
  /** The exit status; null when the program was ended by a signal. */
  readonly exitCode: number | null;
  /** True when it was killed for taking longer than its limit. */
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. Rejects only when it cannot be started at all. */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<Run> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // a process group of its own, so that killing it takes its children along
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child);
  }, options.limit);
  try {
    const exitCode = await new Promise<number | null>((ended, failed) => {
      child.once("error", failed);
      child.once("close", ended);
    });
    const textOf = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString("utf8");
    return { exitCode, timedOut, stdout: textOf(stdout), stderr: textOf(stderr) };
  } finally {
    clearTimeout(timer);
  }
}

/** Kills a program that was started detached, with its children. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // no process groups on this system, or it has just ended
  }
}

/**
 * An environment that holds nothing of the caller's but the PATH: home and temporary folder inside `folder`
 * (see `withScratch`), this Node first on the PATH, and what is given in `more`.
 */
export function cleanEnvironment(folder: string, more: Environment): Environment {
  const systemRoot = process.env.SystemRoot; // Windows programs do not start without it
  return {
    HOME: join(folder, "home"),
    USERPROFILE: join(folder, "home"),
    TMPDIR: join(folder, "tmp"),
    TMP: join(folder, "tmp"),
    TEMP: join(folder, "tmp"),
    PATH: [dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
    LANG: "C.UTF-8",
    ...(systemRoot === undefined ? {} : { SystemRoot: systemRoot }),
    ...more,
  };
}
