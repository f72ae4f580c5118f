/**
 * What the leaf test must be told of each harness's records: leaves that no event holds, and the axis under which
 * the fidelity table says so. Nothing else may go missing.
 */
import type { LeafRules } from "@asp-convert/conformance/toolbox";

const claude: LeafRules = {
  structural: ["compactMetadata.trigger"],
  axes: {
    // On every record of the chain.
    userType: "side-records",
    entrypoint: "side-records",
    version: "side-records",
    gitBranch: "git",
    cwd: "cwd",
    slug: "side-records",
    agentId: "ids",
    // How a prompt came about.
    turnOrigin: "side-records",
    rowSource: "side-records",
    promptSource: "side-records",
    "origin.kind": "side-records",
    interruptedMessageId: "ids",
    sourceToolUseID: "ids",
    // How an answer was asked for.
    requestedModel: "side-records",
    promptCacheRequested: "side-records",
    perTurnEffort: "settings",
    madeBy: "side-records",
    thinkingDisplay: "settings",
    "message.role": "side-records",
    "message.type": "side-records",
    "message.model": "models",
    "message.stop_reason": "turns",
    "message.usage.**": "usage",
    "message.content.*.source.type": "side-records",
    "message.content.*.content.*.source.type": "side-records",
    attributionSkill: "side-records",
    attributionMcpTool: "side-records",
    attributionMcpServer: "side-records",
    attributionAgent: "side-records",
    apiErrorType: "errors",
    // Questions of permission, answered.
    "permissionDecision.**": "approvals",
    mcpCallNotReadOnly: "side-records",
    // Of system records and attachments, what stands beside the text.
    level: "side-records",
    content: "side-records",
    "commandRun.**": "side-records",
    "compactMetadata.**": "compaction",
    renderedRole: "injected-context",
    "attachment.type": "injected-context",
    "attachment.date": "injected-context",
    "attachment.stdout": "injected-context",
    "attachment.content": "injected-context",
    "attachment.command": "side-records",
    "attachment.hookName": "side-records",
    "attachment.hookEvent": "side-records",
    "attachment.rowSource": "side-records",
    "attachment.commandMode": "side-records",
  },
};

const codex: LeafRules = {
  axes: {
    // Bookkeeping of the program, on every record.
    "metadata.**": "side-records",
    "payload.internal_chat_message_metadata_passthrough.**": "side-records",
    "payload.id": "ids",
    "payload.status": "side-records",
    "payload.response_id": "ids",
    "payload.summary.*.type": "side-records",
    // Copies for the screen of what the model was sent.
    "payload.item.id": "ids",
    "payload.item.phase": "side-records",
    "payload.item.content.*.type": "side-records",
    "payload.item.content.*.path": "side-records",
    "payload.item.summary_text.*": "side-records",
    "payload.phase": "side-records",
    "payload.text": "side-records",
    "payload.last_agent_message": "side-records",
    "payload.last_agent_message.**": "side-records",
    // Turns and their settings.
    "payload.reason": "turns",
    "payload.error.codex_error_info": "errors",
    "payload.turn_attribution.**": "side-records",
    "payload.turn_id": "ids",
    "payload.collaboration_mode_kind": "settings",
    "payload.collaboration_mode.**": "settings",
    "payload.thread_settings.**": "settings",
    "payload.cwd": "settings",
    "payload.workspace_roots.*": "settings",
    "payload.runtime_workspace_roots.*": "settings",
    "payload.approvals_reviewer": "settings",
    "payload.permission_profile.type": "settings",
    "payload.personality": "settings",
    "payload.summary": "settings",
    "payload.comp_hash": "side-records",
    "payload.multi_agent_version": "side-records",
    "payload.current_date": "injected-context",
    "payload.timezone": "injected-context",
    // The head.
    "payload.base_instructions.**": "injected-context",
    "payload.history_mode": "side-records",
    "payload.model_provider": "settings",
    "payload.originator": "side-records",
    "payload.source": "side-records",
    "payload.source.**": "side-records",
    "payload.thread_source": "side-records",
    "payload.agent_nickname": "side-records",
    "payload.agent_path": "side-records",
    // Compactions: beside the new history, what the program remembers of the old one.
    "payload.compaction_response_id": "ids",
    "payload.replacement_history.*.id": "ids",
    "payload.latest_token_usage_record.**": "usage",
    "payload.replacement_history.*.internal_chat_message_metadata_passthrough.**": "side-records",
    "payload.replacement_history_metadata.**": "side-records",
    "payload.resume_metadata.**": "settings",
    "payload.retained_context.**": "side-records",
  },
};

