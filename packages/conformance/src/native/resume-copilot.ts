/** Resumes a session in the real GitHub Copilot CLI, headless, without an account, against a mock model. */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { asString, parseLines } from "./json.js";
import { isFolder } from "./pi-store.js";
import { findProgram } from "./programs.js";
import { DEFAULT_PROMPT, type Resumed, type ResumeOptions, resume } from "./resume.js";
import { cleanEnvironment, type Environment } from "./run.js";
import { emptyFolder, withScratch } from "./scratch.js";

export interface ResumeCopilotOptions extends ResumeOptions {
  /** A state folder, as COPILOT_HOME names it. Its session is copied, never changed. */
  readonly root: string;
}

/**
 * Resumes a session with `copilot --resume`, in the folder that it names, or in a new empty one where that is not there.
 * A session that the program cannot find gives no request.
 * Rejects when the store cannot be read or the program cannot be had.
 */
export async function resumeCopilot(options: ResumeCopilotOptions): Promise<Resumed> {
  const program = options.program ?? (await findProgram("copilot"));
  return withScratch(async (folder) => {
    const state = join(folder, "home", ".copilot");
    const session = join("session-state", options.session);
    const events = join(state, session, "events.jsonl");
    await mkdir(join(state, "session-state"), { recursive: true });
    await cp(join(options.root, session), join(state, session), { recursive: true }).catch(() => {});
    const own = await cwdOf(join(state, session, "workspace.yaml"));
    const cwd =
      options.cwd ??
      (own !== undefined && (await isFolder(own)) ? own : await emptyFolder(folder, "project"));
    // What a person has switched on is not asked of a test.
    await writeFile(join(state, "settings.json"), JSON.stringify({ banner: "never" }));
    return resume(
      {
        dialect: "chat",
        program,
        cwd,
        store: state,
        command: (url) => ({
          args: [
            ...[`--resume=${options.session}`, "-p", options.prompt ?? DEFAULT_PROMPT],
            ...["--allow-all-tools", "--no-color"],
          ],
          env: copilotEnvironment(folder, url),
        }),
        transcript: () => readFile(events, "utf8").catch(() => ""),
        printed: (stdout) => ({ resumedSession: undefined, answer: stdout.trim() || undefined }),
      },
      options,
    ).then((resumed) => ({
      ...resumed,
      // It prints no id: what it went on with is what it wrote to.
      resumedSession: resumed.appended.length > 0 ? options.session : undefined,
    }));
  });
}

async function cwdOf(workspace: string): Promise<string | undefined> {
  const text = await readFile(workspace, "utf8").catch(() => "");
  const line = /^cwd: (.*)$/m.exec(text)?.[1];
  return line?.startsWith('"') ? asString(parseLines(`{"cwd":${line}}`)[0]?.cwd) : line;
}

/** Its own provider and no account; the cache is where it unpacks itself (240 MB), once for all runs. */
function copilotEnvironment(folder: string, url: string): Environment {
  return cleanEnvironment(folder, {
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_BASE_URL: url,
    COPILOT_PROVIDER_API_KEY: "mock",
    COPILOT_MODEL: "mock-1",
    XDG_CACHE_HOME: process.env.XDG_CACHE_HOME || join(homedir(), ".cache"),
  });
}
