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
  // The last branch that was named.
  git: "partial",
  models: "preserved",
  usage: "preserved",
  settings: "not-in-source",
  turns: "not-in-source",
  // What is left of the talk; how much it was before is not.
  compaction: "partial",
  branches: "preserved",
  lineage: "partial",
  subagents: "preserved",
  plans: "not-in-source",
  approvals: "not-in-source",
  // The program keeps them among its own records only.
  errors: "not-in-source",
  "file-snapshots": "evidence-only",
  ids: "partial",
  "side-records": "evidence-only",
  raw: "evidence-only",
};

export const write: FidelityTable = {
  messages: "preserved",
  "injected-context": "partial",
  "tool-calls": "preserved",
  // Several texts of one result become one.
  "tool-results": "partial",
  "tool-details": "partial",
  thinking: "preserved",
  "opaque-reasoning": "partial",
  images: "partial",
  documents: "partial",
  title: "preserved",
  times: "preserved",
  cwd: "preserved",
  git: "partial",
  // Only the answers have it.
  models: "partial",
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
