/** Resumes a session in the real Claude Code, headless, against a mock model. */
import { cp, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { asString, parseObject } from "./json.js";
import { findProgram } from "./programs.js";
import { DEFAULT_PROMPT, type Resumed, type ResumeOptions, resume } from "./resume.js";
import { cleanEnvironment, type Environment } from "./run.js";
import { emptyFolder, withScratch } from "./scratch.js";

export interface ResumeClaudeOptions extends ResumeOptions {
  /** A Claude Code home, as CLAUDE_CONFIG_DIR names it. It is copied, never changed. */
  readonly configDir: string;
  /** No copy: the program works in `configDir` itself, where others may look on. */
  readonly live?: boolean;
}

/**
 * Resumes a session with `claude -p --resume`. Hooks and MCP servers that the store names are not run.
 * A session that Claude Code cannot find gives an exit code other than 0 and no request.
 * Rejects when the store cannot be read or the program cannot be had.
 */
export async function resumeClaude(options: ResumeClaudeOptions): Promise<Resumed> {
  const program = options.program ?? (await findProgram("claude"));
  return withScratch(async (folder) => {
    const configDir = options.live ? options.configDir : join(folder, "config");
    if (!options.live) await copyClaudeStore(options.configDir, configDir);
    const cwd = options.cwd ?? (await emptyFolder(folder, "project"));
    const args = [
      ...["-p", "--resume", options.session, "--output-format", "json"],
      ...["--strict-mcp-config", "--settings", JSON.stringify({ disableAllHooks: true })],
      options.prompt ?? DEFAULT_PROMPT,
    ];
    return resume(
      {
        dialect: "anthropic",
        program,
        cwd,
        store: configDir,
        command: (url) => ({ args, env: claudeEnvironment(folder, configDir, url) }),
        transcript: () => readTranscript(configDir, options.session),
        printed: (stdout) => {
          const report = parseObject(stdout);
          return { resumedSession: asString(report?.session_id), answer: asString(report?.result) };
        },
      },
      options,
    );
  });
}

/** What is private to a machine or a process, and so never copied. */
const NOT_COPIED = new Set(["sessions", ".credentials.json", "backups", "shell-snapshots", "session-env"]);

export async function copyClaudeStore(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    preserveTimestamps: true, // the time that lists show
    filter: (path) => !NOT_COPIED.has(basename(path)),
  });
}

export function claudeEnvironment(folder: string, configDir: string, url: string): Environment {
  return cleanEnvironment(folder, {
    CLAUDE_CONFIG_DIR: configDir,
    ANTHROPIC_API_KEY: "mock",
    ANTHROPIC_BASE_URL: url,
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
    IS_SANDBOX: "1",
  });
}

/** The transcript lies in one of the project folders, whatever project it is resumed in. */
async function readTranscript(configDir: string, session: string): Promise<string> {
  const projects = join(configDir, "projects");
  for (const project of await readdir(projects).catch(() => [])) {
    const text = await readFile(join(projects, project, `${session}.jsonl`), "utf8").catch(() => undefined);
    if (text !== undefined) return text;
  }
  return "";
}
