/** Where Cline keeps what is no session: rules, skills, workflows, servers. */
import { type Environment, type KindContext, pathOf } from "@asp-convert/core";
import { DATA, SETTINGS, STATE } from "../layout.js";

export interface Place {
  scope: "user" | "project";
  project?: string;
}

export const NAME = "Cline";
export const HARNESS = "cline";
export const AGENTS = "AGENTS.md";
/** A folder of rules, or one file of them. */
export const CLINERULES = ".clinerules";
export const RULES = "rules";
export const SKILLS = "skills";
export const WORKFLOWS = "workflows";
export const SHARED = ".agents";

/** The person's place, then each project's. */
export function placesOf({ user, projects }: Pick<KindContext, "user" | "projects">): Place[] {
  return [
    ...(user ? [{ scope: "user" } as const] : []),
    ...projects.map((project) => ({ scope: "project", project }) as const),
  ];
}

type Platform = Pick<Environment, "platform">;

/** The state folder, or what a project has of it. */
export function ownFolder(root: string, project: string | undefined, environment: Platform): string {
  return project === undefined ? root : pathOf(environment).join(project, STATE);
}

/** The program knows servers of the person's only. */
export function serversPath(root: string, environment: Platform): string {
  return pathOf(environment).join(root, DATA, SETTINGS, "cline_mcp_settings.json");
}
