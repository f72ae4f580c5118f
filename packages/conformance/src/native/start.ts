/**
 * Starts the real programs afresh on a store: a new session, with everything that the store and the project say
 * taken up, as a person's own would. What the model is sent shows what arrived.
 */

import { join } from "node:path";
import { type ModelRequest, startMockModel, type Turn } from "@asp-convert/mock-model";
import { copyCodexHome, mockProvider } from "./codex-home.js";
import { findProgram } from "./programs.js";
import { claudeEnvironment, copyClaudeStore } from "./resume-claude.js";
import { codexEnvironment } from "./resume-codex.js";
import { type Environment, type Run, run } from "./run.js";
import { withScratch } from "./scratch.js";

export interface StartOptions {
  /** A CLAUDE_CONFIG_DIR or a CODEX_HOME. It is copied, never changed. */
  readonly store: string;
  /** The project. The program may write into it. */
  readonly cwd: string;
  readonly prompt?: string;
  readonly turns?: readonly Turn[];
  /** Further arguments. */
  readonly args?: readonly string[];
  /** Further variables. */
  readonly env?: Environment;
  readonly program?: string;
  /** Milliseconds until the program is killed. Default: 60,000. */
  readonly limit?: number;
}

export interface Started extends Run {
  /** All requests for an answer, oldest first. */
  readonly requests: readonly ModelRequest[];
}

const PROMPT = "hello there";
const LIMIT = 60_000;

/** `claude -p`. MCP servers and hooks of the store and the project are run. */
export function startClaude(options: StartOptions): Promise<Started> {
  return inClaude(options, ["-p", ...(options.args ?? []), options.prompt ?? PROMPT]);
}

/** Another command of Claude Code: `mcp list`. */
export function tellClaude(options: StartOptions, ...args: readonly string[]): Promise<Started> {
  return inClaude(options, args);
}

async function inClaude(options: StartOptions, args: readonly string[]): Promise<Started> {
  const program = options.program ?? (await findProgram("claude"));
  return withScratch(async (folder) => {
    const store = join(folder, "config");
    await copyClaudeStore(options.store, store);
    const model = await startMockModel({ turns: options.turns ?? [] });
    try {
      const env = { ...claudeEnvironment(folder, store, model.url("anthropic")), ...options.env };
      const ran = await run(program, args, { cwd: options.cwd, env, limit: options.limit ?? LIMIT });
      return { ...ran, requests: model.requests };
    } finally {
      await model.close();
    }
  });
}

/** `codex exec`, with the model that the store names (`args` may name another). */
export async function startCodex(options: StartOptions): Promise<Started> {
  const model = await startMockModel({ turns: options.turns ?? [] });
  try {
    const provider = mockProvider("mock", model.url("responses"));
    const args = [
      "exec",
      "--json",
      "--skip-git-repo-check",
      ...provider,
      ...(options.args ?? []),
      options.prompt ?? PROMPT,
    ];
    return { ...(await inCodex(options, args)), requests: model.requests };
  } finally {
    await model.close();
  }
}

/** Another command of Codex: `mcp list --json`. */
export async function tellCodex(options: StartOptions, ...args: readonly string[]): Promise<Run> {
  return inCodex(options, args);
}

async function inCodex(options: StartOptions, args: readonly string[]): Promise<Run> {
  const program = options.program ?? (await findProgram("codex"));
  return withScratch(async (folder) => {
    const home = join(folder, "codex");
    await copyCodexHome(options.store, home);
    const env = { ...codexEnvironment(folder, home), ...options.env };
    return run(program, args, { cwd: options.cwd, env, limit: options.limit ?? LIMIT });
  });
}
