/** What a person would see of the sessions in a store: asked of the real programs, on a private copy. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { withAppServer } from "./app-server.js";
import { copyCodexHome, mockProvider, needsOf, readRollout } from "./codex-home.js";
import { asObject, asString, type JsonObject, objectsOf } from "./json.js";
import { findProgram } from "./programs.js";
import { claudeEnvironment, copyClaudeStore } from "./resume-claude.js";
import { codexEnvironment } from "./resume-codex.js";
import { run } from "./run.js";
import { emptyFolder, withScratch } from "./scratch.js";

/** One line of a list of sessions. */
export interface ListedSession {
  readonly session: string;
  /** The name it was given, by a person or by the program. */
  readonly title: string | undefined;
  /** What stands for it when it has no title: its first message. */
  readonly preview: string | undefined;
  readonly cwd: string | undefined;
  readonly created: Date | undefined;
  readonly updated: Date | undefined;
}

const LIMIT = 60_000;
/** Nothing listens there: to list, no model is needed. */
const NO_MODEL = "http://127.0.0.1:9";

export interface ListCodexOptions {
  /** A Codex home. It is copied, never changed. */
  readonly home: string;
  /** Also what the picker hides: sessions of `codex exec`, of sub-agents, of other providers. Default: the picker's list. */
  readonly all?: boolean;
  readonly program?: string;
}

/** The sessions of a Codex home as its picker lists them, of all folders. Rejects when Codex refuses the home. */
export async function listCodex(options: ListCodexOptions): Promise<ListedSession[]> {
  return withCodex(options, undefined, async ({ call }) => {
    const filter = options.all ? { sourceKinds: ALL_SOURCES, modelProviders: [] } : {};
    const listed: ListedSession[] = [];
    let cursor: string | undefined;
    do {
      const page = await call("thread/list", { ...filter, ...(cursor === undefined ? {} : { cursor }) });
      listed.push(...objectsOf(page.data).map(codexLine));
      cursor = asString(page.nextCursor);
    } while (cursor !== undefined);
    return listed;
  });
}

export interface ShownCodexOptions extends Omit<ListCodexOptions, "all"> {
  readonly session: string;
}

/**
 * What Codex shows of a session once it is opened: the items of its turns, in order, as the app-server
 * protocol has them (`{type: "userMessage" | "agentMessage" | "commandExecution" | …}`).
 * Rejects when Codex cannot open the session.
 */
export async function shownCodex(options: ShownCodexOptions): Promise<JsonObject[]> {
  return withCodex(options, options.session, async ({ call }) => {
    const { thread } = await call("thread/resume", { threadId: options.session });
    return objectsOf(asObject(thread)?.turns).flatMap((turn) => objectsOf(turn.items));
  });
}

const ALL_SOURCES = [
  ...["cli", "vscode", "exec", "appServer", "unknown"],
  ...["subAgent", "subAgentReview", "subAgentCompact", "subAgentThreadSpawn", "subAgentOther"],
];

async function withCodex<T>(
  options: Omit<ListCodexOptions, "all">,
  session: string | undefined,
  task: Parameters<typeof withAppServer<T>>[3],
): Promise<T> {
  const program = options.program ?? (await findProgram("codex"));
  return withScratch(async (folder) => {
    const home = join(folder, "codex");
    await copyCodexHome(options.home, home);
    const provider = session === undefined ? undefined : needsOf(await readRollout(home, session)).provider;
    const cwd = await emptyFolder(folder, "project");
    const run = { cwd, env: codexEnvironment(folder, home), limit: LIMIT };
    return withAppServer(program, mockProvider(provider ?? "mock", NO_MODEL), run, task);
  });
}

function codexLine(thread: JsonObject): ListedSession {
  return {
    session: asString(thread.id) ?? "",
    title: asString(thread.name),
    preview: asString(thread.preview),
    cwd: asString(thread.cwd),
    created: dateOf(thread.createdAt, 1000),
    updated: dateOf(thread.updatedAt, 1000),
  };
}

export interface ListClaudeOptions {
  /** A Claude Code home. It is copied, never changed. */
  readonly configDir: string;
  /** Only the sessions of this project folder. Default: of all. */
  readonly cwd?: string;
}

/**
 * The sessions of a Claude Code home as Claude's own library lists them. The library also lists what the
 * picker of the terminal program hides: see `pickerClaude`.
 */
export async function listClaude(options: ListClaudeOptions): Promise<ListedSession[]> {
  const module = pathToFileURL(await findProgram("claude-agent-sdk")).href;
  return withScratch(async (folder) => {
    const configDir = join(folder, "config");
    await copyClaudeStore(options.configDir, configDir);
    const filter = JSON.stringify(options.cwd === undefined ? {} : { dir: options.cwd });
    const script = `import { listSessions } from ${JSON.stringify(module)};
      process.stdout.write(JSON.stringify({ sessions: await listSessions(${filter}) }));`;
    const ran = await run(process.execPath, ["--input-type=module", "-e", script], {
      cwd: folder,
      env: claudeEnvironment(folder, configDir, NO_MODEL),
      limit: LIMIT,
    });
    if (ran.exitCode !== 0) throw new Error(`listSessions failed: ${ran.stderr.trim()}`);
    const { sessions } = JSON.parse(ran.stdout) as JsonObject;
    return objectsOf(sessions).map((session) => ({
      session: asString(session.sessionId) ?? "",
      title: asString(session.customTitle) ?? asString(session.summary),
      preview: asString(session.firstPrompt),
      cwd: asString(session.cwd),
      created: dateOf(session.createdAt, 1),
      updated: dateOf(session.lastModified, 1),
    }));
  });
}

function dateOf(value: unknown, unit: number): Date | undefined {
  return typeof value === "number" ? new Date(value * unit) : undefined;
}
