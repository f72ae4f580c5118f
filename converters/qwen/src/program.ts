/** What Qwen Code is among its kin, beside sessions. */
import type { Program } from "@asp-convert/gemini-family";
import { STATE } from "./layout.js";

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
};
