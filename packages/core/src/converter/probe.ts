/**
 * Scored probing. A `probe` says how sure it is, from 0 (no) to 100:
 *
 * - 90–100: a mark only this harness makes (its own record types in the head, its own set of folders)
 * - 50–89: the right shape, nothing against it
 * - 1–49: a name alone (an extension, a folder's name)
 *
 * The highest score wins. Equal ones are no guess but an error that names them.
 */
import { type Source, SourceError } from "../io/source.js";
import type { Candidate, Converter } from "./contract.js";

/** Bytes of a file that a probe sees. */
export const HEAD_BYTES = 64 * 1024;

/** @throws SourceError when nothing is there, or it may not be read, or it is neither file nor folder. */
export async function candidateOf(path: string, source: Source): Promise<Candidate> {
  const info = await source.stat(path);
  if (!info) throw new SourceError(path, "missing", "there is nothing at this path");
  if (info.kind === "directory") {
    const entries = (await source.readDir(path)).map(({ name }) => name);
    return { path, kind: "directory", head: new Uint8Array(0), entries, source };
  }
  const file = await source.open(path);
  try {
    return { path, kind: "file", head: file.read(0, HEAD_BYTES), entries: [], source };
  } finally {
    file.close();
  }
}

/** Every converter with a score above 0, best first; equal ones by id. A probe that throws counts as 0 and is told of. */
export async function rank(
  converters: readonly Converter[],
  candidate: Candidate,
): Promise<{ ranked: { converter: Converter; score: number }[]; failures: string[] }> {
  const ranked: { converter: Converter; score: number }[] = [];
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
