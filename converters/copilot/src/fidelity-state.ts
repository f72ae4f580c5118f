/** What Copilot CLI keeps of each kind beside sessions, per direction. Measured losses may not contradict these. */
import type { FidelityTable, StateAxis } from "@asp-convert/core";

type Fidelity = { read: Partial<FidelityTable<StateAxis>>; write: Partial<FidelityTable<StateAxis>> };

export const instructionFidelity: Fidelity = {
  read: { instructions: "preserved", "instruction-scopes": "preserved" },
  write: { instructions: "partial", "instruction-scopes": "partial" },
};

export const skillFidelity: Fidelity = {
  read: { skills: "partial", "skill-restrictions": "preserved", agents: "preserved" },
  // A command is a skill here, and no slash command of its own.
  write: {
    skills: "partial",
    "skill-restrictions": "partial",
    commands: "dropped",
    agents: "partial",
    "output-styles": "dropped",
  },
};

export const toolFidelity: Fidelity = {
  read: { "mcp-servers": "partial", "mcp-options": "preserved", hooks: "dropped", secrets: "preserved" },
  write: { "mcp-servers": "partial", "mcp-options": "partial", hooks: "dropped", secrets: "partial" },
};
