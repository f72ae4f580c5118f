/** Where Qwen Code keeps things. Nothing else in this converter knows a path. */
import { distinctRoots, type Environment, expandHome, pathOf } from "@asp-convert/core";

/** Names the state folder itself. */
export const STATE_VARIABLE = "QWEN_HOME";
export const STATE = ".qwen";
export const PROJECTS = "projects";
export const CHATS = "chats";
export const ARCHIVE = "archive";
export const SUBAGENTS = "subagents";

/** Names in a state folder; three of them are proof enough. */
export const MARKS = [
  PROJECTS,
  "settings.json",
  "QWEN.md",
  "memories",
  "output-language.md",
  "usage_record.jsonl",
];

/** State folders: the one that the variable names, then the person's own. */
export function storeRoots(environment: Environment): string[] {
  const { env, home } = environment;
  const named = env[STATE_VARIABLE];
  return distinctRoots(
    [named && expandHome(named, environment), pathOf(environment).join(home, STATE)],
    environment,
  );
}

/** The folder of a project's things: `/home/dev/demo` → `-home-dev-demo`. */
export function slugFor(cwd: string, { platform }: Pick<Environment, "platform">): string {
  const slug = cwd.replace(/[^A-Za-z0-9]/g, "-");
  return platform === "win32" ? slug.toLowerCase() : slug;
}

/** The program looks for no other names. */
export function isSessionFile(name: string): boolean {
  return /^[0-9a-fA-F-]{32,36}\.jsonl$/.test(name);
}

export function isSubagentFile(name: string): boolean {
  return /^agent-.+\.jsonl$/.test(name);
}

/** Relative to the root, with `/`. */
export function sessionPath(cwd: string, id: string, environment: Pick<Environment, "platform">): string {
  return `${PROJECTS}/${slugFor(cwd, environment)}/${CHATS}/${id}.jsonl`;
}

/** @param agent `reviewer-call_2_0`. */
export function subagentPath(
  cwd: string,
  parent: string,
  agent: string,
  environment: Pick<Environment, "platform">,
): string {
  return `${PROJECTS}/${slugFor(cwd, environment)}/${SUBAGENTS}/${parent}/agent-${agent}.jsonl`;
}

/** What says whose a subagent's session is. */
export function metaOf(path: string): string {
  return path.replace(/\.jsonl$/, ".meta.json");
}
