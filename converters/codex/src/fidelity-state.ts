/** What Codex keeps of each kind, per direction. Measured losses may not contradict these. */
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
  },
  write: {
    skills: "preserved",
    "skill-restrictions": "preserved",
    commands: "preserved",
    agents: "partial",
    "output-styles": "preserved",
  },
};
