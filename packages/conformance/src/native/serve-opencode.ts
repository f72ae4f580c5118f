/** The real OpenCode or Kilo at work on a store: as a server that has it open, or for one of its own commands. */
import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startMockModel, type Turn } from "@asp-convert/mock-model";
import { type OpenCodeKind, openCodeConfig, openCodeKinds } from "./opencode-store.js";
import { findProgram } from "./programs.js";
import { openCodeEnvironment } from "./resume-opencode.js";
import { type Environment, killGroup, type Run, run } from "./run.js";
import type { Started } from "./start.js";

export interface OpenCodeHome {
  /** Default: `opencode`. */
  readonly kind?: OpenCodeKind["name"];
  /** A home folder whose `.local/share/<kind>` is the store. The program writes into it; the folder above it is its own. */
  readonly home: string;
  /** The project. */
  readonly cwd: string;
  readonly program?: string;
  /** Milliseconds. Default: 120,000. */
  readonly limit?: number;
}

const LIMIT = 120_000;

/** One of its commands: `session list`, `export ID`, `import FILE`. */
export async function tellOpenCode(at: OpenCodeHome, ...args: readonly string[]): Promise<Run> {
  const { program, env } = await starting(at);
  return run(program, args, { cwd: at.cwd, env, limit: at.limit ?? LIMIT });
}

export interface OpenCodeServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** `opencode serve`. Rejects when it does not come up in time. */
export async function serveOpenCode(at: OpenCodeHome): Promise<OpenCodeServer> {
  const { program, env } = await starting(at);
  const child = spawn(program, ["serve", "--port", "0", "--hostname", "127.0.0.1"], {
    cwd: at.cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async () => {
    killGroup(child);
    await ended;
  };
  let said = "";
  try {
    const url = await new Promise<string>((up, failed) => {
      const timer = setTimeout(() => failed(new Error(`no server came up: ${said}`)), at.limit ?? LIMIT);
      child.once("error", failed);
      child.once("close", () => failed(new Error(`the server ended: ${said}`)));
      const listen = (chunk: Buffer) => {
        said += chunk.toString();
        const found = /listening on (http:\/\/\S+)/.exec(said)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        up(found);
      };
      child.stdout.on("data", listen);
      child.stderr.on("data", listen);
    });
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export interface StartOpenCodeOptions extends OpenCodeHome {
  /** Goes on with this one, over the mock's first model. Default: a new one. */
  readonly session?: string;
  /** One of the person's commands; the prompt is what it is given. */
  readonly command?: string;
  readonly prompt?: string;
  readonly turns?: readonly Turn[];
  /** Further variables. */
  readonly env?: Environment;
}

/**
 * `opencode run`, in the very folder that is given, with all that the person's and the project's config say taken up. A
 * new session gets a title, for which it would else ask the model too.
 */
export async function startOpenCode(options: StartOpenCodeOptions): Promise<Started> {
  const mock = await startMockModel({ turns: options.turns ?? [] });
  try {
    const { program, env } = await starting(options, openCodeConfig(mock));
    const { session, command } = options;
    const by = command === undefined ? [] : ["--command", command];
    const which =
      session === undefined ? ["--title", "Titled"] : ["--session", session, "--model", "mock/mock-1"];
    const words = (options.prompt ?? "hello there").split(" ");
    const ran = await run(program, ["run", "--format", "json", ...which, ...by, ...words], {
      cwd: options.cwd,
      env: { ...env, ...options.env },
      limit: options.limit ?? LIMIT,
    });
    return { ...ran, requests: mock.requests };
  } finally {
    await mock.close();
  }
}

async function starting(
  { home, program, kind = "opencode" }: OpenCodeHome,
  config: object = { autoupdate: false, share: "disabled" },
) {
  const folder = dirname(home);
  await mkdir(join(folder, "tmp"), { recursive: true });
  return {
    program: program ?? (await findProgram(kind)),
    env: openCodeEnvironment(openCodeKinds[kind], folder, home, config),
  };
}
