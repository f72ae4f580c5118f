/** What is OpenCode's own; all else it shares with its family. */
import type { Program } from "@asp-convert/opencode-family";

export const program: Program = {
  id: "opencode",
  name: "OpenCode",
  command: "opencode",
  prefix: "OPENCODE",
  defaultAgent: "build",
  verified: ["1.18.33"],
  configFiles: ["config.json", "opencode.json", "opencode.jsonc"],
  projectFolders: [".opencode"],
  projectSkills: [".opencode/skills", ".opencode/skill", ".claude/skills", ".agents/skills"],
  homeSkills: [".claude/skills", ".agents/skills"],
  ruleFolders: [],
};
