/** Two homes and two projects on a real disk, made from the captured stores, for conversions to and fro. */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import claude from "@asp-convert/claude";
import cline from "@asp-convert/cline";
import codex from "@asp-convert/codex";
import {
  type Converter,
  convert,
  diskSource,
  type Environment,
  type ItemReport,
  type Report,
  type StateRequest,
  stateKinds,
} from "@asp-convert/core";
import gemini from "@asp-convert/gemini";
import kilo from "@asp-convert/kilo";
import kimi from "@asp-convert/kimi";
import opencode from "@asp-convert/opencode";
import pi from "@asp-convert/pi";
import qwen from "@asp-convert/qwen";

export const fixtures = join(import.meta.dirname, "../../fixtures");

export interface World {
  /** The person's home folder; every path below lies in it. */
  home: string;
  environment: Environment;
  path(...parts: string[]): string;
  /** Copies a folder of a fixture into the home. */
  put(fixture: string, at: string): void;
  remove(): void;
}

export function makeWorld(): World {
  const home = mkdtempSync(join(tmpdir(), "asp-state-"));
  return {
    home,
    environment: {
      env: { XDG_STATE_HOME: join(home, ".local/state") },
      home,
      platform: process.platform,
      cwd: home,
    },
    path: (...parts) => join(home, ...parts),
    put: (fixture, at) =>
      cpSync(join(fixtures, fixture), join(home, at), { recursive: true, verbatimSymlinks: true }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

type HarnessId = "claude" | "codex" | "opencode" | "kilo" | "pi" | "gemini" | "qwen" | "kimi" | "cline";

export const harness: Record<HarnessId, Converter> = {
  claude,
  codex,
  opencode,
  kilo,
  pi,
  gemini,
  qwen,
  kimi,
  cline,
};

export interface Move {
  from: HarnessId;
  store: string;
  to: HarnessId;
  root: string;
  projects?: string[];
  state?: Partial<StateRequest>;
  dryRun?: boolean;
}

export async function move(
  world: World,
  { from, store, to, root, projects = [], state, dryRun }: Move,
): Promise<Report> {
  mkdirSync(root, { recursive: true });
  return convert({
    from: harness[from],
    store: { harness: from, root: store },
    refs: [],
    to: harness[to],
    root,
    environment: world.environment,
    source: diskSource,
    installed: false,
    roots: projects,
    ...(dryRun && { dryRun }),
    state: {
      kinds: stateKinds,
      user: true,
      projects,
      projectFolder: (project) => (projects.includes(project) ? project : undefined),
      followLinks: false,
      allowTools: true,
      includeSecrets: true,
      dropRestrictions: false,
      ...state,
    },
  });
}

/** Every file below a folder: path → content and mode; links by their text. */
export function snapshot(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (at: string, relative: string): void => {
    for (const name of readdirSync(at).sort()) {
      const path = join(at, name);
      const key = relative === "" ? name : `${relative}/${name}`;
      const info = lstatSync(path);
      if (info.isSymbolicLink()) found.set(key, `→ ${readlinkSync(path)}`);
      else if (info.isDirectory()) walk(path, key);
      else found.set(key, `${(info.mode & 0o777).toString(8)} ${readFileSync(path, "latin1")}`);
    }
  };
  if (existsSync(folder)) walk(folder, "");
  return found;
}

/** `tools demo: left consent-needed` … : an item a line, in a form to compare. */
export function lines(items: readonly ItemReport[]): string[] {
  return items.map(({ kind, item, scope, outcome, reason }) =>
    [kind, scope, item, outcome, reason].filter((part) => part !== undefined).join(" | "),
  );
}
