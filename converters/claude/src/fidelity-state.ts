/** What Claude Code keeps of each kind, per direction. Measured losses may not contradict these. */
import type { FidelityTable, StateAxis } from "@asp-convert/core";

type Fidelity = { read: Partial<FidelityTable<StateAxis>>; write: Partial<FidelityTable<StateAxis>> };

export const instructionFidelity: Fidelity = {
  read: { instructions: "preserved", "instruction-scopes": "preserved" },
  write: { instructions: "partial", "instruction-scopes": "partial" },
};

export const skillFidelity: Fidelity = {
  read: {
    skills: "preserved",
    "skill-restrictions": "preserved",
    commands: "preserved",
    agents: "preserved",
    "output-styles": "preserved",
    // They are installed from their marketplace.
    plugins: "dropped",
  },
  write: {
    skills: "preserved",
    "skill-restrictions": "partial",
    commands: "partial",
    agents: "partial",
    "output-styles": "preserved",
  },
};

export const toolFidelity: Fidelity = {
  read: { "mcp-servers": "preserved", "mcp-options": "preserved", hooks: "preserved", secrets: "preserved" },
  // No working directory, no start-up time, no list of offered tools, no switched-off entry in its files.
  write: {
    "mcp-servers": "partial",
    "mcp-options": "partial",
    hooks: "partial",
    secrets: "partial",
    permissions: "partial",
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
