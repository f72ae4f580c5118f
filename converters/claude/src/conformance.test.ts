import { readdirSync } from "node:fs";
import { join } from "node:path";
import { loadFixture, runConformance } from "@asp-convert/conformance";
import claude from "./index.js";

const stores = join(import.meta.dirname, "../../../fixtures/claude");
const fixtures = await Promise.all(
  readdirSync(stores)
    .filter((name) => name !== "mcp-config") // holds no session
    .map((name) => loadFixture(join(stores, name, "config"), name)),
);

runConformance(claude, {
  fixtures,
  leaves: {
    axes: {
      // The program's own bookkeeping on a record of the talk.
      "message.role": "side-records",
      "message.type": "side-records",
      "message.content.*.source.type": "side-records",
      "message.usage.**": "usage",
      "message.stop_details.**": "side-records",
      "message.diagnostics.**": "side-records",
      promptSource: "side-records",
      rowSource: "side-records",
      turnOrigin: "side-records",
      userType: "side-records",
      entrypoint: "side-records",
      "origin.**": "side-records",
      slug: "side-records",
      requestedModel: "side-records",
      madeBy: "side-records",
      promptCacheRequested: "side-records",
      thinkingDisplay: "side-records",
      perTurnEffort: "side-records",
      level: "side-records",
      agentId: "side-records",
      sourceToolUseID: "side-records",
      interruptedMessageId: "side-records",
      mcpCallNotReadOnly: "side-records",
      attributionMcpServer: "side-records",
      attributionMcpTool: "side-records",
      attributionSkill: "side-records",
      attributionAgent: "side-records",
      "commandRun.**": "side-records",
      "message.content.*.content.*.source.type": "side-records",
      content: "compaction",
      "compactMetadata.**": "compaction",
      "message.stop_reason": "turns",
      cwd: "cwd",
      permissionMode: "settings",
      effort: "settings",
      gitBranch: "git",
      "permissionDecision.**": "approvals",
      error: "errors",
      apiErrorType: "errors",
      "attachment.**": "injected-context",
      "rendered.**": "injected-context",
      renderedRole: "injected-context",
    },
  },
  ids: [/\bmsg_[A-Za-z0-9]{1,24}(_thought)?\b/, /\ba[0-9a-f]{16}\b/],
});
