/** What the family keeps of each kind beside sessions, per direction. Measured losses may not contradict these. */
import type { FidelityTable, StateAxis } from "@asp-convert/core";

type Fidelity = { read: Partial<FidelityTable<StateAxis>>; write: Partial<FidelityTable<StateAxis>> };

export const instructionFidelity: Fidelity = {
  read: { instructions: "preserved", "instruction-scopes": "preserved" },
  write: { instructions: "partial", "instruction-scopes": "partial" },
};

export const skillFidelity: Fidelity = {
  // A command that runs something when it is called is named only.
  read: { skills: "partial", "skill-restrictions": "preserved", commands: "partial", agents: "preserved" },
  write: {
    skills: "partial",
    "skill-restrictions": "partial",
    commands: "partial",
    agents: "partial",
    "output-styles": "dropped",
  },
};

export const memoryFidelity: Fidelity = {
  read: { notes: "preserved" },
  write: { notes: "partial" },
};

export const settingFidelity: Fidelity = {
  read: { options: "partial", permissions: "preserved" },
  write: { options: "partial", permissions: "partial" },
};

export const toolFidelity: Fidelity = {
  // Hooks are not read yet, and are not written.
  read: { "mcp-servers": "partial", "mcp-options": "partial", secrets: "preserved" },
  write: { "mcp-servers": "partial", "mcp-options": "partial", hooks: "dropped", secrets: "partial" },
};
