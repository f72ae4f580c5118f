/** A source that stops a reader who is late: also one that works for minutes without letting anything else run. */
import type { OpenFile, Source } from "@asp-convert/core";

/** @param check throws when it is time to stop; asked before every look at a file */
export function hurried(source: Source, check: () => void): Source {
  return {
    ...source,
    async open(path) {
      check();
      const file = await source.open(path);
      const each: OpenFile = {
        path: file.path,
        size: file.size,
        mtimeMs: file.mtimeMs,
        read(offset, length) {
          check();
          return file.read(offset, length);
        },
        ...(file.readInto && {
          readInto: (offset: number, into: Uint8Array) => {
            check();
            return file.readInto?.(offset, into) ?? 0;
          },
        }),
        check: () => file.check(),
        close: () => file.close(),
      };
      return each;
    },
    async openDatabase(path) {
      check();
      return source.openDatabase(path);
    },
  };
}
