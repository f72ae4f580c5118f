/** Resumes a session in the real Cline against a mock model. It takes up sessions in a terminal only, so Linux. */
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { MockModel } from "@asp-convert/mock-model";
import { asObject, asString, type JsonObject, objectsOf, parseObject } from "./json.js";
import { isFolder } from "./pi-store.js";
import { findProgram } from "./programs.js";
import { DEFAULT_PROMPT, type Resumed, type ResumeOptions, resume } from "./resume.js";
import { cleanEnvironment, type Environment } from "./run.js";
import { emptyFolder, withScratch } from "./scratch.js";
import { runInTerminal, type Terminal } from "./terminal.js";

export interface ResumeClineOptions extends ResumeOptions {
  /** A state folder, as CLINE_DIR names it. Its sessions are copied, never changed. */
  readonly root: string;
}

const LIMIT = 120_000;

/**
 * Resumes a session with `cline --id`, in the folder that it names, or in a new empty one where that is not there. For
 * a session that it does not find the program begins a new one. Rejects when the store cannot be read or the program
 * cannot be had.
 */
export async function resumeCline(options: ResumeClineOptions): Promise<Resumed> {
  const program = options.program ?? (await findProgram("cline"));
  const { session, prompt = DEFAULT_PROMPT } = options;
  return withScratch(async (folder) => {
    const state = join(folder, "cline");
    const own = await copyClineSessions(options.root, state, session);
    const cwd =
      options.cwd ??
      (own !== undefined && (await isFolder(own)) ? own : await emptyFolder(folder, "project"));
    const path = join(sessionsIn(state), session, `${session}.messages.json`);
    const messages = async () => messagesIn(await readFile(path, "utf8").catch(() => ""));
    const before = (await messages()).length;
    const isAnswered = async () => {
      const all = await messages();
      return all.length > before + 1 && all.at(-1)?.role === "assistant";
    };
    let mock: MockModel | undefined;
    const resumed = await resume(
      {
        dialect: "anthropic",
        program,
        cwd,
        store: state,
        prepare: (model) => {
          mock = model;
          return writeClineSettings(state, model);
        },
        command: () => ({ args: ["--id", session], env: clineEnvironment(folder, state) }),
        run: (file, args, more) =>
          runInTerminal(file, args, {
            ...more,
            limit: options.limit ?? LIMIT,
            drive: (terminal) =>
              say(prompt, { isAsked: () => (mock?.requests.length ?? 0) > 0, isAnswered }, terminal),
          }),
        transcript: async () => (await messages()).map((message) => JSON.stringify(message)).join("\n"),
        printed: () => ({ resumedSession: undefined, answer: undefined }),
      },
      options,
    );
    const said = resumed.appended.findLast(({ role }) => role === "assistant");
    const answer = asString(objectsOf(said?.content).find(({ type }) => type === "text")?.text);
    // What it went on with is what it wrote to; an empty session that it began anew has another file.
    return { ...resumed, answer, resumedSession: resumed.appended.length > 0 ? session : undefined };
  });
}

interface Course {
  isAsked: () => boolean;
  isAnswered: () => Promise<boolean>;
}

/** Keys are lost while the program starts, and one that comes too soon is taken for a part of the text: each is pressed until it did what it is for. */
async function say(prompt: string, { isAsked, isAnswered }: Course, terminal: Terminal): Promise<void> {
  const shows = (words: string) => terminal.screen().some((line) => line.includes(words));
  await terminal.until(() => shows("Ask anything"), LIMIT);
  await terminal.quiet(10_000);
  const words = prompt.split("\n", 1)[0]?.slice(0, 40) ?? "";
  for (let times = 0; times < 3; times++) {
    terminal.type(prompt);
    if (await terminal.until(() => shows(words), 3000)) break;
  }
  for (let times = 0; times < 20 && !isAsked(); times++) {
    terminal.type("\r");
    await terminal.until(isAsked, 3000);
  }
  await terminal.until(isAnswered, LIMIT);
}

const sessionsIn = (state: string) => join(state, "data", "sessions");

/**
 * Copies the sessions of a store and nothing else: what else lies there may run, is secret, or steers what is sent.
 * Manifests are made to name the copy, as a store that is moved must. @returns the folder that the session names
 */
async function copyClineSessions(root: string, state: string, session: string): Promise<string | undefined> {
  await mkdir(sessionsIn(state), { recursive: true });
  await cp(sessionsIn(root), sessionsIn(state), { recursive: true, preserveTimestamps: true });
  let cwd: string | undefined;
  for (const id of await readdir(sessionsIn(state))) {
    const folder = join(sessionsIn(state), id);
    const path = join(folder, `${id}.json`);
    const manifest = parseObject(await readFile(path, "utf8").catch(() => ""));
    if (!manifest) continue;
    if (id === session) cwd = asString(manifest.cwd);
    const moved = Object.entries(manifest).map(([key, value]) =>
      key.endsWith("_path") && typeof value === "string"
        ? [key, join(folder, basename(value))]
        : [key, value],
    );
    await writeFile(path, JSON.stringify(Object.fromEntries(moved)));
  }
  return cwd;
}

/** Its messages, or the list of them alone. */
function messagesIn(text: string): JsonObject[] {
  try {
    const value: unknown = JSON.parse(text);
    return objectsOf(Array.isArray(value) ? value : asObject(value)?.messages);
  } catch {
    return []; // it is being written
  }
}

/** The provider that pictures in results go to as pictures; and that there is nothing to be told on a first start. */
export async function writeClineSettings(state: string, model: MockModel): Promise<void> {
  const settings = join(state, "data", "settings");
  const provider = "anthropic";
  const own = { provider, apiKey: "mock", model: MODEL, baseUrl: `${model.url("anthropic")}${VERSIONED}` };
  await mkdir(settings, { recursive: true });
  await writeFile(
    join(settings, "providers.json"),
    JSON.stringify({
      version: 1,
      lastUsedProvider: provider,
      modes: {},
      providers: {
        [provider]: { settings: own, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" },
      },
    }),
  );
  await writeFile(join(settings, "cli-notices.json"), '{"shown":{"cline-cli-cline-pass-intro":true}}');
}

const MODEL = "claude-sonnet-4-5";
/** The program's library wants the version in the address. */
const VERSIONED = "/v1";

export function clineEnvironment(folder: string, state: string): Environment {
  return cleanEnvironment(folder, {
    CLINE_DIR: state,
    // Else a daemon is left behind.
    CLINE_SESSION_BACKEND_MODE: "local",
    CLINE_NO_AUTO_UPDATE: "1",
  });
}
