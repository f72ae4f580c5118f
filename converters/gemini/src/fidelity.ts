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
  settings: "not-in-source",
  turns: "not-in-source",
  compaction: "preserved",
  branches: "preserved",
  lineage: "not-in-source",
  subagents: "preserved",
  // Files beside the session.
  plans: "evidence-only",
  approvals: "not-in-source",
  errors: "preserved",
  "file-snapshots": "not-in-source",
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
  thinking: "partial",
  "opaque-reasoning": "partial",
  images: "partial",
  documents: "partial",
  title: "preserved",
  times: "preserved",
  cwd: "preserved",
  git: "evidence-only",
  // Only the answers have it.
  models: "partial",
  usage: "partial",
  settings: "evidence-only",
  turns: "evidence-only",
  compaction: "partial",
  // Where they depart and what was said on them; the rest of it as elsewhere.
  branches: "partial",
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
