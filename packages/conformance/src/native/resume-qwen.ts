/** Resumes a session in the real Qwen Code, headless, against a mock model. */
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asString, parseLines } from "./json.js";
import { isFolder } from "./pi-store.js";
import { findProgram } from "./programs.js";
import { DEFAULT_PROMPT, type Resumed, type ResumeOptions, resume } from "./resume.js";
import { cleanEnvironment, type Environment } from "./run.js";
import { emptyFolder, withScratch } from "./scratch.js";

export interface ResumeQwenOptions extends ResumeOptions {
  /** A state folder, as QWEN_HOME names it. Its sessions are copied, never changed. */
  readonly root: string;
}

/**
 * Resumes a session with `qwen --resume`, in the folder that its first record names; where that is not there, the copy
 * is made to name a new empty one. A session that the program cannot find gives no request.
 * Rejects when the store cannot be read or the program cannot be had.
 */
export async function resumeQwen(options: ResumeQwenOptions): Promise<Resumed> {
  const program = options.program ?? (await findProgram("qwen"));
  return withScratch(async (folder) => {
    const state = join(folder, "home", ".qwen");
    const found = await findSession(options.root, options.session);
    const cwd =
      options.cwd ??
      (found?.cwd !== undefined && (await isFolder(found.cwd))
        ? found.cwd
        : await emptyFolder(folder, "project"));
    const chats = join(state, "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"), "chats");
    const path = join(chats, `${options.session}.jsonl`);
    if (found) {
      await mkdir(chats, { recursive: true });
      if (cwd === found.cwd) await cp(found.path, path);
      else await writeFile(path, await movedTo(cwd, found.path));
    }
    await writeQwenSettings(state);
    return resume(
      {
        dialect: "chat",
        program,
        cwd,
        store: state,
        command: (url) => ({
          args: [
            ...["--resume", options.session, "-p", options.prompt ?? DEFAULT_PROMPT],
            ...["--approval-mode", "yolo", "--output-format", "json"],
          ],
          env: qwenEnvironment(folder, url),
        }),
        transcript: () => readFile(path, "utf8").catch(() => ""),
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
  const projects = join(root, "projects");
  for (const slug of await readdir(projects).catch(() => [])) {
    const path = join(projects, slug, "chats", `${id}.jsonl`);
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text !== undefined) return { path, cwd: asString(parseLines(text)[0]?.cwd) };
  }
  return undefined;
}

/** Each record names the folder, and the first must name the one that the program runs in. */
async function movedTo(cwd: string, path: string): Promise<string> {
  return parseLines(await readFile(path, "utf8"))
    .map((record) => `${JSON.stringify("cwd" in record ? { ...record, cwd } : record)}\n`)
    .join("");
}

/** Nothing but what the run needs: no servers, no hooks, no memories, nothing sent to anybody. */
export async function writeQwenSettings(state: string, more: object = {}): Promise<void> {
  const settings = {
    $version: 4,
    security: { auth: { selectedType: "openai" } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    ...more,
  };
  await mkdir(state, { recursive: true });
  await writeFile(join(state, "settings.json"), JSON.stringify(settings));
}

/** The name of the model decides whether pictures are sent: of this one the program knows that it sees. */
const MODEL = "qwen3-vl-plus";

export function qwenEnvironment(folder: string, url: string): Environment {
  return cleanEnvironment(folder, {
    OPENAI_API_KEY: "mock",
    OPENAI_BASE_URL: url,
    OPENAI_MODEL: MODEL,
    QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
    NO_COLOR: "1",
  });
}

function readPrinted(stdout: string): Pick<Resumed, "resumedSession" | "answer"> {
  const at = stdout.indexOf("[");
  let said: unknown;
  try {
    said = JSON.parse(at === -1 ? "[]" : stdout.slice(at));
  } catch {
    said = [];
  }
  const events: Record<string, unknown>[] = Array.isArray(said) ? said : [];
  const result = events.findLast(({ type }) => type === "result");
  return { resumedSession: asString(result?.session_id), answer: asString(result?.result) };
}
