/** Starts the real Gemini CLI and Qwen Code afresh on a store: a new session, with all that it and the project say. */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startMockModel } from "@asp-convert/mock-model";
import { copyGeminiState, writeGeminiSettings } from "./gemini-store.js";
import { parseObject } from "./json.js";
import { findProgram } from "./programs.js";
import { geminiEnvironment } from "./resume-gemini.js";
import { qwenEnvironment, writeQwenSettings } from "./resume-qwen.js";
import { run } from "./run.js";
import { withScratch } from "./scratch.js";
import type { Started, StartOptions } from "./start.js";

const PROMPT = "hello there";
const LIMIT = 120_000;

/** `gemini -p` in a trusted folder. `store`: a state folder, or the home that it is in; its servers are run. */
export function startGemini(options: StartOptions): Promise<Started> {
  const words = ["-p", options.prompt ?? PROMPT, "-m", "gemini-2.5-pro", "--approval-mode", "yolo"];
  return tellGemini(options, ...words, "--output-format", "json", ...(options.args ?? []));
}

/** Another command of Gemini CLI: `--list-sessions`. */
export async function tellGemini(options: StartOptions, ...args: readonly string[]): Promise<Started> {
  const program = options.program ?? (await findProgram("gemini"));
  return withScratch(async (folder) => {
    const state = join(folder, "home", ".gemini");
    await copyGeminiState(options.store, state);
    const own = await settingsIn(state);
    await writeGeminiSettings(state, own);
    const mock = await startMockModel({ turns: options.turns ?? [] });
    try {
      const env = { ...geminiEnvironment(folder, mock.url("gemini")), ...options.env };
      const ran = await run(program, args, { cwd: options.cwd, env, limit: options.limit ?? LIMIT });
      return { ...ran, requests: mock.requests };
    } finally {
      await mock.close();
    }
  });
}

/** `qwen -p`. `store`: a state folder, as QWEN_HOME names it; its servers are run, and their tools are not held back. */
export async function startQwen(options: StartOptions): Promise<Started> {
  const program = options.program ?? (await findProgram("qwen"));
  return withScratch(async (folder) => {
    const state = join(folder, "home", ".qwen");
    await cp(options.store, state, { recursive: true });
    const { tools, ...own } = await settingsIn(state);
    await writeQwenSettings(state, {
      // What it remembers is sent too, but it is not to think about it by itself.
      memory: { enableManagedAutoMemory: true, enableManagedAutoDream: false },
      ...own,
      tools: { ...(tools as object), toolSearch: { enabled: false } },
    });
    const mock = await startMockModel({ turns: options.turns ?? [] });
    try {
      const env = { ...qwenEnvironment(folder, mock.url("chat")), ...options.env };
      const words = ["-p", options.prompt ?? PROMPT, "--approval-mode", "yolo", "--output-format", "json"];
      const ran = await run(program, [...words, ...(options.args ?? [])], {
        cwd: options.cwd,
        env,
        limit: options.limit ?? LIMIT,
      });
      return { ...ran, requests: mock.requests };
    } finally {
      await mock.close();
    }
  });
}

async function settingsIn(state: string): Promise<Record<string, unknown>> {
  const text = await readFile(join(state, "settings.json"), "utf8").catch(() => "{}");
  return { ...parseObject(text) };
}
