/** Resumes a session in the real Gemini CLI, headless, against a mock model. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  copyGeminiState,
  findGeminiSession,
  moveGeminiProject,
  writeGeminiSettings,
} from "./gemini-store.js";
import { asString, parseObject } from "./json.js";
import { isFolder } from "./pi-store.js";
import { findProgram } from "./programs.js";
import { DEFAULT_PROMPT, type Resumed, type ResumeOptions, resume } from "./resume.js";
import { cleanEnvironment, type Environment } from "./run.js";
import { emptyFolder, withScratch } from "./scratch.js";

export interface ResumeGeminiOptions extends ResumeOptions {
  /** A state folder `.gemini`, or the home that holds one. It is copied, never changed. */
  readonly root: string;
  /** Default: `gemini-2.5-pro`; the mock takes any name. */
  readonly model?: string;
}

/**
 * Resumes a session with `gemini --resume`, in the folder that its project has in the store; where that is not there,
 * the copy is made to name a new empty one. A session that the program cannot find gives no request.
 * Rejects when the store cannot be read or the program cannot be had.
 */
export async function resumeGemini(options: ResumeGeminiOptions): Promise<Resumed> {
  const program = options.program ?? (await findProgram("gemini"));
  return withScratch(async (folder) => {
    const state = join(folder, "home", ".gemini");
    await copyGeminiState(options.root, state);
    const found = await findGeminiSession(state, options.session);
    const own = found?.cwd;
    const cwd =
      options.cwd ??
      (own !== undefined && (await isFolder(own)) ? own : await emptyFolder(folder, "project"));
    if (found && cwd !== own) await moveGeminiProject(state, found.slug, cwd);
    await writeGeminiSettings(state);
    return resume(
      {
        dialect: "gemini",
        program,
        cwd,
        store: state,
        command: (url) => ({
          args: [
            ...["--resume", options.session, "-p", options.prompt ?? DEFAULT_PROMPT],
            ...[
              "-m",
              options.model ?? "gemini-2.5-pro",
              "--approval-mode",
              "yolo",
              "--output-format",
              "json",
            ],
          ],
          env: geminiEnvironment(folder, url),
        }),
        // An old document goes on in a file beside it.
        transcript: async () =>
          found === undefined
            ? ""
            : readFile(found.path.replace(/\.json$/, ".jsonl"), "utf8").catch(() => ""),
        printed: readPrinted,
      },
      options,
    );
  });
}

export function geminiEnvironment(folder: string, url: string): Environment {
  return cleanEnvironment(folder, {
    GEMINI_API_KEY: "mock",
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    // Else it starts itself again as a child.
    GEMINI_CLI_NO_RELAUNCH: "true",
    NO_COLOR: "1",
  });
}

function readPrinted(stdout: string): Pick<Resumed, "resumedSession" | "answer"> {
  const said = parseObject(stdout.slice(Math.max(0, stdout.indexOf("{"))));
  return { resumedSession: asString(said?.session_id), answer: asString(said?.response) };
}
