/** What a crash leaves at the end of a document: the rest of it missing, or NULs after it. */
import type { OpenFile } from "./source.js";

interface Place {
  offset: number;
  length: number;
}

/**
 * The bytes at a document's end that are no part of what is read of it, and why; undefined: there are none.
 * @param cut as `documentParts` tells it.
 */
export function documentTail(
  file: OpenFile,
  cut: Place | undefined,
): (Place & { why: "torn-tail" | "unparsable" }) | undefined {
  if (cut) return { ...cut, why: "torn-tail" };
  const nuls = nulsAtEnd(file);
  return nuls > 0 ? { offset: file.size - nuls, length: nuls, why: "unparsable" } : undefined;
}

const BLOCK = 64 * 1024;

function nulsAtEnd(file: OpenFile): number {
  for (let end = file.size; end > 0; ) {
    const from = Math.max(0, end - BLOCK);
    const bytes = file.read(from, end - from);
    const last = bytes.findLastIndex((byte) => byte !== 0);
    if (last !== -1) return file.size - (from + last + 1);
    end = from;
  }
  return file.size;
}
