/** Resumes a session in the real Pi, headless, against a mock model. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { asObject, asString, objectsOf, parseLines } from "./json.js";
import {
  copyPiSessions,
  findPiSession,
  isFolder,
  modelOf,
  moveSession,
  type PiModel,
  writePiSettings,
} from "./pi-store.js";
import { findProgram } from "./programs.js";
import { DEFAULT_PROMPT, type Resumed, type ResumeOptions, resume } from "./resume.js";
import { cleanEnvironment, type Environment } from "./run.js";
import { emptyFolder, withScratch } from "./scratch.js";

export interface ResumePiOptions extends ResumeOptions {
  /** An agent folder, as PI_CODING_AGENT_DIR names it. Its sessions are copied, never changed. */
  readonly agentDir: string;
  /** The model to resume with. Default: the one that answered last, if the mock speaks its API; else a new one. */
  readonly model?: PiModel;
}

/**
 * Resumes a session with `pi --session`. Pi runs in the folder that the session names; the copy is made to name
 * `cwd`, or a new empty folder where its own is not there. A session that Pi cannot find gives no request.
 * Rejects when the store cannot be read or the program cannot be had.
 */
export async function resumePi(options: ResumePiOptions): Promise<Resumed> {
  const program = options.program ?? (await findProgram("pi"));
  return withScratch(async (folder) => {
    const agentDir = join(folder, "agent");
    await mkdir(agentDir);
    await copyPiSessions(options.agentDir, agentDir);
    const path = await findPiSession(agentDir, options.session);
    const transcript = async () => (path === undefined ? "" : readFile(path, "utf8"));
    const before = await transcript();
    const own = asString(parseLines(before)[0]?.cwd);
    const cwd =
      options.cwd ??
      (own !== undefined && (await isFolder(own)) ? own : await emptyFolder(folder, "project"));
    if (path !== undefined && cwd !== own) await moveSession(path, cwd);
    const model = options.model ?? modelOf(before);
    return resume(
      {
        dialect: model.dialect,
        program,
        cwd,
        store: agentDir,
        prepare: (mock) => writePiSettings(agentDir, model, mock),
        command: () => ({
          args: [
            ...["--mode", "json", "--session", path ?? options.session],
            ...["--model", `${model.provider}/${model.model}`],
            ...["--no-approve", "--no-context-files", "--no-mcp", "--no-skills", "--no-prompt-templates"],
            ...["-p", options.prompt ?? DEFAULT_PROMPT],
          ],
          env: piEnvironment(folder, agentDir),
        }),
        transcript,
        printed: readEvents,
      },
      options,
    );
  });
}

export function piEnvironment(folder: string, agentDir: string): Environment {
  return cleanEnvironment(folder, {
    PI_CODING_AGENT_DIR: agentDir,
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
  });
}

function readEvents(stdout: string): Pick<Resumed, "resumedSession" | "answer"> {
  const events = parseLines(stdout);
  const opened = events.find(({ type }) => type === "session");
  const said = events
    .map(({ type, message }) => (type === "message_end" ? asObject(message) : undefined))
    .findLast((message) => message?.role === "assistant");
  const text = objectsOf(said?.content).find(({ type }) => type === "text")?.text;
  return { resumedSession: asString(opened?.id), answer: asString(text) };
}
