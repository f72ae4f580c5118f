/** Where Claude Code keeps things. Nothing else here knows a path. */
import { distinctRoots, type Environment, pathOf } from "@asp-convert/core";

/** The names beside a transcript, in the folder that bears the session's id. */
export const SUBAGENTS = "subagents";
export const TOOL_RESULTS = "tool-results";
export const TITLE_FILE = "custom-title.json";

/** The variable that names the store's root. */
export const VARIABLE = "CLAUDE_CONFIG_DIR";

/** Roots on this machine: the variable's, else `~/.claude`. */
export function roots(environment: Environment): string[] {
  const usual = pathOf(environment).join(environment.home, ".claude");
  return distinctRoots([environment.env[VARIABLE], usual], environment);
}

const LONGEST = 200;

/**
 * The name of a project's folder: each UTF-16 unit outside `[A-Za-z0-9]` becomes `-`; past 200 the name is cut
 * and a hash of the path added. Several paths may share one name: it is made, never read.
 */
export function projectFolder(cwd: string): string {
  const name = cwd.replace(/[^A-Za-z0-9]/g, "-");
  if (name.length <= LONGEST) return name;
  let hash = 0;
  for (let i = 0; i < cwd.length; i++) hash = (Math.imul(hash, 31) + cwd.charCodeAt(i)) | 0;
  return `${name.slice(0, LONGEST)}-${Math.abs(hash).toString(36)}`;
}

/** Resume takes a UUID only. */
export function isSessionId(name: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(name);
}

/** `projects/<folder>/<id>.jsonl` below the root, with `/`. */
export function transcriptPath(cwd: string, id: string): string {
  return `projects/${projectFolder(cwd)}/${id}.jsonl`;
}

/** `projects/<folder>/<id>/subagents/agent-<agent>` + `.jsonl` or `.meta.json`. */
export function subagentPath(
  cwd: string,
  id: string,
  agent: string,
  extension: ".jsonl" | ".meta.json",
): string {
  return `projects/${projectFolder(cwd)}/${id}/${SUBAGENTS}/agent-${agent}${extension}`;
}

/** The agent's id in `agent-<id>.jsonl`, or undefined for another name. */
export function agentOf(fileName: string): string | undefined {
  return /^agent-(.+)\.jsonl$/.exec(fileName)?.[1];
}

/** Copies of the conversation that the program made for itself, not the work of a subagent. */
export function isCopy(agent: string): boolean {
  return /^(acompact|aside_question|aprompt_suggestion)-/.test(agent);
}
