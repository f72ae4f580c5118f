/** Checks everything in a bundle against everything else. */
import { LossLedger } from "../fidelity/ledger.js";
import type { Source } from "../io/source.js";
import { sealer, unseal } from "../session/seal.js";
import { hashOf } from "./hash.js";
import { bundlePaths } from "./layout.js";
import { loadManifest } from "./load.js";
import type { BundleManifest, BundleSession } from "./manifest.js";
import { envelopes } from "./read.js";

export interface Verified {
  sessions: number;
  events: number;
  blobs: number;
  bytes: number;
  /** Empty: all is as it must be. Each names its place and what is wrong. */
  problems: string[];
}

/** @param root the bundle's folder. */
export async function verifyBundle(root: string, source: Source, signal?: AbortSignal): Promise<Verified> {
  const found: Verified = { sessions: 0, events: 0, blobs: 0, bytes: 0, problems: [] };
  const problem = (error: unknown) =>
    found.problems.push(error instanceof Error ? error.message : String(error));
  let manifest: BundleManifest;
  try {
    manifest = await loadManifest(root, source);
  } catch (error) {
    problem(error);
    return found;
  }
  const blobs = new Map<string, number>();
  for (const { files } of manifest.sessions) for (const { blob, size } of files) blobs.set(blob, size);
  for (const [blob, size] of blobs) {
    signal?.throwIfAborted();
    const path = bundlePaths(root).blob(blob);
    try {
      const bytes = await hashOf(path, source);
      found.blobs++;
      found.bytes += bytes.size;
      if (bytes.size !== size) problem(`${path}: has ${bytes.size} bytes; the manifest says ${size}`);
      if (bytes.sha256 !== blob) problem(`${path}: its bytes are not those of its name (sha256)`);
    } catch (error) {
      problem(error);
    }
  }
  for (const session of manifest.sessions) {
    found.sessions++;
    try {
      found.events += await verifyLog(root, session, source, signal);
    } catch (error) {
      signal?.throwIfAborted();
      problem(error);
    }
  }
  await strangers(root, manifest, source, problem);
  return found;
}

/** Hash, counts and places are checked on reading; here also ids and the account. */
async function verifyLog(
  root: string,
  session: BundleSession,
  source: Source,
  signal?: AbortSignal,
): Promise<number> {
  const path = bundlePaths(root).events(session.id);
  const blobs = session.files.map(({ blob }) => blob);
  const ledger = new LossLedger(session.nativeSessionId);
  const seal = sealer({ sessionId: session.id, adapter: session.harness, blobs });
  let events = 0;
  let records = 0;
  for await (const { envelope, line } of envelopes(root, session, source, signal)) {
    events++;
    for (const { record } of envelope.evidence ?? []) for (; records <= record; records++) ledger.record();
    const event = unseal(envelope, blobs);
    ledger.mapped(event);
    const { eventId } = seal(event);
    if (eventId !== envelope.eventId)
      throw new Error(`${path}: line ${line}: its event id is not that of its content`);
  }
  ledger.settle();
  return events;
}

/** Files that the manifest does not name belong to nobody. */
async function strangers(
  root: string,
  { sessions }: BundleManifest,
  source: Source,
  problem: (what: string) => void,
): Promise<void> {
  const blobs = new Set(sessions.flatMap(({ files }) => files.map(({ blob }) => blob)));
  const ids = new Set(sessions.map(({ id }) => id));
  const base = root.replace(/[/\\]+$/, "");
  for (const { name } of await source.readDir(`${base}/blobs`)) {
    if (!blobs.has(name)) problem(`${base}/blobs/${name}: the manifest does not name it`);
  }
  for (const { name } of await source.readDir(`${base}/sessions`)) {
    if (!ids.has(name)) problem(`${base}/sessions/${name}: the manifest does not name it`);
  }
}
