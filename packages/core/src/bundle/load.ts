/** Loads a bundle's manifest. A bundle is input from anywhere: nothing of it is used before it was checked. */
import { safeRelative } from "../io/paths.js";
import type { Source } from "../io/source.js";
import { sessionId } from "../session/identity.js";
import { BundleError, bundlePaths, FORMAT } from "./layout.js";
import type { BundleManifest, BundleSession } from "./manifest.js";

/** What this program writes, and the newest that it reads. */
const VERSION = 1;
/** A million sessions. */
const MAX_MANIFEST = 1024 * 1024 * 1024;

export async function loadManifest(root: string, source: Source): Promise<BundleManifest> {
  const path = bundlePaths(root).manifest;
  const bytes = await source.readFile(path, MAX_MANIFEST);
  // A bundle of other kinds than sessions has none.
  if (!bytes) return { format: FORMAT, version: 1, schemaVersion: "1.0", sessions: [] };
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new BundleError(path, `is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  const version = typeof json === "object" && json !== null && "version" in json ? json.version : undefined;
  if (typeof version === "number" && version > VERSION)
    throw new BundleError(path, `was made by a newer asp-convert (version ${version}); update this one`);
  const { BundleManifest: schema } = await import("./manifest.js");
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new BundleError(
      path,
      `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not as it must be"}`,
    );
  }
  const ids = new Set<string>();
  for (const session of parsed.data.sessions) {
    if (ids.has(session.id)) throw new BundleError(path, `names session ${session.id} twice`);
    ids.add(session.id);
    checkSession(session, path);
  }
  for (const { id, children } of parsed.data.sessions) {
    for (const child of children) {
      if (!ids.has(child))
        throw new BundleError(path, `session ${id} names a child ${child} that is not there`);
    }
  }
  checkTree(parsed.data, path);
  return parsed.data;
}

function checkSession(session: BundleSession, path: string): void {
  const { id, harness, nativeSessionId, files, events, records } = session;
  const names = new Set<string>();
  for (const { relative } of files) {
    const safe = safeRelative(relative);
    if ("refused" in safe)
      throw new BundleError(path, `session ${id}: the file "${relative}" ${safe.refused}`);
    if (safe.path !== relative)
      throw new BundleError(path, `session ${id}: the file "${relative}" is not written plainly`);
    if (names.has(relative)) throw new BundleError(path, `session ${id}: names the file "${relative}" twice`);
    names.add(relative);
  }
  const transcript = files[0];
  if (!transcript) throw new BundleError(path, `session ${id}: has no transcript`);
  if (sessionId(harness, nativeSessionId, transcript.blob) !== id) {
    throw new BundleError(path, `session ${id}: its id is not that of its harness, native id and transcript`);
  }
  // Each record stands in the evidence of some event, and that takes more bytes than this.
  if (records.read > events.bytes / 32)
    throw new BundleError(path, `session ${id}: claims ${records.read} records`);
  if (records.read !== records.mapped + records.evidence + records.lost) {
    throw new BundleError(path, `session ${id}: its account does not add up`);
  }
}

/** By session, the one at the top of its family. */
export function topsOf(sessions: readonly BundleSession[]): Map<string, string> {
  const parents = new Map<string, string>();
  for (const { id, children } of sessions) for (const child of children) parents.set(child, id);
  const tops = new Map<string, string>();
  for (const { id } of sessions) {
    let top = id;
    for (let parent = parents.get(top); parent !== undefined; parent = parents.get(top)) top = parent;
    tops.set(id, top);
  }
  return tops;
}

/** Children are nobody else's, and nobody is their own ancestor. */
function checkTree({ sessions }: BundleManifest, path: string): void {
  const parents = new Map<string, string>();
  for (const { id, children } of sessions) {
    for (const child of children) {
      if (parents.has(child)) throw new BundleError(path, `session ${child} has two parents`);
      parents.set(child, id);
    }
  }
  const fine = new Set<string>();
  for (const { id } of sessions) {
    const way = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !fine.has(at); at = parents.get(at)) {
      if (way.has(at)) throw new BundleError(path, `session ${at} is its own ancestor`);
      way.add(at);
    }
    for (const each of way) fine.add(each);
  }
}
