/** Starts the real Pi afresh on a store: a new session, with all that the store and the project say taken up. */

import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { startMockModel } from "@asp-convert/mock-model";
import { NOBODYS, writePiSettings } from "./pi-store.js";
import { findProgram } from "./programs.js";
import { piEnvironment } from "./resume-pi.js";
import { run } from "./run.js";
import { withScratch } from "./scratch.js";
import type { Started, StartOptions } from "./start.js";

/** `pi -p`, with the project trusted. `store`: an agent folder; its servers and extensions are run. */
export function startPi(options: StartOptions): Promise<Started> {
  const model = `${NOBODYS.provider}/${NOBODYS.model}`;
  const words = ["--approve", "--model", model, ...(options.args ?? []), "-p", options.prompt ?? PROMPT];
  return inPi(options, words);
}

/** Another command of Pi: `mcp list`. */
export function tellPi(options: StartOptions, ...args: readonly string[]): Promise<Started> {
  return inPi(options, args);
}

const PROMPT = "hello there";
const LIMIT = 60_000;
/** What is private to a machine or a person, and so never copied. */
const NOT_COPIED = new Set(["auth.json", "mcp-auth.json", "trust.json", "models-store.json", "sessions"]);

async function inPi(options: StartOptions, args: readonly string[]): Promise<Started> {
  const program = options.program ?? (await findProgram("pi"));
  return withScratch(async (folder) => {
    const agentDir = join(folder, "agent");
    await cp(options.store, agentDir, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    const mock = await startMockModel({ turns: options.turns ?? [] });
    try {
      await writePiSettings(agentDir, NOBODYS, mock);
      const env = { ...piEnvironment(folder, agentDir), ...options.env };
      const ran = await run(program, args, { cwd: options.cwd, env, limit: options.limit ?? LIMIT });
      return { ...ran, requests: mock.requests };
    } finally {
      await mock.close();
    }
  });
}
