/** Where Pi keeps things. Pure functions; nothing else in this converter knows a path. */
import { type Environment, pathOf, samePath } from "@asp-convert/core";

/** Names the agent folder that stands for `~/.pi/agent`. */
export const AGENT_VARIABLE = "PI_CODING_AGENT_DIR";
export const SESSIONS = "sessions";

/** Names in an agent folder; two of them are proof enough. */
export const MARKS = [
  SESSIONS,
  "settings.json",
  "models.json",
  "auth.json",
  "trust.json",
  "mcp.json",
  "prompts",
];

/** Store roots: the variable first, then the default. */
export function storeRoots(environment: Environment): string[] {
  const path = pathOf(environment);
  const standard = path.join(environment.home, ".pi", "agent");
  const named = environment.env[AGENT_VARIABLE];
  if (!named) return [standard];
  const root = path.resolve(environment.cwd, named);
  return samePath(root, standard, environment.platform) ? [root] : [root, standard];
}

/** The folder of a project's sessions: `/home/dev/demo` → `--home-dev-demo--`. */
export function projectFolder(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

/** Is a folder's name one that Pi looks for sessions in? */
export function isProjectFolder(name: string): boolean {
  return name.startsWith("--") && name.endsWith("--") && name.length > 3;
}

/** Pi's own name for a session file: time, then id. */
export function sessionFile(created: string, id: string): string {
  return `${created.replace(/[:.]/g, "-")}_${id}.jsonl`;
}

/** Where a session goes, relative to the root, with `/`. */
export function sessionPath(cwd: string, created: string, id: string): string {
  return `${SESSIONS}/${projectFolder(cwd)}/${sessionFile(created, id)}`;
}

/** `relative` (with `/`) below `root`, in the platform's own spelling. */
export function below(root: string, relative: string, environment: Pick<Environment, "platform">): string {
  return pathOf(environment).join(root, ...relative.split("/"));
}
