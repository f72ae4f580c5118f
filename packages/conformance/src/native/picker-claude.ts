/** The session picker of the real Claude Code: its terminal program, run in a terminal and read off the screen. */
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findProgram } from "./programs.js";
import { claudeEnvironment, copyClaudeStore } from "./resume-claude.js";
import { killGroup } from "./run.js";
import { withScratch } from "./scratch.js";
import { screenOf } from "./screen.js";

export interface PickerClaudeOptions {
  /** A Claude Code home. It is copied, never changed. */
  readonly configDir: string;
  /** The project folder in which the picker is opened; it lists the sessions of this project. It must exist. */
  readonly cwd: string;
  readonly program?: string;
}

/** One line of the picker. */
export interface PickerLine {
  readonly title: string;
  /** How long ago, the git branch if there is one, the size: as shown, e.g. "2 hours ago · main · 4KB". */
  readonly detail: string;
}

const LIMIT = 30_000;
/** Runs a command in a terminal of its own; part of util-linux. */
const TERMINAL = "script";

/**
 * Opens `claude --resume` and gives what it lists, newest first. Needs `script` of util-linux, so Linux.
 * Rejects when the picker does not come up within 30 seconds, with what the screen shows instead.
 */
export async function pickerClaude(options: PickerClaudeOptions): Promise<PickerLine[]> {
  const program = options.program ?? (await findProgram("claude"));
  return withScratch(async (folder) => {
    const configDir = join(folder, "config");
    await copyClaudeStore(options.configDir, configDir);
    // A person who has been here before: nothing is asked on the way to the picker.
    const known = {
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: ["mock"], rejected: [] },
      projects: { [options.cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    };
    await writeFile(join(configDir, ".claude.json"), JSON.stringify(known));
    const env = { ...claudeEnvironment(folder, configDir, "http://127.0.0.1:9"), TERM: "xterm-256color" };
    return readPicker(program, options.cwd, env);
  });
}

async function readPicker(program: string, cwd: string, env: NodeJS.ProcessEnv): Promise<PickerLine[]> {
  const command = 'stty cols 200 rows 400; exec "$PICKER_PROGRAM" --resume';
  const child = spawn(TERMINAL, ["-qec", command, "/dev/null"], {
    cwd,
    env: { ...env, PICKER_PROGRAM: program },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  let output = "";
  let failure: Error | undefined;
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
  });
  child.once("error", (error) => {
    failure = error;
  });
  try {
    for (let waited = 0; waited < LIMIT && !failure; waited += 250) {
      const before = output.length;
      await sleep(250);
      const screen = screenOf(output);
      const isUp = screen.some((line) => line.includes("Esc to close")) && before === output.length;
      if (isUp && !screen.some((line) => line.includes("Loading"))) return linesOf(screen);
    }
    throw failure ?? new Error(`Claude Code's picker did not come up: ${screenOf(output).join("\n")}`);
  } finally {
    killGroup(child);
  }
}

/** Each session is a title line and, right under it, a detail line that ends in a size. */
function linesOf(screen: readonly string[]): PickerLine[] {
  return screen.flatMap((line, at) => {
    const detail = line.trim();
    const title = screen[at - 1]?.replace(/^\s*❯/, "").trim();
    return title && / · [\d.]+ ?(bytes|[KMG]B)$/.test(detail) ? [{ title, detail }] : [];
  });
}
