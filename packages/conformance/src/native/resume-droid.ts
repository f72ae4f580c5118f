/** Takes a session up in the real Factory Droid, headless, against a mock model: as a fork, which wants no account. */
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findProgram } from "./programs.js";
import { DEFAULT_PROMPT, type Resumed, type ResumeOptions, resume } from "./resume.js";
import { cleanEnvironment } from "./run.js";
import { emptyFolder, withScratch, writeFiles } from "./scratch.js";

export interface ResumeDroidOptions extends ResumeOptions {
  /** The home that holds `.factory`, as FACTORY_HOME_OVERRIDE names it. The session is copied out of it, never changed. */
  readonly root: string;
}

const SESSIONS = join(".factory", "sessions");

/**
 * Takes a session up with `droid exec --fork`, in an empty folder: the file is what counts. One that the program cannot
 * find gives no request. Rejects when the store cannot be read or the program cannot be had.
 */
export async function resumeDroid(options: ResumeDroidOptions): Promise<Resumed> {
  const program = options.program ?? (await findProgram("droid"));
  const { root, session, prompt = DEFAULT_PROMPT } = options;
  return withScratch(async (folder) => {
    const home = await emptyFolder(folder, "home");
    const cwd = options.cwd ?? (await emptyFolder(folder, "project"));
    const own = `${session}.jsonl`;
    const found = (await readdir(join(root, SESSIONS), { recursive: true }).catch(() => [])).find((name) =>
      name.endsWith(own),
    );
    if (found !== undefined) {
      await mkdir(join(home, SESSIONS, dirname(found)), { recursive: true });
      await cp(join(root, SESSIONS, found), join(home, SESSIONS, found));
    }
    return resume(
      {
        dialect: "chat",
        program,
        cwd,
        store: home,
        prepare: (model) =>
          writeFiles(new Map([[join(home, ".factory", "settings.json"), settings(model.url("chat"))]])),
        command: () => ({
          args: ["exec", "-m", MODEL, "--fork", session, prompt],
          env: cleanEnvironment(folder, { FACTORY_HOME_OVERRIDE: home, NO_COLOR: "1" }),
        }),
        // The fork is a file of its own.
        transcript: async () => {
          const names = await readdir(join(home, SESSIONS), { recursive: true }).catch(() => []);
          const fork = names.find((name) => name.endsWith(".jsonl") && !name.endsWith(own));
          return fork === undefined ? "" : readFile(join(home, SESSIONS, fork), "utf8");
        },
        printed: (stdout) => ({ resumedSession: session, answer: stdout.trim() || undefined }),
      },
      options,
    );
  });
}

const MODEL = "custom:Mock-0";

function settings(baseUrl: string): string {
  const model = {
    ...{ id: MODEL, model: "mock-model", displayName: "Mock", apiKey: "mock", baseUrl },
    ...{ provider: "generic-chat-completion-api", maxOutputTokens: 4000, noImageSupport: false },
  };
  return JSON.stringify({ customModels: [model], cloudSessionSync: false });
}
