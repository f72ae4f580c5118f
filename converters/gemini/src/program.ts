/** What Gemini CLI is among its kin, beside sessions. */
import { pathOf } from "@asp-convert/core";
import type { Program } from "@asp-convert/gemini-family";
import { STATE, stateFolder, TMP } from "./layout.js";
import { ownerOf, registry } from "./sessions/files.js";
import { placeFor } from "./sessions/place.js";

export const program: Program = {
  id: "gemini",
  name: "Gemini CLI",
  state: stateFolder,
  folder: STATE,
  texts: ["GEMINI.md"],
  reach: "only when a tool looks into that folder",
  commands: "toml",
  // It reads the name and the description of a skill, and no other key.
  skillKeys: [],
  projectMemories: async (state, context) => {
    const paths = pathOf(context.environment);
    const known = await registry(state, context);
    const found: { folder: string; project: string | undefined }[] = [];
    for (const { name, kind } of await context.source.readDir(paths.join(state, TMP))) {
      if (kind === "file") continue;
      const folder = paths.join(state, TMP, name);
      found.push({ folder: paths.join(folder, "memory"), project: await ownerOf(folder, known, context) });
    }
    return found;
  },
  memoryOf: async (project, target) => {
    const { folder, actions } = await placeFor(project, { ...target, copy: 0 });
    return { folder: pathOf(target.environment).join(folder, "memory"), actions };
  },
  options: {
    model: ["model", "name"],
    mode: ["general", "defaultApprovalMode"],
    // Everything unasked is a flag on the command line, and no setting.
    modes: { plan: "plan", default: "ask", auto_edit: "edit" },
    rules: { allow: ["tools", "allowed"], deny: ["tools", "exclude"] },
    writesCommands: false,
    carried: {
      "general.vimMode": "boolean",
      "general.plan.modelRouting": "boolean",
      "ui.hideTips": "boolean",
      "ui.hideBanner": "boolean",
      "ui.hideWindowTitle": "boolean",
      "ui.hideFooter": "boolean",
      "ui.showLineNumbers": "boolean",
      "ui.showCitations": "boolean",
      "ui.showMemoryUsage": "boolean",
      "ui.showStatusInTitle": "boolean",
      "ui.accessibility.screenReader": "boolean",
      "ui.accessibility.enableLoadingPhrases": "boolean",
      "model.maxSessionTurns": "number",
      "model.compressionThreshold": "number",
      "context.fileFiltering.respectGitIgnore": "boolean",
    },
  },
};
