/** Proof by the real programs: resume a session in them, see what the model is sent, and compare. */
export { type AcpAgent, type AcpAgentName, type AcpAgentOptions, acpAgents } from "./acp-agents.js";
export { type Atom, type AtomKind, atomKinds, atomsOf } from "./atoms.js";
export { type AtomCount, compareRequests, type Equivalence, isEquivalent } from "./equivalence.js";
export type { JsonObject } from "./json.js";
export {
  type ListClaudeOptions,
  type ListCodexOptions,
  type ListedSession,
  listClaude,
  listCodex,
  type ShownCodexOptions,
  shownCodex,
} from "./listing.js";
export type { OpenCodeModel } from "./opencode-store.js";
export type { PiModel } from "./pi-store.js";
export { type PickerClaudeOptions, type PickerLine, pickerClaude } from "./picker-claude.js";
export { findProgram, type ProgramName, programs } from "./programs.js";
export type { Resumed, ResumeOptions } from "./resume.js";
export { type ResumeClaudeOptions, resumeClaude } from "./resume-claude.js";
export { type ResumeClineOptions, resumeCline } from "./resume-cline.js";
export { type ResumeCodexOptions, resumeCodex } from "./resume-codex.js";
export { type ResumeCopilotOptions, resumeCopilot } from "./resume-copilot.js";
export { type ResumeDroidOptions, resumeDroid } from "./resume-droid.js";
export { type ResumeGeminiOptions, resumeGemini } from "./resume-gemini.js";
export { type ResumeKimiOptions, resumeKimi } from "./resume-kimi.js";
export { type ResumeOpenCodeOptions, resumeKilo, resumeOpenCode } from "./resume-opencode.js";
export { type ResumePiOptions, resumePi } from "./resume-pi.js";
export { type ResumeQwenOptions, resumeQwen } from "./resume-qwen.js";
export {
  type OpenCodeHome,
  type OpenCodeServer,
  type StartOpenCodeOptions,
  serveOpenCode,
  startOpenCode,
  tellOpenCode,
} from "./serve-opencode.js";
export { type Started, type StartOptions, startClaude, startCodex, tellClaude, tellCodex } from "./start.js";
export { startGemini, startQwen, tellGemini } from "./start-gemini.js";
export { startKimi, tellKimi } from "./start-kimi.js";
export { startPi, tellPi } from "./start-pi.js";
