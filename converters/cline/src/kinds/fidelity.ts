/** What is kept of each kind beside sessions, per direction. Measured losses may not contradict these. */
import type { FidelityTable, StateAxis } from "@asp-convert/core";

type Fidelity = { read: Partial<FidelityTable<StateAxis>>; write: Partial<FidelityTable<StateAxis>> };

export const instructionFidelity: Fidelity = {
  read: { instructions: "preserved", "instruction-scopes": "preserved" },
  write: { instructions: "partial", "instruction-scopes": "partial" },
};

export const skillFidelity: Fidelity = {
  read: { skills: "partial", "skill-restrictions": "preserved", commands: "preserved" },
  write: {
    skills: "partial",
    "skill-restrictions": "partial",
    commands: "partial",
    agents: "dropped",
    "output-styles": "dropped",
  },
};

export const toolFidelity: Fidelity = {
  // Signing in is each program's own affair.
  read: { "mcp-servers": "partial", "mcp-options": "partial", secrets: "preserved" },
  write: { "mcp-servers": "partial", "mcp-options": "partial", hooks: "dropped", secrets: "partial" },
};
