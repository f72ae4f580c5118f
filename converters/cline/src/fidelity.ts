/** What survives, per axis and direction. The conformance suite holds every conversion against it. */
import type { FidelityTable } from "@asp-convert/core";

export const read: FidelityTable = {
  messages: "preserved",
  "injected-context": "preserved",
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
  git: "preserved",
  models: "preserved",
  usage: "preserved",
  // The mode, as far as prompts name it.
  settings: "partial",
  turns: "not-in-source",
  compaction: "preserved",
  branches: "not-in-source",
  lineage: "preserved",
  subagents: "preserved",
  plans: "not-in-source",
  approvals: "not-in-source",
  errors: "preserved",
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
  // A subagent has none of its own.
  title: "partial",
  times: "preserved",
  cwd: "preserved",
  git: "partial",
  // Only the answers have it.
  models: "partial",
  usage: "partial",
  settings: "partial",
  turns: "evidence-only",
  compaction: "partial",
  branches: "evidence-only",
  lineage: "evidence-only",
  subagents: "preserved",
  plans: "evidence-only",
  approvals: "evidence-only",
  // Their words, no codes.
  errors: "partial",
  "file-snapshots": "evidence-only",
  ids: "partial",
  "side-records": "evidence-only",
  raw: "evidence-only",
};
