/** Event ⇄ envelope. Nothing is added to an event that unsealing would not take off again. */
import type { z } from "zod";
import type * as schema from "./envelope.js";
import type { EventOf, EventType, Origin, SessionEvent } from "./event.js";
import { digest, eventId } from "./identity.js";
import { Occurrences } from "./occurrences.js";

export type EvidencePointer = z.infer<typeof schema.EvidencePointer>;
export type Correlation = z.infer<typeof schema.Correlation>;
export type Layer = z.infer<typeof schema.Layer>;

type Head = Omit<schema.Envelope, "type" | "payload">;

/** An envelope of type T. */
export interface EnvelopeOf<T extends EventType> extends Head {
  type: T;
  payload: EventOf<T>["payload"];
}
export type Envelope = { [T in EventType]: EnvelopeOf<T> }[EventType];

export interface SealContext {
  /** The session's canonical id. */
  sessionId: string;
  /** Id of the converter that read it. */
  adapter: string;
  /** sha256 of each of the session's evidence files, in their order. */
  blobs: readonly string[];
  /** How near the teller was; a converter reads what the program itself wrote (L1). */
  layer?: Layer;
}

const EPOCH = "1970-01-01T00:00:00.000Z";

/**
 * Seals the events of one session, in their order: an event of the same type and native id as an earlier one gets
 * an id of its own, and one without a time the last time before it.
 */
export function sealer(context: SealContext): (event: SessionEvent) => Envelope {
  const seen = new Occurrences();
  let time = EPOCH;
  return (event) => {
    if (event.time !== undefined) time = event.time;
    const id = identityOf(event, context);
    const occurrence = seen.next(id);
    return envelope(event, context, occurrence === 0 ? id : digest(id, String(occurrence)), time);
  };
}

/** Seals an event that has no twin in its session. */
export function seal(event: SessionEvent, context: SealContext): Envelope {
  return envelope(event, context, identityOf(event, context), event.time ?? EPOCH);
}

/** @param blobs as they were when it was sealed. */
export function unseal(sealed: Envelope, blobs: readonly string[]): SessionEvent {
  const {
    type,
    payload,
    source,
    timestamp,
    timestampFrom,
    correlation,
    evidence = [],
    branch,
    branchFrom,
  } = sealed;
  return {
    type,
    payload,
    ...(source.nativeEventId !== undefined && { nativeId: source.nativeEventId }),
    ...(timestampFrom !== "none" && { time: timestamp }),
    ...(timestampFrom === "inferred" && { timeInferred: true }),
    ...(correlation?.turnId !== undefined && { turnId: correlation.turnId }),
    ...(branch !== undefined && { branch }),
    ...(branchFrom !== undefined && { branchFrom }),
    origin: evidence.map(({ blob, offset, length, record, file }) => ({
      record,
      file: file ?? blobs.indexOf(blob),
      offset,
      length,
    })),
  } as SessionEvent;
}

function envelope(event: SessionEvent, context: SealContext, id: string, time: string): Envelope {
  const { sessionId, adapter, blobs, layer = "L1" } = context;
  const ours = event.origin.length === 0;
  return {
    schemaVersion: "1.0",
    eventId: id,
    type: event.type,
    sessionId,
    timestamp: time,
    ...(event.time === undefined
      ? { timestampFrom: "none" }
      : event.timeInferred && { timestampFrom: "inferred" }),
    ...(event.type === "message.updated" && { entityRevision: event.payload.revision }),
    source: {
      layer,
      adapter,
      ...(event.nativeId !== undefined && { nativeEventId: event.nativeId }),
      authenticated: false,
    },
    authority: ours ? "inferred" : "self_reported",
    confidence: ours ? 0.5 : 1,
    correlation: correlationOf(event, sessionId),
    payload: event.payload,
    ...(!ours && { evidence: event.origin.map((origin) => pointerTo(origin, blobs)) }),
    ...(event.branch !== undefined && { branch: event.branch }),
    ...(event.branchFrom !== undefined && { branchFrom: event.branchFrom }),
  } as Envelope;
}

function pointerTo({ record, file, offset, length }: Origin, blobs: readonly string[]): EvidencePointer {
  const blob = blobs[file];
  if (blob === undefined) throw new Error(`an event names file ${file}; the session has ${blobs.length}`);
  return { blob, offset, length, record, ...(blobs.indexOf(blob) !== file && { file }) };
}

function correlationOf(event: SessionEvent, agentSessionId: string): Correlation {
  const { turnId } = event;
  const { messageId, toolCallId, toolResultId, runId, clientActionId } = event.payload as Readonly<
    Record<string, string | undefined>
  >;
  return {
    agentSessionId,
    ...(runId !== undefined && { runId }),
    ...(turnId !== undefined && { turnId }),
    ...(messageId !== undefined && { messageId }),
    ...(toolCallId !== undefined && { toolCallId }),
    ...(toolResultId !== undefined && { toolResultId }),
    ...(clientActionId !== undefined && { clientActionId }),
  };
}

/** An event without a native id is known by its place in the source; one without a place by what it says. */
function identityOf({ type, nativeId, origin, payload }: SessionEvent, { sessionId }: SealContext): string {
  if (nativeId !== undefined) return eventId(sessionId, nativeId, type);
  const first = origin[0];
  const place = first
    ? `@${first.file}:${first.offset}+${first.length}`
    : `=${digest(JSON.stringify(payload))}`;
  return eventId(sessionId, place, type);
}
