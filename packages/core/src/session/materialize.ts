/**
 * Log (L1) → snapshot (L2, projection 1.1). Deterministic: the same events give the same snapshot, byte for byte.
 * Idempotent: an event told twice counts once. Order-stable: entities stand in the order of their first event, and
 * what became of one does not depend on the order in which its events came:
 *
 * - `completed` and `settled` are sticky: no later update takes them back, the first one stands;
 * - of updates the one with the highest revision stands;
 * - the strongest layer present (L1 before L2 before L3) tells alone: a weaker one never fills its holes.
 *
 * A log of which no event is authenticated is an archive: status `exited`, capabilities read-only.
 */
import type { MessagePayload, SettingValues, Usage } from "./event.js";
import type { Envelope, Layer } from "./seal.js";
import type {
  EntityState,
  Snapshot,
  SnapshotAction,
  SnapshotApproval,
  SnapshotMessage,
  SnapshotRun,
  SnapshotTool,
  SnapshotTurn,
} from "./snapshot.js";

const strongestFirst: readonly Layer[] = ["L1", "L2", "L3"];

/** @param id the session's canonical id where the log is empty; else its events say it. */
export async function materialize(
  log: AsyncIterable<Envelope> | Iterable<Envelope>,
  id = "",
): Promise<Snapshot> {
  const cohorts = new Map<Layer, Projection>();
  const seen = new Set<string>();
  let total = 0;
  for await (const envelope of log) {
    if (seen.has(envelope.eventId)) continue;
    seen.add(envelope.eventId);
    total++;
    const { layer } = envelope.source;
    let projection = cohorts.get(layer);
    if (!projection) {
      projection = new Projection(id);
      cohorts.set(layer, projection);
    }
    projection.apply(envelope);
  }
  const strongest = strongestFirst.find((layer) => cohorts.has(layer));
  return ((strongest && cohorts.get(strongest)) ?? new Projection(id)).snapshot(total);
}

interface Entity {
  id: string;
  state: EntityState;
  revision: number;
  createdAt: string;
  updatedAt: string;
  provenance: Snapshot["runs"][number]["provenance"];
}

/** What is known of a tool's call or result, and how good the source is: a better one replaces it. */
const FROM_BLOCK = 1;
const FROM_EVENT = 2;

class Projection {
  #id: string;
  #nativeSessionId = "";
  #head: Pick<Snapshot, "title" | "cwd" | "git" | "model"> = {};
  #status: Snapshot["status"] = "idle";
  #authenticated = false;
  #runId: string | undefined;
  readonly #degraded = new Set<string>();
  #settings: SettingValues = {};
  readonly #runs = new Map<string, SnapshotRun>();
  readonly #turns = new Map<string, SnapshotTurn>();
  readonly #messages = new Map<string, SnapshotMessage>();
  readonly #tools = new Map<string, SnapshotTool>();
  readonly #callFrom = new Map<string, number>();
  readonly #resultFrom = new Map<string, number>();
  readonly #approvals = new Map<string, SnapshotApproval>();
  readonly #actions = new Map<string, SnapshotAction>();

  constructor(id: string) {
    this.#id = id;
  }

