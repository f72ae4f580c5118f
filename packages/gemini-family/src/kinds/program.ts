/** What tells the programs of the family apart beside sessions. */
import { type Action, type Environment, type KindTarget, pathOf, type Source } from "@asp-convert/core";
import type { Mode, ThoughtLevel } from "@asp-convert/core/kinds";

export type Looking = Pick<KindTarget, "root" | "source" | "environment">;

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
  /** In its state folder: notes of the person's that hold everywhere. Absent: it remembers by project only. */
  memories?: string;
  /** Where notes on projects lie; the project as far as it can be told. */
  projectMemories(
    state: string,
    context: { source: Source; environment: Environment },
  ): Promise<{ folder: string; project: string | undefined }[]>;
  /** Where those on this one go, and what makes that folder the project's. */
  memoryOf(project: string, at: Looking): Promise<{ folder: string; actions: readonly Action[] }>;
  options: OptionWords;
}

/** What the program calls options that others have too. Keys are paths in its settings. */
export interface OptionWords {
  model: readonly string[];
  mode: readonly string[];
  /** Its words for a mode, in everybody's. */
  modes: Readonly<Record<string, Mode>>;
  thoughtLevel?: readonly string[];
  thoughtLevels?: readonly ThoughtLevel[];
  /** Where its lists of rules are, by effect. */
  rules: Readonly<Partial<Record<"allow" | "ask" | "deny", readonly string[]>>>;
  /** A rule for a command is `Bash(rm -rf *)` to it. */
  writesCommands: boolean;
  /** Harmless options of its own, by path, and what they may be: only these are written. */
  carried: Readonly<Record<string, "boolean" | "number" | "string" | readonly string[]>>;
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
