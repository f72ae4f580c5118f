/**
 * The envelope: an event with its identity and provenance, as it stands in a log (L1). After the Agent Session
 * Protocol, schema 1.0; where that is silent we add optional keys: `evidence`, `timestampFrom`, `branch`,
 * `branchFrom`. Sealing and unsealing are in `seal.ts`.
 */
import { z } from "zod";
import { eventTypes, payloads } from "./events.js";

/** A native record: bytes of a blob. `record`: its ordinal in the session. */
export const EvidencePointer = z.object({
  /** sha256 (hex) of the native file. */
  blob: z.string(),
  offset: z.number().int().nonnegative(),
  length: z.number().int().nonnegative(),
  record: z.number().int().nonnegative(),
  /** Which of the session's files, where several hold the same bytes. */
  file: z.number().int().nonnegative().optional(),
});

export const Correlation = z.object({
  agentSessionId: z.string().optional(),
  runId: z.string().optional(),
  turnId: z.string().optional(),
  messageId: z.string().optional(),
  toolCallId: z.string().optional(),
  toolResultId: z.string().optional(),
  parentId: z.string().optional(),
  clientActionId: z.string().optional(),
});

/** L1: seen first-hand. L2: relayed. L3: inferred. */
export const Layer = z.enum(["L1", "L2", "L3"]);

export const EnvelopeSource = z.object({
  layer: Layer,
  /** Id of the converter. */
  adapter: z.string(),
  nativeEventId: z.string().optional(),
  /** Always false for what was imported: it cannot be mistaken for a live session. */
  authenticated: z.boolean(),
  generation: z.number().int().optional(),
});

const common = {
  schemaVersion: z.literal("1.0"),
  /** Made from session, native id (or place) and type: reading the same bytes again gives the same. */
  eventId: z.string(),
  sessionId: z.string(),
  /** ISO 8601. */
  timestamp: z.string(),
  /** Absent: the source says so. `inferred`: a nearby time. `none`: the source has none; the last one before stands here. */
  timestampFrom: z.enum(["inferred", "none"]).optional(),
  entityRevision: z.number().int().optional(),
  source: EnvelopeSource,
  /** An archive is what a program says of itself; what we made ourselves is inferred. */
  authority: z.enum(["authoritative", "self_reported", "inferred"]),
  confidence: z.number().min(0).max(1),
  correlation: Correlation.optional(),
  evidence: z.array(EvidencePointer).optional(),
  branch: z.string().optional(),
  branchFrom: z.string().optional(),
};

type Common = z.infer<z.ZodObject<typeof common>>;

const variants = eventTypes.map((type) =>
  z.object({ ...common, type: z.literal(type), payload: payloads[type] }),
);

export type Envelope = Common &
  {
    [T in keyof typeof payloads]: { type: T; payload: z.infer<(typeof payloads)[T]> };
  }[keyof typeof payloads];

/** One of the 27 event types, in its envelope. Checks; the value to keep is the one that was checked. */
export const Envelope: z.ZodType<Envelope> = z.discriminatedUnion(
  "type",
  variants as unknown as [(typeof variants)[number], ...(typeof variants)[number][]],
) as unknown as z.ZodType<Envelope>;
