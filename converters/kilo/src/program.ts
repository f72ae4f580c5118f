/** What is Kilo CLI's own; all else it shares with its family. */
import type { Program } from "@asp-convert/opencode-family";

export const program: Program = {
  id: "kilo",
  name: "Kilo CLI",
  command: "kilo",
  prefix: "KILO",
  defaultAgent: "code",
  verified: ["7.7.9"],
  configFiles: ["kilo.json", "kilo.jsonc"],
  projectFolders: [".kilo", ".kilocode"],
  ownTable: "kilo_board",
  projectSkills: [".kilo/skills", ".kilo/skill", ".kilocode/skills", ".claude/skills", ".agents/skills"],
  homeSkills: [".kilo/skills", ".kilocode/skills", ".claude/skills", ".agents/skills"],
  ruleFolders: [".kilocode/rules", ".kilo/rules"],
};
