/**
 * The schemas of what a reader yields and a writer takes: one event of a session. An event is the bare fact; the envelope
 * (`envelope.ts`) adds identity and provenance when it is written to a log.
 *
 * Order in a stream: `session.started` first; then what happened, in the order the model saw it; events of
 * abandoned branches (`branch` set) last. A tool's result is a `tool.completed` event that comes after the
 * message holding its call, and before the next message.
 */
import { z } from "zod";
import { Block } from "./blocks.js";

export const Role = z.enum(["system", "user", "assistant", "tool", "unknown"]);

/** Tokens as the vendor counts them; a field is absent where the source does not say. */
export const Usage = z.object({
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  cacheReadTokens: z.number().optional(),
  cacheWriteTokens: z.number().optional(),
  reasoningTokens: z.number().optional(),
  totalTokens: z.number().optional(),
  costUsd: z.number().optional(),
});

export const Git = z.object({
  branch: z.string().optional(),
  commit: z.string().optional(),
  repository: z.string().optional(),
});

/** Session config options by id, as ACP names them: `model`, `mode`, `thought_level`, … */
export const SettingValues = z.record(z.string(), z.union([z.string(), z.boolean(), z.number()]));

/**
 * Why a text is there that no person typed.
 * - `harness`: context the program adds on its own and will add again on resume (environment, instructions,
 *   reminders, permissions). Never written to another harness.
 * - `command`: output or body of a slash command, a shell escape, a hook: the model saw it as part of the talk.
 * - `skill`: the body of a skill that was called.
 * - `tool`: text a tool put beside its result.
 * - `notice`: a note of the program to the model on what happened (interrupted, task ended).
 * All but `harness` are carried to another harness for the model, and shown to nobody as the person's words.
 */
export const InjectedBy = z.enum(["harness", "command", "skill", "tool", "notice"]);

export const MessagePayload = z.object({
  messageId: z.string(),
  role: Role,
  blocks: z.array(Block),
  /** As the program names it; where it says who serves it too, `provider/model`. */
  model: z.string().optional(),
  usage: Usage.optional(),
  stopReason: z.string().optional(),
  /** `summary`: stands for what a compaction removed. `queued`: typed while a turn ran. */
  kind: z.enum(["summary", "queued"]).optional(),
  injected: InjectedBy.optional(),
  /** Absent: both. `["user"]`: shown, never sent to the model (an API error). `["assistant"]`: sent, not shown. */
  audience: z.array(z.enum(["user", "assistant"])).optional(),
  /** What the person typed or sees, where the text sent to the model differs (expanded files, wrappers). */
  display: z.string().optional(),
});

export const ToolResultPayload = z.object({
  toolCallId: z.string(),
  toolResultId: z.string().optional(),
  result: z.array(Block),
  isError: z.boolean(),
  /** What the harness shows of it beyond the text for the model (exit code, patch, file, …); native, unread. */
  detail: z.unknown().optional(),
  /** The source held no result (interrupted); this one was made by us and says so. */
  synthetic: z.boolean().optional(),
});

export const SessionStartedPayload = z.object({
  nativeSessionId: z.string(),
  title: z.string().optional(),
  cwd: z.string().optional(),
  git: Git.optional(),
  model: z.string().optional(),
  harnessVersion: z.string().optional(),
});

const Plan = z.array(
  z.object({
    content: z.string(),
    status: z.enum(["pending", "in_progress", "completed"]),
    priority: z.enum(["high", "medium", "low"]).optional(),
  }),
);

/** Payload by event type: the 27 types of the protocol. */
export const payloads = {
  "session.started": SessionStartedPayload,
  "session.ended": z.object({ reason: z.string().optional() }),
  "session.bound": z.object({
    title: z.string().optional(),
    titleBy: z.enum(["user", "agent"]).optional(),
    cwd: z.string().optional(),
  }),
  "capabilities.changed": z.object({ settings: SettingValues }),
  "input.observed": z.object({ text: z.string() }),
  "run.started": z.object({ runId: z.string() }),
  "run.settled": z.object({ runId: z.string(), status: z.enum(["completed", "failed", "cancelled"]) }),
  "turn.started": z.object({ turnId: z.string() }),
  "turn.completed": z.object({
    turnId: z.string(),
    status: z.enum(["completed", "failed", "cancelled"]),
    error: z.string().optional(),
    usage: Usage.optional(),
  }),
  "message.started": z.object({ messageId: z.string(), role: Role }),
  "message.updated": MessagePayload.extend({ revision: z.number() }),
  "message.completed": MessagePayload,
  "tool.started": z.object({
    toolCallId: z.string(),
    name: z.string(),
    arguments: z.unknown(),
    messageId: z.string().optional(),
  }),
  "tool.updated": z.object({
    toolCallId: z.string(),
    content: z.array(Block).optional(),
    status: z.string().optional(),
  }),
  "tool.completed": ToolResultPayload,
  "approval.requested": z.object({
    approvalId: z.string(),
    toolCallId: z.string().optional(),
    detail: z.unknown(),
  }),
  "approval.resolved": z.object({
    approvalId: z.string(),
    toolCallId: z.string().optional(),
    outcome: z.string(),
  }),
  "artifact.observed": z.object({
    uri: z.string(),
    mediaType: z.string().optional(),
    detail: z.unknown().optional(),
  }),
  "task.updated": z.object({ plan: Plan }),
  "action.intent": z.object({ clientActionId: z.string(), detail: z.unknown() }),
  "action.dispatched": z.object({ clientActionId: z.string() }),
  "action.rejected": z.object({ clientActionId: z.string(), reason: z.string() }),
  "action.applied": z.object({ clientActionId: z.string() }),
  "action.unknown": z.object({ clientActionId: z.string() }),
  "action.accepted": z.object({ clientActionId: z.string() }),
  /**
   * `compacted`: from here on the model's context is `context` (whole events, in order) and what follows.
   * `context` absent: the source does not say what was kept. `rewound`: the last `turns` turns told so far were taken
   * back; 0 where the reader tells them as a branch.
   */
  "status.changed": z.object({
    status: z.enum(["live", "idle", "exited", "degraded", "compacted", "rewound"]),
    reason: z.string().optional(),
    trigger: z.enum(["manual", "auto"]).optional(),
    turns: z.number().optional(),
    context: z.array(z.looseObject({ type: z.string(), payload: z.unknown() })).optional(),
  }),
  /** Something we do not read: where it lies is in `origin`. `axis` says what it would have been. */
  "unknown.observed": z.object({
    nativeType: z.string(),
    axis: z.string(),
    reason: z.string().optional(),
    value: z.unknown().optional(),
  }),
} as const;

export type EventType = keyof typeof payloads;
export const eventTypes = Object.keys(payloads) as EventType[];
