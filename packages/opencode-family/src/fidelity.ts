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
  // The program notes no branch and no commit; only what a conversion brought is there.
  git: "not-in-source",
  models: "preserved",
  usage: "preserved",
  settings: "preserved",
  turns: "partial",
  compaction: "preserved",
  branches: "preserved",
  // A fork does not name the session it was made from.
  lineage: "partial",
  subagents: "preserved",
  plans: "partial",
  approvals: "not-in-source",
  // Of an answer that was stopped: that it was, not the program's words for it.
  errors: "partial",
  "file-snapshots": "evidence-only",
  ids: "preserved",
  "side-records": "evidence-only",
  raw: "evidence-only",
};

export const write: FidelityTable = {
  messages: "preserved",
  "injected-context": "partial",
  "tool-calls": "preserved",
  "tool-results": "partial",
  "tool-details": "evidence-only",
  // As a text it would be sent as part of the answer; kept in our own metadata for the way back.
  thinking: "evidence-only",
  "opaque-reasoning": "evidence-only",
  // With a message and with a result that went well; a program that paints has nowhere to put them.
  images: "partial",
  // A file as a file, a text as a text; not in a result.
  documents: "partial",
  title: "preserved",
  times: "partial",
  cwd: "preserved",
  git: "evidence-only",
  // Which model answered is kept; which one to go on with is the person's to choose.
  models: "partial",
  usage: "preserved",
  settings: "evidence-only",
  turns: "evidence-only",
  compaction: "partial",
  branches: "evidence-only",
  lineage: "partial",
  subagents: "preserved",
  // The list as it is last.
  plans: "partial",
  approvals: "evidence-only",
  // Their words, no codes.
  errors: "partial",
  "file-snapshots": "evidence-only",
  ids: "partial",
  "side-records": "evidence-only",
  raw: "dropped",
};
