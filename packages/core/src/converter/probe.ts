/**
 * Scored probing. A `probe` says how sure it is, from 0 (no) to 100:
 *
 * - 90–100: a mark only this harness makes (its own record types in the head, its own set of folders)
 * - 50–89: the right shape, nothing against it
 * - 1–49: a name alone (an extension, a folder's name)
 *
 * The highest score wins. Equal ones are no guess but an error that names them.
 */
import { lenient } from "../io/lenient.js";
import { type Source, SourceError } from "../io/source.js";
import type { Candidate, Converter } from "./contract.js";

/** Bytes of a file that a probe sees. */
export const HEAD_BYTES = 64 * 1024;

/**
 * @param onUnreadable told of what a probe cannot look at; to the probe it is as if it were not there
 * @throws SourceError when nothing is there, or it may not be read, or it is neither file nor folder.
 */
export async function candidateOf(
  path: string,
  from: Source,
  onUnreadable: (error: SourceError) => void = () => {},
): Promise<Candidate> {
  const source = lenient(from, onUnreadable);
  const info = await from.stat(path);
  if (!info) throw new SourceError(path, "missing", "there is nothing at this path");
  if (info.kind === "directory") {
    const entries = (await from.readDir(path)).map(({ name }) => name);
    return { path, kind: "directory", head: new Uint8Array(0), entries, source };
  }
  const file = await from.open(path);
  try {
    return { path, kind: "file", head: file.read(0, HEAD_BYTES), entries: [], source };
  } finally {
    file.close();
  }
}

export interface Ranked {
  converter: Converter;
  score: number;
}

/** Every converter with a score above 0, best first; equal ones by id. A probe that throws counts as 0 and is told of. */
export async function rank(
  converters: readonly Converter[],
  candidate: Candidate,
): Promise<{ ranked: Ranked[]; failures: string[] }> {
  const ranked: Ranked[] = [];
  const failures: string[] = [];
  for (const converter of converters) {
    try {
      const score = await converter.probe(candidate);
      if (score > 0) ranked.push({ converter, score });
    } catch (error) {
      failures.push(
        `${converter.id} could not look: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  ranked.sort((a, b) => b.score - a.score || (a.converter.id < b.converter.id ? -1 : 1));
  return { ranked, failures };
}