  apply(event: Envelope): void {
    this.#id = event.correlation?.agentSessionId ?? event.sessionId;
    this.#authenticated ||= event.source.authenticated;
    const runId = event.correlation?.runId ?? this.#runId;
    switch (event.type) {
      case "session.started": {
        const { nativeSessionId, title, cwd, git, model } = event.payload;
        this.#nativeSessionId ||= nativeSessionId;
        this.#head = { ...defined({ title, cwd, git, model }), ...this.#head };
        this.#status = "live";
        return;
      }
      case "session.bound": {
        const { title, cwd } = event.payload;
        Object.assign(this.#head, defined({ title, cwd }));
        return;
      }
      case "session.ended":
        this.#status = "exited";
        return;
      case "capabilities.changed":
        this.#settings = { ...this.#settings, ...event.payload.settings }; // a spread sets no prototype
        return;
      case "status.changed": {
        const { status, reason } = event.payload;
        if (status !== "compacted" && status !== "rewound") this.#status = status;
        if (status === "degraded") this.#degraded.add(reason ?? "");
        return;
      }
      case "run.started":
        this.#runId = event.payload.runId;
        touch(this.#runs, event.payload.runId, event, "running", () => ({}));
        return;
      case "run.settled":
        this.#runId = undefined;
        settle(
          touch(this.#runs, event.payload.runId, event, "running", () => ({})),
          event.payload.status,
        );
        return;
      case "turn.started":
        touch(this.#turns, event.payload.turnId, event, "running", () => defined({ runId }));
        return;
      case "turn.completed": {
        const { turnId, status, error, usage } = event.payload;
        const turn = touch(this.#turns, turnId, event, "running", () => defined({ runId }));
        if (settle(turn, status))
          Object.assign(turn, defined<{ error?: string; usage?: Usage }>({ error, usage }));
        return;
      }
      case "message.started": {
        const { messageId, role } = event.payload;
        this.#message(messageId, event, runId, role);
        return;
      }
      case "message.updated": {
        const { revision, ...payload } = event.payload;
        const message = this.#message(payload.messageId, event, runId, payload.role);
        const newest = revision >= message.revision;
        message.revision = Math.max(revision, message.revision);
        if (message.state === "completed" || !newest) return;
        fill(message, payload);
        message.state = "running";
        return;
      }
      case "message.completed": {
        const { payload } = event;
        const message = this.#message(payload.messageId, event, runId, payload.role);
        if (settle(message, "completed")) {
          fill(message, payload);
          this.#blocks(event, payload, runId);
        }
        return;
      }
      case "tool.started": {
        const { toolCallId, name, arguments: args, messageId } = event.payload;
        const tool = this.#tool(toolCallId, event, runId);
        if (tool.state === "pending") tool.state = "running";
        this.#call(tool, FROM_EVENT, { name, arguments: args, ...defined({ messageId }) });
        return;
      }
      case "tool.updated": {
        const tool = this.#tool(event.payload.toolCallId, event, runId);
        if (tool.state === "pending") tool.state = "running";
        return;
      }
      case "tool.completed": {
        const { toolCallId, toolResultId, result, isError, detail, synthetic } = event.payload;
        const tool = this.#tool(toolCallId, event, runId);
        this.#result(tool, FROM_EVENT, {
          content: result,
          isError,
          ...defined({ toolResultId, detail, synthetic }),
        });
        return;
      }
      case "approval.requested": {
        const { approvalId, toolCallId, detail } = event.payload;
        const approval = touch(this.#approvals, approvalId, event, "pending", () => ({}));
        Object.assign(approval, defined({ toolCallId, detail }));
        return;
      }
      case "approval.resolved": {
        const { approvalId, toolCallId, outcome } = event.payload;
        const approval = touch(this.#approvals, approvalId, event, "pending", () => ({}));
        if (settle(approval, "completed")) Object.assign(approval, { outcome, ...defined({ toolCallId }) });
        return;
      }
      case "action.intent": {
        const action = touch(this.#actions, event.payload.clientActionId, event, "pending", () => ({}));
        Object.assign(action, defined({ detail: event.payload.detail }));
        return;
      }
      case "action.dispatched":
      case "action.accepted": {
        const action = touch(this.#actions, event.payload.clientActionId, event, "pending", () => ({}));
        if (action.state === "pending") action.state = "running";
        return;
      }
      case "action.applied":
      case "action.rejected":
      case "action.unknown": {
        const action = touch(this.#actions, event.payload.clientActionId, event, "pending", () => ({}));
        settle(action, event.type === "action.applied" ? "completed" : "failed");
        return;
      }
      // Facts that shape no entity; they stay in the log.
      case "input.observed":
      case "artifact.observed":
      case "task.updated":
      case "unknown.observed":
        return;
    }
  }

  snapshot(revision: number): Snapshot {
    const archive = !this.#authenticated;
    return {
      schemaVersion: "1.0",
      projectionVersion: "1.1",
      id: this.#id,
      nativeSessionId: this.#nativeSessionId,
      ...this.#head,
      epoch: 0,
      revision,
      seq: revision - 1,
      nextSeq: revision,
      status: archive ? "exited" : this.#status,
      degradedReasons: [...this.#degraded].sort(),
      capabilities: { readOnly: archive, settings: this.#settings },
      runs: [...this.#runs.values()],
      turns: [...this.#turns.values()],
      messages: [...this.#messages.values()],
      tools: [...this.#tools.values()],
      approvals: [...this.#approvals.values()],
      pendingActions: [...this.#actions.values()].filter(
        ({ state }) => state === "pending" || state === "running",
      ),
    };
  }

  #message(
    id: string,
    event: Envelope,
    runId: string | undefined,
    role: MessagePayload["role"],
  ): SnapshotMessage {
    const turnId = event.correlation?.turnId;
    const { branch } = event;
    return touch(this.#messages, id, event, "pending", () => ({
      role,
      blocks: [],
      ...defined({ turnId, runId, branch }),
    }));
  }

  #tool(id: string, event: Envelope, runId: string | undefined): SnapshotTool {
    const turnId = event.correlation?.turnId;
    const { branch } = event;
    return touch(this.#tools, id, event, "pending", () => ({
      name: "",
      arguments: null,
      ...defined({ turnId, runId, branch }),
    }));
  }

  /** The calls that a message holds, and results that stand only there. */
  #blocks(event: Envelope, { messageId, blocks }: MessagePayload, runId: string | undefined): void {
    for (const block of blocks) {
      if (block.type === "tool-call") {
        const { toolCallId, name, namespace, arguments: args } = block;
        const tool = this.#tool(toolCallId, event, runId);
        this.#call(tool, FROM_BLOCK, { name, arguments: args, messageId, ...defined({ namespace }) });
      } else if (block.type === "tool-result") {
        const { toolCallId, toolResultId, content, isError = false } = block;
        const tool = this.#tool(toolCallId, event, runId);
        this.#result(tool, FROM_BLOCK, { content, isError, ...defined({ toolResultId }) });
      }
    }
  }

  #call(tool: SnapshotTool, from: number, call: Partial<SnapshotTool>): void {
    const known = this.#callFrom.get(tool.id) ?? 0;
    if (known >= from) {
      // What the better source leaves open, the other one of the same cohort says.
      for (const [key, value] of Object.entries(call))
        if (!(key in tool)) Object.assign(tool, { [key]: value });
      return;
    }
    Object.assign(tool, call);
    this.#callFrom.set(tool.id, from);
  }

  #result(tool: SnapshotTool, from: number, result: NonNullable<SnapshotTool["result"]>): void {
    if ((this.#resultFrom.get(tool.id) ?? 0) >= from) return;
    this.#resultFrom.set(tool.id, from);
    tool.result = result;
    tool.state = result.synthetic ? "cancelled" : result.isError ? "failed" : "completed";
  }
}

/** The entity of this id, made if it is new; the event becomes part of its provenance. */
function touch<E extends Entity>(
  entities: Map<string, E>,
  id: string,
  event: Envelope,
  state: EntityState,
  rest: () => Omit<E, keyof Entity>,
): E {
  const { eventId, timestamp, source } = event;
  let entity = entities.get(id);
  if (!entity) {
    const { layer, adapter, authenticated } = source;
    const provenance = { sourceEventIds: [], layer, adapter, authenticated, observationCount: 0 };
    entity = {
      id,
      state,
      revision: 0,
      createdAt: timestamp,
      updatedAt: timestamp,
      provenance,
      ...rest(),
    } as unknown as E;
    entities.set(id, entity);
  }
  entity.provenance.sourceEventIds.push(eventId);
  entity.provenance.observationCount++;
  if (timestamp < entity.createdAt) entity.createdAt = timestamp;
  if (timestamp > entity.updatedAt) entity.updatedAt = timestamp;
  return entity;
}

/** True for the first end of an entity: that one stands. */
function settle(entity: Entity, state: "completed" | "failed" | "cancelled"): boolean {
  if (entity.state === "completed" || entity.state === "failed" || entity.state === "cancelled") return false;
  entity.state = state;
  return true;
}

/** By name, not by copying what is there: a log is input from anywhere. */
function fill(message: SnapshotMessage, payload: MessagePayload): void {
  const { role, blocks, model, usage, stopReason, kind, injected, audience, display } = payload;
  message.role = role;
  message.blocks = blocks;
  Object.assign(message, defined({ model, usage, stopReason, kind, injected, audience, display }));
}

/** Only the keys that have a value: a snapshot holds no `undefined`. */
function defined<T extends object>(values: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
