/** Where Kimi Code keeps what is no session: instructions, skills, agents, servers, settings. */
import { type Environment, pathOf, type Store } from "@asp-convert/core";
import { STATE } from "./layout.js";

export const HARNESS = "kimi";
export const NAME = "Kimi Code";
/** Of the two the first that says something is read; the first is written. */
export const INSTRUCTION_NAMES = ["AGENTS.md", "agents.md"];
/** Below a home or a project: what other programs read too. */
export const SHARED = ".agents";
export const SKILLS = "skills";
export const AGENTS = "agents";
export const SERVERS = "mcp.json";
/** Of a project, in the form that Claude Code gave it. */
export const SHARED_SERVERS = ".mcp.json";
export const CONFIG = "config.toml";

export type Place = { scope: "user"; project?: never } | { scope: "project"; project: string };

/** The folder of a scope: the store's root, or `.kimi-code` of a project. */
export function folderOf(
  store: Pick<Store, "root">,
  project: string | undefined,
  environment: Pick<Environment, "platform">,
): string {
  return project === undefined ? store.root : pathOf(environment).join(project, STATE);
}

export function placesOf({ user, projects }: { user: boolean; projects: readonly string[] }): Place[] {
  return [
    ...(user ? [{ scope: "user" } as const] : []),
    ...projects.map((project) => ({ scope: "project", project }) as const),
  ];
}
