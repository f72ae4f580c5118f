/** A source that makes each of its files once, however often it is opened. */
import type { OpenFile, Source } from "@asp-convert/core";

export function onceOpened(source: Source): { source: Source; close(): void } {
  const made = new Map<string, Promise<OpenFile>>();
  const files: OpenFile[] = [];
  return {
    source: {
      ...source,
      async open(path) {
        let opened = made.get(path);
        if (!opened) {
          opened = source.open(path);
          made.set(path, opened);
          files.push(await opened);
        }
        const file = await opened;
        const { size, mtimeMs } = file;
        return {
          ...{ path, size, mtimeMs },
          read: (offset, length) => file.read(offset, length),
          ...(file.readInto && {
            readInto: (offset: number, into: Uint8Array) => file.readInto?.(offset, into) ?? 0,
          }),
          check: () => "same",
          close: () => {},
        };
      },
    },
    close() {
      for (const file of files) file.close();
    },
  };
}
