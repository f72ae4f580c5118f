/** What survives, per axis and direction. The conformance suite holds every conversion against it. */
import type { FidelityTable } from "@asp-convert/core";

export const read: FidelityTable = {
  messages: "preserved",
  "injected-context": "partial",
  "tool-calls": "preserved",
  "tool-results": "preserved",
  "tool-details": "preserved",
  thinking: "preserved",
  "opaque-reasoning": "preserved",
  images: "preserved",
  documents: "preserved",
  title: "preserved",
  times: "preserved",
  cwd: "preserved",
  git: "not-in-source",
  models: "preserved",
  usage: "preserved",
  // Which model and which mode; not which tools.
  settings: "partial",
  // How each ended; what began it is a message.
  turns: "partial",
  // What is left of the talk; how much it was before is not.
  compaction: "partial",
  branches: "preserved",
  lineage: "partial",
  subagents: "preserved",
  plans: "preserved",
  approvals: "evidence-only",
  // Their words; no codes.
  errors: "partial",
  "file-snapshots": "evidence-only",
  ids: "partial",
  "side-records": "evidence-only",
  raw: "evidence-only",
};

export const write: FidelityTable = {
  messages: "preserved",
  "injected-context": "partial",
  "tool-calls": "preserved",
  "tool-results": "preserved",
  "tool-details": "evidence-only",
  thinking: "preserved",
  "opaque-reasoning": "partial",
  images: "partial",
  documents: "partial",
  // A subagent has none of its own.
  title: "partial",
  times: "preserved",
  cwd: "preserved",
  git: "evidence-only",
  // Only the answers have it.
  models: "partial",
  // In four counts.
  usage: "partial",
  settings: "evidence-only",
  turns: "evidence-only",
  compaction: "partial",
  branches: "partial",
  lineage: "evidence-only",
  subagents: "preserved",
  plans: "evidence-only",
  approvals: "evidence-only",
  // What was shown and never sent has no place.
  errors: "evidence-only",
  "file-snapshots": "evidence-only",
  ids: "partial",
  "side-records": "evidence-only",
  raw: "evidence-only",
};
