/** Resumes a session in the real Codex CLI, headless, against a mock model. */
import { join } from "node:path";
import { copyCodexHome, mockProvider, needsOf, readRollout } from "./codex-home.js";
import { asObject, asString, parseLines } from "./json.js";
import { findProgram } from "./programs.js";
import { DEFAULT_PROMPT, type Resumed, type ResumeOptions, resume } from "./resume.js";
import { cleanEnvironment, type Environment } from "./run.js";
import { emptyFolder, withScratch } from "./scratch.js";

export interface ResumeCodexOptions extends ResumeOptions {
  /** A Codex home, as CODEX_HOME names it. It is copied, never changed. */
  readonly home: string;
  /** The model to resume with. Default: that of the session's last turn, else "gpt-5.5". */
  readonly model?: string;
}

const DEFAULT_MODEL = "gpt-5.5";

/**
 * Resumes a session with `codex exec resume`. A session that Codex cannot find gives no request, or one of a
 * new session: look at `resumedSession`. Rejects when the store cannot be read or the program cannot be had.
 */
export async function resumeCodex(options: ResumeCodexOptions): Promise<Resumed> {
  const program = options.program ?? (await findProgram("codex"));
  return withScratch(async (folder) => {
    const home = join(folder, "codex");
    await copyCodexHome(options.home, home);
    const cwd = options.cwd ?? (await emptyFolder(folder, "project"));
    const needs = needsOf(await readRollout(home, options.session));
    const model = options.model ?? needs.model ?? DEFAULT_MODEL;
    return resume(
      {
        dialect: "responses",
        program,
        cwd,
        store: home,
        command: (url) => ({
          args: [
            ...["exec", "resume", options.session, options.prompt ?? DEFAULT_PROMPT],
            ...["--json", "--skip-git-repo-check", "-m", model, "-c", 'approval_policy="never"'],
            ...mockProvider(needs.provider ?? "mock", url),
          ],
          env: codexEnvironment(folder, home),
        }),
        transcript: () => readRollout(home, options.session),
        printed: readEvents,
      },
      options,
    );
  });
}

export function codexEnvironment(folder: string, home: string): Environment {
  return cleanEnvironment(folder, {
    CODEX_HOME: home,
    CODEX_API_KEY: "mock",
    MOCK_API_KEY: "mock",
    RUST_LOG: "error",
  });
}

function readEvents(stdout: string): Pick<Resumed, "resumedSession" | "answer"> {
  const events = parseLines(stdout);
  const started = events.find((event) => event.type === "thread.started");
  const lastSaid = events
    .map((event) => (event.type === "item.completed" ? asObject(event.item) : undefined))
    .findLast((item) => item?.type === "agent_message");
  return { resumedSession: asString(started?.thread_id), answer: asString(lastSaid?.text) };
}
