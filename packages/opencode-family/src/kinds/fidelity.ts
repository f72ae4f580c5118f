/** What the family keeps of each kind beside sessions, per direction. Measured losses may not contradict these. */
import type { FidelityTable, StateAxis } from "@asp-convert/core";

type Fidelity = { read: Partial<FidelityTable<StateAxis>>; write: Partial<FidelityTable<StateAxis>> };

export const instructionFidelity: Fidelity = {
  // Texts from the network are named only.
  read: { instructions: "partial", "instruction-scopes": "preserved" },
  write: { instructions: "partial", "instruction-scopes": "partial" },
};

export const skillFidelity: Fidelity = {
  read: { skills: "partial", "skill-restrictions": "preserved", commands: "preserved", agents: "preserved" },
  // What a skill or a subagent may use is not taken from another program's words; there are no output styles.
  write: {
    skills: "partial",
    "skill-restrictions": "partial",
    commands: "partial",
    agents: "partial",
    "output-styles": "dropped",
  },
};

export const toolFidelity: Fidelity = {
  read: { "mcp-servers": "partial", "mcp-options": "partial", secrets: "preserved" },
  // No ws; one time limit for all; what runs at an event is a plugin, a program.
  write: {
    "mcp-servers": "partial",
    "mcp-options": "partial",
    permissions: "partial",
    hooks: "dropped",
    secrets: "partial",
  },
};

export const settingFidelity: Fidelity = {
  read: { options: "partial", permissions: "partial" },
  write: { options: "partial", permissions: "partial" },
};
