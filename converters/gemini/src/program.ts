/** What Gemini CLI is among its kin, beside sessions. */
import type { Program } from "@asp-convert/gemini-family";
import { STATE, stateFolder } from "./layout.js";

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
};
