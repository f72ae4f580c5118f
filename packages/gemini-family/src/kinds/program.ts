/** What tells the programs of the family apart beside sessions. */
import type { Environment, Source } from "@asp-convert/core";
import { pathOf } from "@asp-convert/core";

export interface Program {
  /** Of its converter. */
  id: string;
  name: string;
  /** The folder that holds the person's things, from a store's root. */
  state(root: string, source: Source, environment: Environment): Promise<string>;
  /** The folder that a project has for it: `.gemini`. */
  folder: string;
  /** What instruction files are called if nobody says otherwise. The first is written. */
  texts: readonly string[];
  /** Below a project: a person's own notes on it. */
  privateText?: string;
  /** When it reads the text of a folder below the project. */
  reach: string;
  /** How slash commands are written down. */
  commands: "toml" | "md";
  /** Front matter of skills that it holds to. */
  skillKeys: readonly string[];
}

export interface Place {
  scope: "user" | "project";
  project?: string;
}

export const SETTINGS = "settings.json";
/** Below a home or a project: skills that other programs read too. */
export const SHARED_SKILLS = ".agents/skills";

/** The folder of a scope: the person's, or that of a project. */
export async function folderOf(
  program: Program,
  root: string,
  project: string | undefined,
  { source, environment }: { source: Source; environment: Environment },
): Promise<string> {
  return project === undefined
    ? program.state(root, source, environment)
    : pathOf(environment).join(project, program.folder);
}
