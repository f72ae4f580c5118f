/** A source in which one file is only as long as it once was. */
import type { OpenFile, Source } from "@asp-convert/core";

export function clipped(source: Source, path: string, size: number): Source {
  const short = (file: OpenFile): OpenFile => ({
    path: file.path,
    size: Math.min(size, file.size),
    mtimeMs: file.mtimeMs,
    read: (offset, length) => file.read(offset, Math.max(0, Math.min(length, size - offset))),
    check: () => "same",
    close: () => file.close(),
  });
  return {
    ...source,
    async stat(asked) {
      const info = await source.stat(asked);
      return info && asked === path ? { ...info, size: Math.min(size, info.size) } : info;
    },
    async open(asked) {
      const file = await source.open(asked);
      return asked === path ? short(file) : file;
    },
  };
}
