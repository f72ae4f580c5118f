/** The snapshot of a session (L2, projection 1.1): derived from the log at any time, never stored as truth. */
import { z } from "zod";
import { Block } from "./blocks.js";
import { Layer } from "./envelope.js";
import { Git, InjectedBy, Role, SettingValues, Usage } from "./events.js";

export const EntityState = z.enum(["pending", "running", "completed", "failed", "cancelled"]);

export const Provenance = z.object({
  sourceEventIds: z.array(z.string()),
  layer: Layer,
  adapter: z.string(),
  authenticated: z.boolean(),
  observationCount: z.number().int(),
});

const entity = {
  id: z.string(),
  state: EntityState,
  /** The highest revision that was told of it. */
  revision: z.number().int(),
  /** ISO 8601; of the first and the last event that shaped it. */
  createdAt: z.string(),
  updatedAt: z.string(),
  provenance: Provenance,
};

export const SnapshotRun = z.object(entity);

export const SnapshotTurn = z.object({
  ...entity,
  runId: z.string().optional(),
  error: z.string().optional(),
  usage: Usage.optional(),
});

export const SnapshotMessage = z.object({
  ...entity,
  role: Role,
  blocks: z.array(Block),
  turnId: z.string().optional(),
  runId: z.string().optional(),
  model: z.string().optional(),
  usage: Usage.optional(),
  stopReason: z.string().optional(),
  kind: z.enum(["summary", "queued"]).optional(),
  injected: InjectedBy.optional(),
  audience: z.array(z.enum(["user", "assistant"])).optional(),
  display: z.string().optional(),
  /** Of a branch that was left: its id. */
  branch: z.string().optional(),
});

/** A tool call with its result: exporters read the result here, not in messages. */
export const SnapshotTool = z.object({
  ...entity,
  name: z.string(),
  arguments: z.unknown(),
  namespace: z.string().optional(),
  messageId: z.string().optional(),
  turnId: z.string().optional(),
  runId: z.string().optional(),
  branch: z.string().optional(),
  result: z
    .object({
      toolResultId: z.string().optional(),
      content: z.array(Block),
      isError: z.boolean(),
      detail: z.unknown().optional(),
      synthetic: z.boolean().optional(),
    })
    .optional(),
});

export const SnapshotApproval = z.object({
  ...entity,
  toolCallId: z.string().optional(),
  detail: z.unknown().optional(),
  outcome: z.string().optional(),
});

export const SnapshotAction = z.object({ ...entity, detail: z.unknown().optional() });

export const Snapshot = z.object({
  schemaVersion: z.literal("1.0"),
  projectionVersion: z.literal("1.1"),
  id: z.string(),
  nativeSessionId: z.string(),
  title: z.string().optional(),
  cwd: z.string().optional(),
  git: Git.optional(),
  model: z.string().optional(),
  epoch: z.number().int(),
  /** How many events it was made of; `seq`: the last one's place in the log (from 0), `nextSeq`: the next one's. */
  revision: z.number().int(),
  seq: z.number().int(),
  nextSeq: z.number().int(),
  status: z.enum(["live", "idle", "exited", "degraded"]),
  degradedReasons: z.array(z.string()),
  capabilities: z.object({ readOnly: z.boolean(), settings: SettingValues }),
  runs: z.array(SnapshotRun),
  turns: z.array(SnapshotTurn),
  messages: z.array(SnapshotMessage),
  tools: z.array(SnapshotTool),
  approvals: z.array(SnapshotApproval),
  pendingActions: z.array(SnapshotAction),
});

export type EntityState = z.infer<typeof EntityState>;
export type SnapshotRun = z.infer<typeof SnapshotRun>;
export type SnapshotTurn = z.infer<typeof SnapshotTurn>;
export type SnapshotMessage = z.infer<typeof SnapshotMessage>;
export type SnapshotTool = z.infer<typeof SnapshotTool>;
export type SnapshotApproval = z.infer<typeof SnapshotApproval>;
export type SnapshotAction = z.infer<typeof SnapshotAction>;
export type Snapshot = z.infer<typeof Snapshot>;
