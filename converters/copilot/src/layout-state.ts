/** Where Copilot CLI keeps what is no session: instructions, skills, agents, servers. */
import { type Environment, pathOf, type Store } from "@asp-convert/core";

export const HARNESS = "copilot";
export const NAME = "GitHub Copilot CLI";
/** The person's own, and a project's in `.github/`. */
export const OWN_TEXT = "copilot-instructions.md";
/** In a project's root: all of them are read. The first is written. */
export const PROJECT_TEXTS = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];
/** Below `.github/`: texts for some files only. */
export const RULES = "instructions";
export const RULE_END = ".instructions.md";
export const SKILLS = "skills";
/** Of a project: skills of other programs that are read too. */
export const SHARED_SKILLS = [".agents/skills", ".claude/skills"];
export const AGENTS = "agents";
export const AGENT_END = ".agent.md";
export const SERVERS = "mcp-config.json";
export const PROJECT_SERVERS = ".mcp.json";
export const SETTINGS = "settings.json";

export type Place = { scope: "user"; project?: never } | { scope: "project"; project: string };

/** The folder of a scope: the store's root, or `.github` of a project. */
export function folderOf(
  store: Pick<Store, "root">,
  project: string | undefined,
  environment: Pick<Environment, "platform">,
): string {
  return project === undefined ? store.root : pathOf(environment).join(project, ".github");
}

export function placesOf({ user, projects }: { user: boolean; projects: readonly string[] }): Place[] {
  return [
    ...(user ? [{ scope: "user" } as const] : []),
    ...projects.map((project) => ({ scope: "project", project }) as const),
  ];
}
