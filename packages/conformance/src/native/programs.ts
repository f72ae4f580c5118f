/**
 * The real programs, each at one pinned version. They are installed from npm on first use, into a cache that
 * all processes of this user share.
 */
import { spawn } from "node:child_process";
import { access, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

interface Pin {
  readonly package: string;
  readonly version: string;
  /** What is wanted of the installed package, below node_modules. */
  readonly file: string;
  /** An environment variable that names another copy of that file. */
  readonly override: string;
  readonly npmFlags: readonly string[];
}

const command = (name: string) => join(".bin", process.platform === "win32" ? `${name}.cmd` : name);

const binary = (name: string) => (process.platform === "win32" ? `${name}.exe` : name);
/** As these packages' names end: `linux-x64`, `darwin-arm64`, `windows-x64`. */
const platformName = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

export const programs = {
  claude: {
    package: "@anthropic-ai/claude-code",
    version: "2.1.332",
    file: command("claude"),
    override: "ASP_NATIVE_CLAUDE",
    npmFlags: [],
  },
  codex: {
    package: "@openai/codex",
    version: "0.171.0",
    file: command("codex"),
    override: "ASP_NATIVE_CODEX",
    npmFlags: [],
  },
  pi: {
    package: "@earendil-works/pi-coding-agent",
    version: "1.6.0",
    file: command("pi"),
    override: "ASP_NATIVE_PI",
    npmFlags: [],
  },
  gemini: {
    package: "@google/gemini-cli",
    version: "0.61.0",
    file: command("gemini"),
    override: "ASP_NATIVE_GEMINI",
    npmFlags: [],
  },
  qwen: {
    package: "@qwen-code/qwen-code",
    version: "0.24.4",
    file: command("qwen"),
    override: "ASP_NATIVE_QWEN",
    npmFlags: [],
  },
  // It needs Node 22.19; what it could do without it, it does not install.
  kimi: {
    package: "@moonshot-ai/kimi-code",
    version: "2.1.0",
    file: command("kimi"),
    override: "ASP_NATIVE_KIMI",
    npmFlags: [],
  },
  cline: {
    package: `@cline/cli-${platformName}`,
    version: "3.0.65",
    file: join("@cline", `cli-${platformName}`, "bin", binary("cline")),
    override: "ASP_NATIVE_CLINE",
    npmFlags: [],
  },
  copilot: {
    package: "@github/copilot",
    version: "1.0.102",
    file: command("copilot"),
    override: "ASP_NATIVE_COPILOT",
    npmFlags: [],
  },
  // The programs themselves, not the wrapper that would pick one: it was once published ahead of them.
  opencode: {
    package: `opencode-${platformName}`,
    version: "1.18.33",
    file: join(`opencode-${platformName}`, "bin", binary("opencode")),
    override: "ASP_NATIVE_OPENCODE",
    npmFlags: [],
  },
  kilo: {
    package: `@kilocode/cli-${platformName}`,
    version: "7.7.9",
    file: join("@kilocode", `cli-${platformName}`, "bin", binary("kilo")),
    override: "ASP_NATIVE_KILO",
    npmFlags: [],
  },
  droid: {
    package: `@factory/cli-${platformName}`,
    version: "0.225.2",
    file: join("@factory", `cli-${platformName}`, "bin", binary("droid")),
    override: "ASP_NATIVE_DROID",
    npmFlags: [],
  },
  // Claude Code's own library to list its sessions; the program that comes with it is not needed.
  "claude-agent-sdk": {
    package: "@anthropic-ai/claude-agent-sdk",
    version: "0.3.332",
    file: join("@anthropic-ai", "claude-agent-sdk", "sdk.mjs"),
    override: "ASP_NATIVE_CLAUDE_SDK",
    npmFlags: ["--omit=optional", "--omit=peer"],
  },
  // Agents that speak ACP for the program they bring along, and OpenCode's own is `opencode acp`.
  "codex-acp": {
    package: "@agentclientprotocol/codex-acp",
    version: "2.6.0",
    file: command("codex-acp"),
    override: "ASP_NATIVE_CODEX_ACP",
    npmFlags: [],
  },
  "claude-agent-acp": {
    package: "@agentclientprotocol/claude-agent-acp",
    version: "0.101.0",
    file: command("claude-agent-acp"),
    override: "ASP_NATIVE_CLAUDE_AGENT_ACP",
    npmFlags: [],
  },
} as const satisfies { readonly [name: string]: Pin };

export type ProgramName = keyof typeof programs;

/**
 * The path of a program (of the module, for `claude-agent-sdk`). In this order: what its variable names
 * (`ASP_NATIVE_CLAUDE`, `ASP_NATIVE_CODEX` …); the cache, `ASP_NATIVE_CACHE` or else
 * `asp-convert/native` in the user's cache folder; a new installation into that cache. Rejects with npm's
 * words when the installation fails.
 */
export async function findProgram(name: ProgramName): Promise<string> {
  const pin: Pin = programs[name];
  const override = process.env[pin.override];
  if (override) return resolve(override);

  const cache = cacheFolder();
  const folder = join(cache, `${name}-${pin.version}`);
  const path = join(folder, "node_modules", pin.file);
  if (await exists(path)) return path;

  await mkdir(cache, { recursive: true });
  const release = await lock(`${folder}.lock`);
  try {
    if (!(await exists(path))) await install(pin, folder);
  } finally {
    await release();
  }
  if (!(await exists(path)))
    throw new Error(`${pin.package}@${pin.version} was installed, but has no ${pin.file}`);
  return path;
}

function cacheFolder(): string {
  const own = process.env.ASP_NATIVE_CACHE;
  if (own) return resolve(own);
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "asp-convert", "native");
}

/** Installs beside the wanted folder and moves the whole into place: nobody ever sees half a program. */
async function install(pin: Pin, folder: string): Promise<void> {
  const half = `${folder}.${process.pid}.half`;
  try {
    await mkdir(half, { recursive: true });
    await npmInstall(pin, half);
    await rm(folder, { recursive: true, force: true }); // what a broken cache may have there
    await rename(half, folder);
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

async function npmInstall(pin: Pin, folder: string): Promise<void> {
  const flags = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts=false", "--loglevel=error"];
  const args = ["install", "--prefix", folder, ...flags, ...pin.npmFlags, `${pin.package}@${pin.version}`];
  const child = spawn("npm", args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    shell: process.platform === "win32",
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString("utf8");
  });
  const status = await new Promise<number | null>((ended, failed) => {
    child.once("error", failed);
    child.once("close", ended);
  });
  if (status !== 0) {
    throw new Error(
      `npm could not install ${pin.package}@${pin.version} (status ${status}): ${complaint.trim()}`,
    );
  }
}

/**
 * Waits until this process alone holds the lock, a file with the holder's process id; gives the way to let it
 * go. A lock whose holder is gone is taken over. Should two ever hold it at once, they both install and the
 * last to finish stays: wasteful, not wrong.
 */
async function lock(file: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: "wx" });
      return () => rm(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    await sleep(250);
    if (await isAbandoned(file)) await rm(file, { force: true });
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  try {
    const pid = Number(await readFile(file, "utf8"));
    if (pid > 0) return !isAlive(pid);
    return Date.now() - (await stat(file)).mtimeMs > 10_000; // made, but its holder never got to write its id
  } catch {
    return false; // let go of in the meantime
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
