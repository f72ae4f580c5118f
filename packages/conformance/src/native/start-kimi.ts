/** Starts the real Kimi Code afresh on a store: a new session, with all that the store and the project say taken up. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { startMockModel } from "@asp-convert/mock-model";
import { findProgram } from "./programs.js";
import { kimiEnvironment } from "./resume-kimi.js";
import { run } from "./run.js";
import { withScratch } from "./scratch.js";
import type { Started, StartOptions } from "./start.js";

/** `kimi -p`. `store`: a state folder; the person's own servers are run, those of a project that is not trusted are not. */
export function startKimi(options: StartOptions): Promise<Started> {
  return tellKimi(options, ...(options.args ?? []), "-p", options.prompt ?? "hello there");
}

/** Another command: `session list --json`. */
export async function tellKimi(options: StartOptions, ...args: readonly string[]): Promise<Started> {
  const program = options.program ?? (await findProgram("kimi"));
  return withScratch(async (folder) => {
    const state = join(folder, "home", ".kimi-code");
    await cp(options.store, state, { recursive: true });
    const mock = await startMockModel({ turns: options.turns ?? [] });
    try {
      const env = { ...kimiEnvironment(folder, mock.url("responses")), ...options.env };
      const ran = await run(program, args, { cwd: options.cwd, env, limit: options.limit ?? 60_000 });
      return { ...ran, requests: mock.requests };
    } finally {
      await mock.close();
    }
  });
}
