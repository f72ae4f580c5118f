/** A source in which some files are shown as folders: what lies in them has paths below their own, and is made when opened. */
import { pathOf } from "./paths.js";
import { type OpenFile, type Source, SourceError } from "./source.js";

/**
 * @param root of the store, absolute: files elsewhere are left as they are.
 * @param extension how the name of what is shown ends.
 * @param open undefined: nothing of that name is shown, and the path is what it is on the disk.
 */
export function filesInFile(
  source: Source,
  root: string,
  extension: string,
  open: (container: string, file: string) => Promise<OpenFile | undefined>,
): Source {
  const path = pathOf({ platform: root.startsWith("/") ? "linux" : "win32" });

  /** The file that a path would lie in, if there is one. */
  async function containerOf(file: string): Promise<string | undefined> {
    if (!file.endsWith(extension) || !file.startsWith(root)) return undefined;
    const container = path.dirname(file);
    return (await source.stat(container))?.kind === "file" ? container : undefined;
  }

  return {
    ...source,
    async stat(file) {
      if ((await containerOf(file)) === undefined) return source.stat(file);
      const opened = await this.open(file);
      opened.close();
      return { kind: "file", size: opened.size, mtimeMs: opened.mtimeMs, mode: 0o600, link: false };
    },
    async realPath(file) {
      return (await containerOf(file)) === undefined ? source.realPath(file) : file;
    },
    async readFile(file, maxBytes) {
      if ((await containerOf(file)) === undefined) return source.readFile(file, maxBytes);
      const opened = await this.open(file);
      try {
        if (maxBytes !== undefined && opened.size > maxBytes)
          throw new SourceError(
            file,
            "too-large",
            `${opened.size} bytes; at most ${maxBytes} are read at once`,
          );
        return opened.read(0, opened.size);
      } finally {
        opened.close();
      }
    },
    async open(file) {
      const container = await containerOf(file);
      return (container !== undefined && (await open(container, file))) || source.open(file);
    },
  };
}
