/** What survives, per axis and direction. The conformance suite holds every conversion against it. */
import type { FidelityTable } from "@asp-convert/core";

export const read: FidelityTable = {
  messages: "preserved",
  "injected-context": "partial",
  "tool-calls": "preserved",
  "tool-results": "preserved",
  "tool-details": "partial",
  thinking: "preserved",
  "opaque-reasoning": "preserved",
  images: "preserved",
  documents: "preserved",
  title: "preserved",
  times: "preserved",
  cwd: "preserved",
  git: "preserved",
  models: "preserved",
  // Of the counts; what was paid for them is not read.
  usage: "partial",
  settings: "partial",
  turns: "partial",
  compaction: "partial",
  branches: "not-in-source",
  // The session that was forked says so, the fork does not.
  lineage: "partial",
  subagents: "preserved",
  // A file and a database beside the session.
  plans: "evidence-only",
  approvals: "evidence-only",
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
  errors: "partial",
  "file-snapshots": "evidence-only",
  ids: "partial",
  "side-records": "evidence-only",
  raw: "evidence-only",
};
