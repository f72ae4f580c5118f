/** A bundle → refs and events, every envelope checked on the way. */
import { createHash } from "node:crypto";
import type { ReadContext, SessionRef, Store } from "../converter/contract.js";
import type { Reason } from "../fidelity/reasons.js";
import { lineBatches } from "../io/lines.js";
import { type Source, SourceError } from "../io/source.js";
import type { SessionEvent } from "../session/event.js";
import { type Envelope, unseal } from "../session/seal.js";
import { hashOf } from "./hash.js";
import { BundleError, bundlePaths, openPart } from "./layout.js";
import { loadManifest } from "./load.js";
import type { BundleFile, BundleManifest, BundleSession } from "./manifest.js";

/** Where a listed session stands, so that reading it need not look for it. */
const places = new WeakMap<SessionRef, { root: string; session: BundleSession }>();
const manifests = new WeakMap<Store, Promise<BundleManifest>>();

/** Loaded once a store. */
export function manifestOf(store: Store, source: Source): Promise<BundleManifest> {
  let manifest = manifests.get(store);
  if (!manifest) {
    manifest = loadManifest(store.root, source);
    manifests.set(store, manifest);
  }
  return manifest;
}

export async function* listBundle(store: Store, source: Source): AsyncGenerator<SessionRef> {
  const { sessions } = await manifestOf(store, source);
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const inner = new Set(sessions.flatMap(({ children }) => children));
  for (const session of sessions) {
    const focused = store.focus === undefined || store.focus === session.id;
    if (!inner.has(session.id) && focused)
      yield refOf(session, store.root, bundlePaths(store.root).native(session.id), byId);
  }
}

function refOf(
  session: BundleSession,
  root: string,
  native: string,
  byId: ReadonlyMap<string, BundleSession>,
): SessionRef {
  const {
    id: _,
    nativeSessionId,
    children,
    files,
    events: __,
    records: ___,
    axes: ____,
    losses: _____,
    toolCalls: ______,
    ...rest
  } = session;
  const list = files.map(({ relative, role, encoding }) => ({
    path: `${native}/${relative}`,
    relative,
    role,
    ...(encoding && { encoding }),
  }));
  const ref = {
    ...rest,
    id: nativeSessionId,
    path: list[0]?.path ?? native,
    files: list,
    size: files.reduce((sum, { size }) => sum + size, 0),
    children: children.flatMap((child) => {
      const found = byId.get(child);
      return found ? [refOf(found, root, native, byId)] : [];
    }),
  } as SessionRef;
  places.set(ref, { root, session });
  return ref;
}

export async function* readBundle(ref: SessionRef, context: ReadContext): AsyncGenerator<SessionEvent> {
  const place = places.get(ref);
  if (!place) throw new Error(`session ${ref.id} was not listed by the bundle converter`);
  const { root, session } = place;
  const { ledger, source, signal } = context;
  for (const loss of session.losses) ledger.note(loss, loss.places[0]?.record, loss.places[0]?.item);
  const blobs = session.files.map(({ blob }) => blob);
  let records = 0;
  for await (const { envelope } of envelopes(root, session, source, signal)) {
    for (const { record } of envelope.evidence ?? []) for (; records <= record; records++) ledger.record();
    yield unseal(envelope, blobs);
  }
  // The events are whole; what they were read from may not be, and then it cannot be given back.
  for (const file of session.files) {
    const reason = await faultOf(file, root, source);
    if (reason) ledger.note({ axis: "raw", level: "not-in-source", reason }, undefined, file.relative);
  }
}

async function faultOf(
  { blob, size }: BundleFile,
  root: string,
  source: Source,
): Promise<Reason | undefined> {
  const path = bundlePaths(root).blob(blob);
  try {
    const found = await hashOf(path, source);
    return found.size === size && found.sha256 === blob ? undefined : "damaged";
  } catch (error) {
    if (error instanceof BundleError) return "missing-file";
    if (error instanceof SourceError) return "damaged";
    throw error;
  }
}

/**
 * The checked log of a session.
 * @throws BundleError at the first thing that is not right; at the end, if the whole is not what the manifest says.
 */
export async function* envelopes(
  root: string,
  session: BundleSession,
  source: Source,
  signal?: AbortSignal,
): AsyncGenerator<{ envelope: Envelope; line: number }> {
  const path = bundlePaths(root).events(session.id);
  const { Envelope: schema } = await import("../session/envelope.js");
  const sizes = new Map(session.files.map(({ blob, size, encoding }) => [blob, encoding ? undefined : size]));
  const file = await openPart(path, source);
  try {
    if (file.size !== session.events.bytes) {
      throw new BundleError(path, `has ${file.size} bytes; the manifest says ${session.events.bytes}`);
    }
    const sum = createHash("sha256");
    let count = 0;
    let highest = -1;
    for (const batch of lineBatches(file, { onBytes: (bytes) => sum.update(bytes), signal })) {
      for (const { number: line, bytes } of batch) {
        const fail = (problem: string): BundleError => new BundleError(path, `line ${line}: ${problem}`);
        if (!bytes) throw fail("is too long");
        const envelope = parse(bytes, fail);
        const checked = schema.safeParse(envelope);
        if (!checked.success) {
          const [issue] = checked.error.issues;
          throw fail(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is no envelope"}`);
        }
        if (envelope.sessionId !== session.id) throw fail("belongs to another session");
        for (const { blob, offset, length, record, file: index } of envelope.evidence ?? []) {
          if (!sizes.has(blob)) throw fail("names bytes that are not among the session's files");
          if (offset + length > (sizes.get(blob) ?? Number.MAX_SAFE_INTEGER))
            throw fail("names bytes past a file's end");
          if (index !== undefined && session.files[index]?.blob !== blob)
            throw fail("names another file than its bytes");
          if (record >= session.records.read) throw fail(`names record ${record} of ${session.records.read}`);
          if (record > highest) highest = record;
        }
        count++;
        yield { envelope, line };
      }
    }
    if (count !== session.events.count) {
      throw new BundleError(path, `holds ${count} events; the manifest says ${session.events.count}`);
    }
    if (sum.digest("hex") !== session.events.sha256)
      throw new BundleError(path, "is not what the manifest says (sha256)");
    if (highest + 1 !== session.records.read) {
      throw new BundleError(
        path,
        `names ${highest + 1} native records; the manifest says ${session.records.read}`,
      );
    }
  } finally {
    file.close();
  }
}

/** What is kept is the value itself, so that keys the schema does not know survive; nothing assigns its keys. */
function parse(bytes: Buffer, fail: (problem: string) => BundleError): Envelope {
  try {
    return JSON.parse(bytes.toString("utf8")) as Envelope;
  } catch {
    throw fail("is no JSON");
  }
}
