/** Stretches of a session's files, and how their lines are read. */
import { type Line, lineBatches, type OpenFile } from "@asp-convert/core";

/** Bytes `from` (included) to `to` (excluded) of a session's file; both are starts of lines. */
export interface Stretch {
  file: number;
  from: number;
  to: number;
}

/** Where one line lies. */
export interface Place {
  file: number;
  offset: number;
  length: number;
}

/** Read at a time: what is made of it is alive at once, and larger pieces are not faster. */
const CHUNK = 128 * 1024;

/** The lines of a stretch, in batches, each good until the next; offsets are those of the whole file. */
export function* linesOf(
  files: readonly OpenFile[],
  stretch: Stretch,
  options: { signal?: AbortSignal | undefined; chunk?: number } = {},
): Generator<Line[]> {
  const file = files[stretch.file] as OpenFile;
  const { from, to } = stretch;
  const window: OpenFile = {
    path: file.path,
    size: Math.min(to, file.size) - from,
    mtimeMs: file.mtimeMs,
    read: (offset, length) => file.read(from + offset, Math.max(0, Math.min(length, to - from - offset))),
    ...(file.readInto && {
      readInto: (offset: number, into: Uint8Array) =>
        file.readInto?.(from + offset, into.subarray(0, Math.max(0, to - from - offset))) ?? 0,
    }),
    check: () => file.check(),
    close() {},
  };
  for (const batch of lineBatches(window, { chunk: CHUNK, ...options })) {
    if (from > 0) for (const line of batch) line.offset += from;
    yield batch;
  }
}

/** The bytes of one line. */
export function bytesAt(files: readonly OpenFile[], place: Place): Buffer {
  const bytes = (files[place.file] as OpenFile).read(place.offset, place.length);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Stretches without the parts that `gaps` take out of them. Both in order. */
export function without(stretches: readonly Stretch[], gaps: readonly Stretch[]): Stretch[] {
  const left: Stretch[] = [];
  for (const stretch of stretches) {
    let { from } = stretch;
    for (const gap of gaps) {
      if (gap.file !== stretch.file || gap.to <= from || gap.from >= stretch.to) continue;
      if (gap.from > from) left.push({ ...stretch, from, to: gap.from });
      from = Math.max(from, gap.to);
    }
    if (from < stretch.to) left.push({ ...stretch, from });
  }
  return left;
}