const pi: LeafRules = {
  // The tree itself.
  structural: ["id", "parentId", "fromId", "targetId", "firstKeptEntryId"],
  axes: {
    // Beside what an answer says.
    "message.responseId": "ids",
    "message.responseModel": "side-records",
    "message.api": "side-records",
    "message.rawStopReason": "side-records",
    "message.thinkingLevel": "side-records",
    // A result names its tool; the call does it too.
    "message.toolName": "side-records",
    // What extensions keep beside what they tell the model.
    customType: "side-records",
    "details.**": "side-records",
    // Pi's own instructions, made anew by whoever goes on.
    "systemMessage.**": "injected-context",
    "message.sections.**": "injected-context",
    "message.toolsAdded.**": "injected-context",
    // The path of the session it was forked from: its id is taken from it.
    parentSession: "lineage",
  },
};

const opencode: LeafRules = {
  structural: ["table", "data.parentID", "data.tail_start_id", "revert.<json>.messageID"],
  axes: {
    // Of the session's row, what every message says again.
    agent: "side-records",
    "model.<json>.**": "side-records",
    // On every row and answer.
    session_id: "side-records",
    "data.mode": "side-records",
    "data.variant": "side-records",
    "data.agent": "side-records",
    "data.path.**": "side-records",
    "data.finish": "turns",
    // Of an answer that a person stopped: that it was stopped is carried, not the words for it.
    "data.error.**": "errors",
    // A plan's words are carried, its states are of the protocol.
    status: "plans",
    priority: "plans",
    "data.state.attachments.*.id": "side-records",
  },
};

const cline: LeafRules = {
  structural: ["messages.*.id", "messages.*.role"],
  axes: {
    // Around the messages: whose they are, once more.
    agent: "side-records",
    sessionId: "side-records",
    taskType: "side-records",
    "origin.**": "side-records",
    // A result names its tool; the call does it too.
    "messages.*.content.*.name": "side-records",
  },
};

const gemini: LeafRules = {
  structural: ["kind"],
  axes: {
    // The head: which project it is follows from the folder.
    projectHash: "side-records",
    "directories.*": "side-records",
    // A result names its call and its tool once more.
    "toolCalls.*.result.*.functionResponse.id": "ids",
    "toolCalls.*.result.*.functionResponse.name": "side-records",
    "content.*.functionResponse.name": "side-records",
    "history.*.parts.*.functionResponse.name": "side-records",
    // How the person was signed in when a checkpoint was saved.
    authType: "side-records",
    "thoughts.*.timestamp": "side-records",
    // A list of messages that replaces the one before it.
    "$set.messages.*.id": "ids",
    "$set.messages.*.content.*.functionResponse.name": "side-records",
  },
};

const qwen: LeafRules = {
  structural: ["uuid", "parentUuid", "type", "subtype", "systemPayload.titleSource"],
  axes: {
    // On every record: each says once more which session and which folder it is of.
    provenance: "side-records",
    cwd: "side-records",
    version: "side-records",
    gitBranch: "git",
    "message.role": "side-records",
    "forkedFrom.**": "lineage",
    agentId: "side-records",
    agentName: "side-records",
    // A result names its call and its tool once more.
    "message.parts.*.functionResponse.name": "side-records",
    "toolCallResult.callId": "ids",
    // How much there was before a compaction, and which calls were in it.
    "systemPayload.info.**": "compaction",
    "systemPayload.completedToolCallIds.*": "compaction",
    "systemPayload.compressedHistory.*.role": "compaction",
    "systemPayload.compressedHistory.*.parts.*.functionResponse.name": "compaction",
  },
};

