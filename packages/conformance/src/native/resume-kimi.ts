/** Resumes a session in the real Kimi Code, headless, against a mock model. It needs Node 22.19. */
import { createHash } from "node:crypto";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { asString, parseLines, parseObject } from "./json.js";
import { isFolder } from "./pi-store.js";
import { findProgram } from "./programs.js";
import { DEFAULT_PROMPT, type Resumed, type ResumeOptions, resume } from "./resume.js";
import { cleanEnvironment, type Environment } from "./run.js";
import { emptyFolder, withScratch } from "./scratch.js";

export interface ResumeKimiOptions extends ResumeOptions {
  /** A state folder, as KIMI_CODE_HOME names it. The session is copied out of it, never changed. */
  readonly root: string;
}

/**
 * Resumes a session with `kimi --session`, in the folder that it names; where that is not there, the copy is made to
 * name a new empty one. A session that the program cannot find gives no request.
 * Rejects when the store cannot be read or the program cannot be had.
 */
export async function resumeKimi(options: ResumeKimiOptions): Promise<Resumed> {
  const program = options.program ?? (await findProgram("kimi"));
  return withScratch(async (folder) => {
    const state = await emptyFolder(folder, join("home", ".kimi-code"));
    const found = await findSession(options.root, options.session);
    const cwd =
      options.cwd ??
      (found?.cwd !== undefined && (await isFolder(found.cwd))
        ? found.cwd
        : await emptyFolder(folder, "project"));
    const session = join(state, "sessions", projectKey(cwd), options.session);
    if (found) await copySession(found.path, session, cwd);
    return resume(
      {
        dialect: "responses",
        program,
        cwd,
        store: state,
        command: (url) => ({
          args: [
            ...["--session", options.session, "-m", MODEL],
            ...["-p", options.prompt ?? DEFAULT_PROMPT, "--output-format", "stream-json"],
          ],
          env: kimiEnvironment(folder, url),
        }),
        transcript: () => readFile(join(session, "agents", "main", "wire.jsonl"), "utf8").catch(() => ""),
        printed: readPrinted,
      },
      options,
    );
  });
}

async function findSession(
  root: string,
  id: string,
): Promise<{ path: string; cwd: string | undefined } | undefined> {
  const sessions = join(root, "sessions");
  for (const key of await readdir(sessions).catch(() => [])) {
    const path = join(sessions, key, id);
    const text = await readFile(join(path, "state.json"), "utf8").catch(() => undefined);
    if (text !== undefined) return { path, cwd: asString(parseObject(text)?.cwd) };
  }
  return undefined;
}

/** Which folder it is of stands in one file, and by another name in each journal. */
async function copySession(from: string, to: string, cwd: string): Promise<void> {
  await cp(from, to, { recursive: true });
  const path = join(to, "state.json");
  const state = parseObject(await readFile(path, "utf8")) ?? {};
  await writeFile(path, JSON.stringify({ ...state, cwd }));
  const [before, after] = [basename(dirname(from)), basename(dirname(to))];
  for (const agent of await readdir(join(to, "agents"))) {
    const wire = join(to, "agents", agent, "wire.jsonl");
    const lines = (await readFile(wire, "utf8")).split("\n");
    const moved = lines.map((line) =>
      line.startsWith('{"type":"runtime.set_binding"') ? line.replace(before, after) : line,
    );
    await writeFile(wire, moved.join("\n"));
  }
}

/** The folder that the program keeps the sessions of another one in. */
function projectKey(cwd: string): string {
  const name = cwd.slice(cwd.lastIndexOf("/") + 1).toLowerCase();
  return `wd_${name}_${createHash("sha256").update(cwd).digest("hex").slice(0, 12)}`;
}

/** What the program calls the model that the variables below name. */
const MODEL = "__kimi_env_model__";

export function kimiEnvironment(folder: string, url: string): Environment {
  return cleanEnvironment(folder, {
    KIMI_MODEL_NAME: "mock-model",
    KIMI_MODEL_API_KEY: "mock",
    KIMI_MODEL_PROVIDER_TYPE: "openai_responses",
    KIMI_MODEL_BASE_URL: url,
    KIMI_MODEL_CAPABILITIES: "image_in,thinking,tool_use",
    KIMI_CODE_NO_AUTO_UPDATE: "1",
    NO_COLOR: "1",
  });
}

function readPrinted(stdout: string): Pick<Resumed, "resumedSession" | "answer"> {
  const said = parseLines(stdout);
  return {
    resumedSession: asString(said.findLast(({ type }) => type === "session.resume_hint")?.session_id),
    answer: asString(said.findLast(({ role }) => role === "assistant")?.content),
  };
}
