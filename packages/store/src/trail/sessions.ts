/** Sessions out of the bytes that were kept of them. */
import {
  type Converter,
  type Environment,
  LossLedger,
  type SessionEvent,
  type SessionInput,
  type SessionRef,
  type Source,
} from "@asp-convert/core";
import type { SessionLog } from "../session-log.js";
import { EVIDENCE, evidenceSource } from "./evidence.js";
import type { SessionRecord } from "./records.js";

/** A session that can be read as often as is needed; its ledger is nobody's. */
export interface Readable {
  converter: Converter;
  ref: SessionRef;
  source: Source;
}

export function eventsOf(
  { converter, ref, source }: Readable,
  environment: Environment,
): AsyncIterable<SessionEvent> {
  return converter.sessions.read(ref, { source, environment, ledger: new LossLedger(ref.id) });
}

/** undefined: the converter does not find the session in them, or some of the bytes are gone. */
export async function kept(
  log: SessionLog,
  session: SessionRecord,
  converter: Converter,
  environment: Environment,
): Promise<Readable | undefined> {
  if (!(await isWhole(log, session))) return undefined;
  const source = evidenceSource(session, (file) => log.blobs.read(file));
  const ref = await refIn(converter, session.id, EVIDENCE, source, environment);
  return ref && { converter, ref, source };
}

export async function refIn(
  converter: Converter,
  id: string,
  root: string,
  source: Source,
  environment: Environment,
): Promise<SessionRef | undefined> {
  for await (const ref of converter.sessions.list({ harness: converter.id, root }, { source, environment }))
    if (ref.id === id) return ref;
  return undefined;
}

async function isWhole(log: SessionLog, { files, children }: SessionRecord): Promise<boolean> {
  for (const file of files) if (!(await log.blobs.has(file))) return false;
  for (const child of children) if (!(await isWhole(log, child))) return false;
  return files.length > 0;
}

export function inputOf(readable: Readable, environment: Environment): SessionInput {
  const { ref, source } = readable;
  return {
    ref,
    source,
    ledger: new LossLedger(ref.id),
    children: ref.children.map((child) => inputOf({ ...readable, ref: child }, environment)),
    events: () => eventsOf(readable, environment),
  };
}
