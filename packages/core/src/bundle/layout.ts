/** Where things lie in a bundle folder, and how its manifest is laid out. */
import { type OpenFile, type Source, SourceError } from "../io/source.js";
import type { BundleManifest, BundleSession } from "./manifest.js";

export const MANIFEST = "manifest.json";
export const FORMAT = "asp-bundle-folder";

/** Something in a bundle is not as the format wants it. Nothing of it was taken. */
export class BundleError extends Error {
  override name = "BundleError";
  readonly path: string;
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options);
    this.path = path;
  }
}

/** Opens what a manifest names. @throws BundleError where it is not there. */
export async function openPart(path: string, source: Source): Promise<OpenFile> {
  try {
    return await source.open(path);
  } catch (error) {
    if (error instanceof SourceError && error.why === "missing")
      throw new BundleError(path, "is not there: the bundle is incomplete", { cause: error });
    throw error;
  }
}

/** Paths of a bundle. All with `/`, which every platform's file functions take. */
export function bundlePaths(root: string) {
  const base = root.replace(/[/\\]+$/, "");
  return {
    manifest: `${base}/${MANIFEST}`,
    events: (id: string) => `${base}/sessions/${id}/events.ndjson`,
    blob: (sha256: string) => `${base}/blobs/${sha256}`,
    /** On no disk: where a session's native files stand as they stood in their store. @see view.ts */
    native: (id: string) => `${base}/native/${id}`,
  };
}

/** The manifest as text: one session a line, so that adding one changes one line. */
export function manifestText(sessions: readonly string[]): string {
  const head = `{"format":"${FORMAT}","version":1,"schemaVersion":"1.0","sessions":[`;
  return sessions.length === 0 ? `${head}]}\n` : `${head}\n${sessions.join(",\n")}\n]}\n`;
}

/**
 * Adds a session to a manifest's text, or replaces the one of the same id.
 * @throws BundleError if the text is no manifest of ours.
 */
export function withSession(before: string | undefined, session: BundleSession, path: string): string {
  const lines = before === undefined ? [] : sessionLines(before, path);
  const start = `{"id":"${session.id}",`;
  const kept = lines.filter((line) => !line.startsWith(start));
  const at = kept.findIndex((line) => line > start);
  kept.splice(at === -1 ? kept.length : at, 0, JSON.stringify(session));
  return manifestText(kept);
}

function sessionLines(text: string, path: string): string[] {
  const lines = text.split("\n");
  const ours = manifestText([]);
  if (`${lines[0]}]}\n` === ours && lines.at(-2) === "]}") {
    return lines.slice(1, -2).map((line) => (line.endsWith(",") ? line.slice(0, -1) : line));
  }
  if (text === ours) return [];
  let manifest: Partial<BundleManifest> | null;
  try {
    manifest = JSON.parse(text) as Partial<BundleManifest> | null;
  } catch (cause) {
    throw new BundleError(path, "is no JSON", { cause });
  }
  if (manifest?.format !== FORMAT || manifest.version !== 1 || !Array.isArray(manifest.sessions)) {
    throw new BundleError(path, "is no manifest of a bundle of this version; write to another folder");
  }
  return manifest.sessions.map((session) => JSON.stringify(session)).sort();
}
