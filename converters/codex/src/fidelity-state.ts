/** What Codex keeps of each kind, per direction. Measured losses may not contradict these. */
import type { FidelityTable, StateAxis } from "@asp-convert/core";

type Fidelity = { read: Partial<FidelityTable<StateAxis>>; write: Partial<FidelityTable<StateAxis>> };

export const instructionFidelity: Fidelity = {
  read: { instructions: "preserved", "instruction-scopes": "preserved" },
  write: { instructions: "partial", "instruction-scopes": "partial" },
};

export const skillFidelity: Fidelity = {
  read: { skills: "preserved", "skill-restrictions": "preserved", agents: "preserved" },
  // Commands become skills; Codex has no output styles, and ignores what a skill is allowed to do.
  write: {
    skills: "partial",
    "skill-restrictions": "dropped",
    commands: "partial",
    agents: "partial",
    "output-styles": "dropped",
  },
};

export const toolFidelity: Fidelity = {
  // An OAuth client's secret is never read.
  read: { "mcp-servers": "preserved", "mcp-options": "preserved", hooks: "preserved", secrets: "preserved" },
  // No sse or ws; references only where Codex takes variables; private servers of a project become the project's.
  write: { "mcp-servers": "partial", "mcp-options": "partial", hooks: "partial", secrets: "partial" },
};

export const memoryFidelity: Fidelity = {
  read: { notes: "preserved" },
  write: { notes: "partial" },
};

export const settingFidelity: Fidelity = {
  read: { options: "partial", permissions: "partial" },
  write: { options: "partial", permissions: "partial" },
};
