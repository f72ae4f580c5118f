/** A file's bytes in blocks: the whole of a large file is never in memory. */
import type { OpenFile, Source } from "./source.js";

const BLOCK = 1024 * 1024;

/** @param from,to - offsets; a file that got shorter ends earlier. */
export function* blocksOf(
  file: Pick<OpenFile, "read" | "size">,
  from = 0,
  to: number = file.size,
): Generator<Uint8Array> {
  for (let at = from; at < to; ) {
    const bytes = file.read(at, Math.min(BLOCK, to - at));
    if (bytes.length === 0) return;
    at += bytes.length;
    yield bytes;
  }
}

/** Opened when the first block is pulled, closed after the last: the content of a plan. */
export async function* bytesOf(path: string, source: Pick<Source, "open">): AsyncGenerator<Uint8Array> {
  const file = await source.open(path);
  try {
    yield* blocksOf(file);
  } finally {
    file.close();
  }
}
