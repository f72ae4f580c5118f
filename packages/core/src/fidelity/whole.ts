/** What an event that arrives whole keeps, axis by axis: for replays and bundles, which keep everything. */
import type { Block } from "../session/blocks.js";
import type { SessionEvent } from "../session/event.js";
import type { SessionAxis } from "./axes.js";
import type { LossLedger } from "./ledger.js";

/** Maps an event as kept entirely. */
export function keepWhole(event: SessionEvent, ledger: LossLedger): void {
  ledger.mapped(event);
  if (event.time !== undefined && event.type === "message.completed") ledger.keep("times");
  if (event.branch !== undefined && event.branchFrom !== undefined) ledger.keep("branches");
  switch (event.type) {
    case "session.started": {
      const { title, cwd, git } = event.payload;
      if (title !== undefined) ledger.keep("title");
      if (cwd !== undefined) ledger.keep("cwd");
      if (git !== undefined) ledger.keep("git");
      return;
    }
    case "session.bound":
      if (event.payload.title !== undefined) ledger.keep("title");
      return;
    case "capabilities.changed":
      ledger.keep("settings");
      return;
    case "message.completed": {
      const { blocks, injected, model, usage } = event.payload;
      ledger.keep(injected === undefined ? "messages" : "injected-context");
      if (model !== undefined) ledger.keep("models");
      if (usage !== undefined) ledger.keep("usage");
      for (const block of blocks) keepBlock(block, ledger);
      return;
    }
    case "tool.completed":
      ledger.keep("tool-results");
      if (event.payload.detail !== undefined) ledger.keep("tool-details");
      for (const block of event.payload.result) keepBlock(block, ledger);
      return;
    case "turn.completed":
      ledger.keep("turns");
      return;
    case "task.updated":
      ledger.keep("plans");
      return;
    case "approval.requested":
    case "approval.resolved":
      ledger.keep("approvals");
      return;
    case "artifact.observed":
      ledger.keep("documents");
      return;
    case "status.changed":
      if (event.payload.status === "compacted") ledger.keep("compaction");
      return;
    case "unknown.observed":
      ledger.keep(event.payload.reason === undefined ? "side-records" : "raw");
      return;
  }
}

function keepBlock(block: Block, ledger: LossLedger): void {
  if (block.type === "thinking" && block.signature !== undefined) ledger.keep("opaque-reasoning");
  const axis = byBlock[block.type];
  if (axis) ledger.keep(axis);
}

const byBlock: Partial<Record<Block["type"], SessionAxis>> = {
  "tool-call": "tool-calls",
  thinking: "thinking",
  image: "images",
  reference: "documents",
  error: "errors",
  unknown: "opaque-reasoning",
};
