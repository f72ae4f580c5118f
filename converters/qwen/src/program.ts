/** What Qwen Code is among its kin, beside sessions. */
import { pathOf } from "@asp-convert/core";
import { gitRoot } from "@asp-convert/core/kinds";
import type { Program } from "@asp-convert/gemini-family";
import { PROJECTS, STATE, slugFor } from "./layout.js";
import { projectOf } from "./sessions/whose.js";

export const program: Program = {
  id: "qwen",
  name: "Qwen Code",
  state: async (root) => root,
  folder: STATE,
  texts: ["QWEN.md", "AGENTS.md"],
  privateText: `${STATE}/QWEN.local.md`,
  reach: "only when it is started in that folder or below",
  commands: "md",
  skillKeys: ["disable-model-invocation", "user-invocable", "argument-hint"],
  memories: "memories",
  projectMemories: async (state, context) => {
    const paths = pathOf(context.environment);
    const found: { folder: string; project: string | undefined }[] = [];
    for (const { name, kind } of await context.source.readDir(paths.join(state, PROJECTS))) {
      if (kind === "file") continue;
      const folder = paths.join(state, PROJECTS, name);
      found.push({ folder: paths.join(folder, "memory"), project: await projectOf(folder, context) });
    }
    return found;
  },
  // A project's notes are those of the repository that it is in.
  memoryOf: async (project, { root, source, environment }) => {
    const owner = (await gitRoot(project, source, environment)) ?? project;
    const paths = pathOf(environment);
    return { folder: paths.join(root, PROJECTS, slugFor(owner, environment), "memory"), actions: [] };
  },
  options: {
    model: ["model", "name"],
    mode: ["tools", "approvalMode"],
    modes: { plan: "plan", default: "ask", "auto-edit": "edit", auto: "auto", yolo: "full" },
    thoughtLevel: ["model", "reasoningEffort"],
    thoughtLevels: ["low", "medium", "high", "xhigh", "max"],
    rules: {
      allow: ["permissions", "allow"],
      ask: ["permissions", "ask"],
      deny: ["permissions", "deny"],
    },
    writesCommands: true,
    carried: {
      "general.vimMode": "boolean",
      "general.terminalBell": "boolean",
      "general.gitCoAuthor.commit": "boolean",
      "general.gitCoAuthor.pr": "boolean",
      "general.outputLanguage": "string",
      "output.showTimestamps": "boolean",
      "ui.hideTips": "boolean",
      "ui.hideBanner": "boolean",
      "ui.hideWindowTitle": "boolean",
      "ui.showLineNumbers": "boolean",
      "ui.showCitations": "boolean",
      "ui.showStatusInTitle": "boolean",
      "ui.accessibility.screenReader": "boolean",
      "ui.accessibility.enableLoadingPhrases": "boolean",
      "model.maxSessionTurns": "number",
      "context.fileFiltering.respectGitIgnore": "boolean",
      "tools.todoWrite.enabled": "boolean",
    },
  },
};
