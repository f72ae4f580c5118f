/** Where Codex keeps what is no session: instructions, skills, servers, memory, settings. */
import { type Environment, pathOf, type Source } from "@asp-convert/core";
import { parseToml, type TomlTable } from "@asp-convert/core/kinds";

export const INSTRUCTIONS = "AGENTS.md";
export const OVERRIDE = "AGENTS.override.md";
export const CONFIG = "config.toml";
/** Inside a project. */
export const PROJECT_FOLDER = ".codex";
export const HOOKS = "hooks.json";
export const AGENTS = "agents";
/** Codex's own skills of a store root, and what it brings along. */
export const SKILLS = "skills";
export const BUNDLED_SKILLS = ".system";
/** Skills of a project and of a home folder, as the Agent Skills standard has them. */
export const SHARED_SKILLS = ".agents/skills";
export const RULES = "rules";
/** The newer one first; only one of them is there. */
export const MEMORIES = ["memories_v2", "memories"] as const;
/** The documented place for notes by hand: "never delete a note file". */
export const HAND_NOTES = "extensions/ad_hoc/notes";
/** What Codex's own importer took over from Claude Code. */
export const IMPORTED_NOTES = "extensions/external_agent_import/resources";
/** Made anew by Codex whenever it thinks fit: nothing of a person's. */
export const GENERATED_MEMORY = ["raw_memories.md", "phase2_workspace_diff.md"];

/** Project documents are cut after so many bytes, over all folders from the root down. */
export const PROJECT_DOC_BYTES = 32_768;

export interface CodexConfig {
  path: string;
  text: string | undefined;
  table: TomlTable;
}

/** A config.toml, read. An empty table where there is none. @throws EditError if it is no TOML. */
export async function readConfig(
  folder: string,
  source: Source,
  environment: Environment,
): Promise<CodexConfig> {
  const path = pathOf(environment).join(folder, CONFIG);
  const bytes = await source.readFile(path);
  const text = bytes && new TextDecoder().decode(bytes);
  return { path, text, table: await parseToml(text) };
}

export function fallbackNames(config: TomlTable): string[] {
  const names = config.project_doc_fallback_filenames;
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}
