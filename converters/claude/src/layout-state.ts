/** Where Claude Code keeps what is no session: instructions, skills, servers, memory, settings. */
import { type Environment, pathOf, type Source, samePath } from "@asp-convert/core";
import { gitRoot } from "@asp-convert/core/kinds";
import { projectFolder } from "./layout.js";

export const INSTRUCTIONS = "CLAUDE.md";
export const LOCAL_INSTRUCTIONS = "CLAUDE.local.md";
export const RULES = "rules";
export const SETTINGS = "settings.json";
export const LOCAL_SETTINGS = "settings.local.json";
/** Inside a project. */
export const PROJECT_FOLDER = ".claude";
export const PROJECT_SERVERS = ".mcp.json";
export const SKILLS = "skills";
export const COMMANDS = "commands";
export const AGENTS = "agents";
export const OUTPUT_STYLES = "output-styles";
export const MEMORY_INDEX = "MEMORY.md";
/** Ours: notes that belong to no project, for which Claude Code has no place of its own. */
export const CARRIED_NOTES = "memory";

/** Instructions of the organisation; they are the machine's, not the person's. */
export const MANAGED_INSTRUCTIONS = "/etc/claude-code/CLAUDE.md";

/**
 * The file of global state (user and local MCP servers). It stands inside the folder that CLAUDE_CONFIG_DIR
 * names, but beside the default one.
 */
export async function globalState(root: string, source: Source, environment: Environment): Promise<string> {
  const paths = pathOf(environment);
  const inside = paths.join(root, ".claude.json");
  const beside = paths.join(paths.dirname(root), ".claude.json");
  const named = environment.env.CLAUDE_CONFIG_DIR;
  const { platform, cwd, home } = environment;
  if (named !== undefined && named !== "" && samePath(paths.resolve(cwd, named), root, platform))
    return inside;
  const isDefault = samePath(root, paths.join(home, ".claude"), platform);
  const [first, second] = isDefault ? [beside, inside] : [inside, beside];
  if (await source.stat(first)) return first;
  return paths.basename(root) === ".claude" && (await source.stat(second)) ? second : first;
}

/** Where the auto memory of a project lies: by the git root of its main checkout, else by the folder itself. */
export async function memoryFolder(
  root: string,
  project: string,
  source: Source,
  environment: Environment,
): Promise<string> {
  const real = (await source.realPath(project)) ?? project;
  const owner = (await gitRoot(real, source, environment)) ?? real;
  return pathOf(environment).join(root, "projects", projectFolder(owner), "memory");
}

/** The folder of `~/.claude.json`, where the global state stands beside the store and not inside. */
export function besides(root: string, environment: Environment): string[] {
  const paths = pathOf(environment);
  return samePath(root, paths.join(environment.home, ".claude"), environment.platform)
    ? [environment.home]
    : [];
}
