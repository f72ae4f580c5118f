/** Random events of every type, as any reader might give them. For property tests. */
import fc from "fast-check";
import type { Block, EventType, Payloads, SessionEvent } from "../src/index.js";

/** sha256 of three files. */
export const blobs = ["a", "b", "c"].map((letter) => letter.repeat(64));

/** A record of which only the `needed` keys are always there. */
const maybe = (shape: Record<string, fc.Arbitrary<unknown>>, ...needed: string[]) =>
  fc.record(shape, { requiredKeys: needed }) as fc.Arbitrary<never>;

const text = fc.string({ maxLength: 12 });
const id = fc.constantFrom("a", "b", "c", "d", "e");
const time = fc.integer({ min: 0, max: 2 ** 41 }).map((ms) => new Date(ms).toISOString());
const json = fc.jsonValue({ maxDepth: 2 });
const status = fc.constantFrom("completed", "failed", "cancelled");

const plain = [
  fc.record({ type: fc.constant("text"), text }),
  maybe({ type: fc.constant("thinking"), text, signature: text }, "type", "text"),
  maybe({ type: fc.constant("image"), mimeType: text, data: text, uri: text, alt: text }, "type"),
  maybe({ type: fc.constant("reference"), uri: text, title: text, text }, "type", "uri"),
  maybe({ type: fc.constant("error"), message: text, code: text, detail: json }, "type", "message"),
  fc.record({ type: fc.constant("unknown"), nativeType: text, value: json }),
] as fc.Arbitrary<Block>[];
const call = maybe(
  { type: fc.constant("tool-call"), toolCallId: id, name: text, arguments: json, namespace: text },
  ...["type", "toolCallId", "name", "arguments"],
);
const result = maybe(
  {
    type: fc.constant("tool-result"),
    toolCallId: id,
    content: fc.array(fc.oneof(...plain), { maxLength: 2 }),
    isError: fc.boolean(),
  },
  ...["type", "toolCallId", "content"],
);
const blocks = fc.array(fc.oneof(...plain, call, result), { maxLength: 4 });
const usage = maybe({ inputTokens: fc.nat(), outputTokens: fc.nat() });
const message = {
  messageId: id,
  role: fc.constantFrom("system", "user", "assistant", "tool", "unknown"),
  blocks,
  model: text,
  usage,
  kind: fc.constantFrom("summary", "queued"),
  injected: fc.constantFrom("harness", "command", "skill", "tool", "notice"),
  display: text,
};

const byType: { [T in EventType]: fc.Arbitrary<Payloads[T]> } = {
  "session.started": maybe(
    { nativeSessionId: text, title: text, cwd: text, model: text, git: maybe({ branch: text }) },
    "nativeSessionId",
  ),
  "session.ended": maybe({ reason: text }),
  "session.bound": maybe({ title: text, titleBy: fc.constantFrom("user", "agent"), cwd: text }),
  "capabilities.changed": fc.record({
    settings: fc.dictionary(text, fc.oneof(text, fc.boolean(), fc.nat())),
  }),
  "input.observed": fc.record({ text }),
  "run.started": fc.record({ runId: id }),
  "run.settled": fc.record({ runId: id, status }) as fc.Arbitrary<never>,
  "turn.started": fc.record({ turnId: id }),
  "turn.completed": maybe({ turnId: id, status, error: text, usage }, "turnId", "status"),
  "message.started": fc.record({ messageId: id, role: message.role }) as fc.Arbitrary<never>,
  "message.updated": maybe(
    { ...message, revision: fc.nat({ max: 5 }) },
    "messageId",
    "role",
    "blocks",
    "revision",
  ),
  "message.completed": maybe(message, "messageId", "role", "blocks"),
  "tool.started": maybe(
    { toolCallId: id, name: text, arguments: json, messageId: id },
    "toolCallId",
    "name",
    "arguments",
  ),
  "tool.updated": maybe({ toolCallId: id, status: text }, "toolCallId"),
  "tool.completed": maybe(
    {
      toolCallId: id,
      toolResultId: id,
      result: fc.array(fc.oneof(...plain), { maxLength: 2 }),
      isError: fc.boolean(),
      detail: json,
    },
    ...["toolCallId", "result", "isError"],
  ),
  "approval.requested": maybe({ approvalId: id, toolCallId: id, detail: json }, "approvalId", "detail"),
  "approval.resolved": maybe({ approvalId: id, toolCallId: id, outcome: text }, "approvalId", "outcome"),
  "artifact.observed": maybe({ uri: text, mediaType: text, detail: json }, "uri"),
  "task.updated": fc.record({
    plan: fc.array(
      fc.record({ content: text, status: fc.constantFrom("pending", "in_progress", "completed") }),
      { maxLength: 2 },
    ),
  }) as fc.Arbitrary<never>,
  "action.intent": fc.record({ clientActionId: id, detail: json }),
  "action.dispatched": fc.record({ clientActionId: id }),
  "action.rejected": fc.record({ clientActionId: id, reason: text }),
  "action.applied": fc.record({ clientActionId: id }),
  "action.unknown": fc.record({ clientActionId: id }),
  "action.accepted": fc.record({ clientActionId: id }),
  "status.changed": maybe(
    {
      status: fc.constantFrom("live", "idle", "exited", "degraded", "compacted", "rewound"),
      reason: text,
      turns: fc.nat(),
    },
    "status",
  ),
  "unknown.observed": maybe(
    { nativeType: text, axis: text, reason: text, value: json },
    "nativeType",
    "axis",
  ),
};

const origin = fc.array(
  fc.record({
    record: fc.nat(),
    file: fc.nat({ max: blobs.length - 1 }),
    offset: fc.nat(),
    length: fc.nat(),
  }),
  { maxLength: 3 },
);

/** With and without each of the optional keys. */
export const anEvent: fc.Arbitrary<SessionEvent> = fc
  .constantFrom(...(Object.keys(byType) as EventType[]))
  .chain((type) =>
    fc.record(
      {
        type: fc.constant(type),
        payload: byType[type] as fc.Arbitrary<unknown>,
        nativeId: text,
        time,
        turnId: id,
        branch: id,
        branchFrom: id,
        origin,
      },
      { requiredKeys: ["type", "payload", "origin"] },
    ),
  )
  .chain((event) =>
    ("time" in event ? fc.boolean() : fc.constant(false)).map((inferred) =>
      inferred ? { ...event, timeInferred: true } : event,
    ),
  )
  .map((event) => event as unknown as SessionEvent);

export const someEvents: fc.Arbitrary<SessionEvent[]> = fc.array(anEvent, { maxLength: 30 });
