/** Files too large to hold: their bytes are made when they are read. */
import type { OpenFile, Source } from "@asp-convert/core";

/** A stretch of a file: bytes as they are, or one block of bytes over and over. */
export type Stretch = Uint8Array | { block: Uint8Array; times: number };

const lengthOf = (stretch: Stretch) =>
  stretch instanceof Uint8Array ? stretch.length : stretch.block.length * stretch.times;

/** `source` with the file at `path` replaced by a virtual one. */
export function withVirtual(source: Source, path: string, stretches: readonly Stretch[]): Source {
  const size = stretches.reduce((sum, stretch) => sum + lengthOf(stretch), 0);
  return {
    ...source,
    async stat(asked) {
      const info = await source.stat(asked);
      return info && asked === path ? { ...info, size } : info;
    },
    open: (asked) =>
      asked === path ? Promise.resolve(openVirtual(path, size, stretches)) : source.open(asked),
  };
}

function openVirtual(path: string, size: number, stretches: readonly Stretch[]): OpenFile {
  return {
    path,
    size,
    mtimeMs: 0,
    read(offset, length) {
      const end = Math.min(size, offset + Math.max(0, length));
      const bytes = Buffer.alloc(Math.max(0, end - offset));
      let start = 0;
      for (const stretch of stretches) {
        const stop = start + lengthOf(stretch);
        for (let at = Math.max(offset, start); at < Math.min(end, stop); ) {
          const block = stretch instanceof Uint8Array ? stretch : stretch.block;
          const inside = (at - start) % block.length;
          const count = Math.min(block.length - inside, end - at, stop - at);
          bytes.set(block.subarray(inside, inside + count), at - offset);
          at += count;
        }
        start = stop;
      }
      return bytes;
    },
    check: () => "same",
    close() {},
  };
}