const kimi: LeafRules = {
  structural: ["type", "agentId", "event.type", "value.*.status", "reason"],
  axes: {
    // What the program runs with: only its model and its effort are told.
    profileName: "settings",
    "environmentDisclosure.**": "settings",
    "agentsMdPaths.*": "settings",
    "activeToolNames.*": "settings",
    "subagents.*": "settings",
    // A turn says once more what the message that begins it says.
    "input.**": "turns",
    "origin.**": "turns",
    "error.code": "errors",
    "error.name": "errors",
    promptId: "ids",
    // Of a summary, what stands in it without the words that are put around it.
    summary: "compaction",
    "event.uuid": "ids",
    "event.turnId": "ids",
    "event.stepUuid": "ids",
    "event.parentUuid": "ids",
    "event.messageId": "ids",
    "event.part.reasoningKey": "side-records",
    "event.providerFinishReason": "side-records",
    "event.rawFinishReason": "side-records",
    "message.id": "ids",
    "message.origin.**": "injected-context",
  },
};

const copilot: LeafRules = {
  axes: {
    // The head: what the file beside the events says too.
    "data.producer": "side-records",
    "data.context.**": "side-records",
    // How a prompt came in, and which turn it was of.
    "data.delivery": "side-records",
    "data.source": "side-records",
    "data.previousModel": "settings",
    "data.turnId": "turns",
    "data.toolCallId": "ids",
    "data.parentToolCallId": "ids",
    "data.interactionId": "ids",
    // Of a call, what the program shows of it.
    "data.toolRequests.*.**": "side-records",
    // Of an answer: what else was counted, and what it cost.
    "data.usage.**": "usage",
    // Of a result: which model asked for it, and what was measured.
    "data.model": "side-records",
    "data.toolTelemetry.**": "side-records",
    // Bytes are known by their sum.
    "data.type": "side-records",
    "data.mimeType": "side-records",
    "data.assetId": "side-records",
    "data.result.binaryResultsForLlm.*.**": "side-records",
    "data.attachments.*.**": "side-records",
    // Of a compaction, what was counted and where it is kept beside.
    "data.outcome": "compaction",
    "data.tokenAccountingBasis": "compaction",
    "data.behaviorModelId": "compaction",
    "data.compactionTokensUsed.**": "compaction",
    "data.trigger": "compaction",
    "data.checkpointPath": "compaction",
    // A subagent: what it is called.
    "data.agentName": "side-records",
    "data.agentDisplayName": "side-records",
    "data.agentDescription": "side-records",
    "data.agentType": "side-records",
    "data.taskModelSource": "side-records",
    "data.modelSelectionSource": "side-records",
    "data.executionMode": "side-records",
  },
};

const droid: LeafRules = {
  axes: {
    owner: "side-records",
    hostId: "side-records",
    forkedAtMessageId: "ids",
    // The order of the file counts, not who names whom.
    parentId: "ids",
    "message.visibility": "side-records",
    "message.interactionMode": "settings",
    "message.reasoningEffort": "settings",
    "message.openaiMessageId": "ids",
    "message.modelId": "models",
    // The same as the thought, as the API gave it.
    "message.chatCompletionReasoningField": "opaque-reasoning",
    "message.chatCompletionReasoningContent": "side-records",
    "message.content.*.signature": "opaque-reasoning",
    "message.content.*.signatureProvider": "opaque-reasoning",
    "message.content.*.source.type": "side-records",
    "message.content.*.content.*.source.type": "side-records",
    resultKind: "turns",
    reason: "turns",
  },
};

const rules: Readonly<Record<string, LeafRules>> = {
  cline,
  droid,
  gemini,
  qwen,
  kimi,
  copilot,
  pi,
  claude,
  codex,
  opencode,
  kilo: opencode,
  sample: { structural: ["parent.relation", "parent.toolCallId", "by"], axes: { version: "side-records" } },
};

export function leafRules(harness: string): LeafRules {
  return rules[harness] ?? {};
}
