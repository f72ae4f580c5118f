/** What Pi keeps of each kind, per direction. Measured losses may not contradict these. */
import type { FidelityTable, StateAxis } from "@asp-convert/core";

type Fidelity = { read: Partial<FidelityTable<StateAxis>>; write: Partial<FidelityTable<StateAxis>> };

export const instructionFidelity: Fidelity = {
  // SYSTEM.md takes the place of Pi's own prompt, and has no meaning anywhere else.
  read: { instructions: "partial", "instruction-scopes": "preserved" },
  write: { instructions: "partial", "instruction-scopes": "partial" },
};

export const skillFidelity: Fidelity = {
  read: { skills: "partial", "skill-restrictions": "preserved", commands: "preserved" },
  // Pi has no subagents and no output styles, and allows a skill whatever it allows.
  write: {
    skills: "partial",
    "skill-restrictions": "partial",
    commands: "partial",
    agents: "dropped",
    "output-styles": "dropped",
  },
};

export const toolFidelity: Fidelity = {
  read: { "mcp-servers": "partial", "mcp-options": "partial", secrets: "preserved" },
  // No sse or ws; references in variables and headers only. Hooks are programs in TypeScript here.
  write: {
    "mcp-servers": "partial",
    "mcp-options": "partial",
    permissions: "partial",
    hooks: "dropped",
    secrets: "partial",
  },
};

export const settingFidelity: Fidelity = {
  read: { options: "partial" },
  // Pi asks before nothing: there is no mode and no rule to hold it by.
  write: { options: "partial", permissions: "dropped" },
};
