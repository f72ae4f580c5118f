/** Where Pi keeps what is no session: instructions, skills, prompts, servers, settings. */

import type { KindContext } from "@asp-convert/core";
import { pathOf, type Store } from "@asp-convert/core";
import { readJsonObject } from "@asp-convert/core/kinds";

export { SETTINGS } from "./layout.js";

/** What is written; read is the first of `INSTRUCTION_NAMES` in a folder. */
export const INSTRUCTIONS = "AGENTS.md";
export const INSTRUCTION_NAMES = ["AGENTS.override.md", INSTRUCTIONS, "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"];
/** Beside Pi's own prompt; of the two, a project's is read. */
export const APPEND_SYSTEM = "APPEND_SYSTEM.md";
/** In place of Pi's own prompt. */
export const SYSTEM = "SYSTEM.md";
/** Inside a project. */
export const PROJECT_FOLDER = ".pi";
export const SERVERS = "mcp.json";
export const SKILLS = "skills";
export const PROMPTS = "prompts";
/** Below a home or a project: skills that other programs read too. */
export const SHARED_SKILLS = ".agents/skills";

const AXES = { skills: "skills", tools: "mcp-servers", settings: "options" } as const;

/** A JSON file as an object; what is no such thing is told, and counts as empty. */
export function readObject(
  path: string,
  kind: keyof typeof AXES,
  context: KindContext,
): Promise<Record<string, unknown>> {
  return readJsonObject(path, { kind, axis: AXES[kind] }, context);
}

/** The folder of a scope: the store's root, or `.pi` of a project. */
export function folderOf(
  store: Pick<Store, "root">,
  project: string | undefined,
  environment: Parameters<typeof pathOf>[0],
): string {
  return project === undefined ? store.root : pathOf(environment).join(project, PROJECT_FOLDER);
}
