/** Runs the built command as a person does: its own process, its own home, nothing of this machine's stores. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export const root = join(import.meta.dirname, "../..");
export const program = join(root, "packages/cli/bin/asp-convert.js");

/** Root may do anything, so as root the tests of permissions give that up first. */
export const asUser =
  process.getuid?.() === 0 ? 'exec setpriv --bounding-set=-dac_override,-dac_read_search "$@"' : 'exec "$@"';

export interface Result {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  /** Instead of `node bin`: a shell line in which `"$@"` is the command. */
  shell?: string;
  /** Called with the process once it runs. */
  started?: (child: ReturnType<typeof spawn>) => void;
}

export interface Place {
  /** Where commands run; empty at first. */
  cwd: string;
  home: string;
  run(args: readonly string[], options?: RunOptions): Promise<Result>;
  /** A copy of a captured store, as its program's own variable would name it. */
  store(harness: keyof typeof storeFolder, name: string): string;
  /** Every file below a folder of this place with its hash: to see what was left behind or changed. */
  files(folder?: string): Record<string, string>;
}

/** A new empty place, removed after the test. */
export function place(): Place {
  const base = mkdtempSync(join(tmpdir(), "asp-cli-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [cwd, home] = [join(base, "here"), join(base, "home")];
  mkdirSync(cwd);
  mkdirSync(home);
  return {
    cwd,
    home,
    run: (args, options = {}) => run(args, cwd, home, options),
    store(harness, name) {
      const path = join(base, "stores", harness, name);
      cpSync(join(root, "fixtures", harness, name, storeFolder[harness]), path, { recursive: true });
      return path;
    },
    files: (folder = base) => hashes(folder),
  };
}

const storeFolder = {
  claude: "config",
  codex: "codex-home",
  opencode: "home/.local/share/opencode",
} as const;

function run(args: readonly string[], cwd: string, home: string, options: RunOptions): Promise<Result> {
  const {
    CLAUDE_CONFIG_DIR: _,
    CODEX_HOME: __,
    XDG_STATE_HOME: ___,
    NO_COLOR,
    FORCE_COLOR,
    CI,
    npm_command: ____,
    ...inherited
  } = process.env;
  const env = { ...inherited, HOME: home, TZ: "UTC", ...options.env };
  const command = [process.execPath, program, ...args];
  const [file = "", ...rest] =
    options.shell === undefined ? command : ["sh", "-c", options.shell, "sh", ...command];
  return new Promise((resolve, reject) => {
    const child = spawn(file, rest, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    const [out, err]: Buffer[][] = [[], []];
    child.stdout.on("data", (bytes: Buffer) => out?.push(bytes));
    child.stderr.on("data", (bytes: Buffer) => err?.push(bytes));
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({
        code,
        signal,
        out: Buffer.concat(out ?? []).toString(),
        err: Buffer.concat(err ?? []).toString(),
      }),
    );
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    options.started?.(child);
  });
}

function hashes(folder: string, prefix = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [path, name] = [join(folder, entry.name), `${prefix}${entry.name}`];
    if (entry.isDirectory()) Object.assign(found, { [`${name}/`]: "folder" }, hashes(path, `${name}/`));
    else if (entry.isSymbolicLink()) found[name] = `link ${readlinkSync(path)}`;
    else found[name] = createHash("sha256").update(readFileSync(path)).digest("hex");
  }
  return found;
}
