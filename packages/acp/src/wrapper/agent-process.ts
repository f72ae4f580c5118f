/** A program that speaks ACP on its standard streams, with all that it starts. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";

export interface AgentProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Its exit code, as shells count where a signal ended it. Rejects when it cannot be started. */
  readonly exited: Promise<number>;
  /** Closes its input, then ends it and its children; resolves when it is gone. */
  stop(): Promise<void>;
}

export interface StartOptions {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** The command is a line for the shell. */
  shell?: boolean;
}

/** After its input was closed, and after it was asked to end (ms). Some agents stay as long as a session is open. */
const GRACE = 3000;
const TERM = 2000;

/** Its stderr is ours: whoever started us reads what it has to say. */
export function startAgent(
  command: readonly string[],
  { env, cwd, shell = false }: StartOptions,
): AgentProcess {
  const [file = "", ...args] = command;
  const windows = process.platform === "win32";
  const child = spawn(file, args, {
    env,
    cwd,
    stdio: ["pipe", "pipe", "inherit"],
    // A group of its own, so that what it starts ends with it. Windows finds `npx` by its shell only.
    detached: !windows,
    shell: shell || windows,
    windowsHide: true,
  });
  const exited = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  exited.catch(() => {});
  const onExit = () => signalGroup(child, "SIGKILL");
  process.once("exit", onExit);
  void exited.catch(() => {}).then(() => process.off("exit", onExit));
  let stopping: Promise<void> | undefined;
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    stop() {
      stopping ??= end(child, exited);
      return stopping;
    },
  };
}

async function end(child: ChildProcess, exited: Promise<number>): Promise<void> {
  child.stdin?.end();
  if (!(await within(GRACE, exited))) {
    signalGroup(child, "SIGTERM");
    await within(TERM, exited);
  }
  // Also when it is gone: an agent that starts itself again leaves its child behind.
  signalGroup(child, "SIGKILL");
  await exited.catch(() => {});
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") process.kill(pid, signal);
    else process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}

async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([
      done.then(
        () => true as const,
        () => true as const,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
