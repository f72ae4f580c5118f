/** What tells the programs of this family apart. All else they share. */
export interface Program {
  /** Converter id: `opencode`. */
  id: string;
  /** As people write it. */
  name: string;
  /** The command, and the name of its folders and of its database. */
  command: string;
  /** What its environment variables begin with. */
  prefix: string;
  /** The primary agent of a session that says nothing else. */
  defaultAgent: string;
  /** Versions of the real program that the facts were measured on, newest first. */
  verified: readonly string[];
  /** Names of config files, later ones win; in the project `<command>.json` and `.jsonc` too. */
  configFiles: readonly string[];
  /** Folders of a project that hold its agents, commands, skills. */
  projectFolders: readonly string[];
  /** A table that only this program's databases have. */
  ownTable?: string;
  /** Folders of skills in a project; new ones go to the first. */
  projectSkills: readonly string[];
  /** Folders of skills in a home folder, besides those of the config folder. */
  homeSkills: readonly string[];
  /** Folders, in a project and in a home folder alike, whose Markdown files are all read as instructions. */
  ruleFolders: readonly string[];
}

/** Converter ids of the family: what one of them says about a tool, an agent or a permission, the others understand. */
const FAMILY: ReadonlySet<string> = new Set(["opencode", "kilo"]);

export function isOfFamily(harness: string): boolean {
  return FAMILY.has(harness);
}
