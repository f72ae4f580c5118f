/** A stream that has to be read more than once: kept in a private temporary file for as long as it is needed. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeError } from "./write-error.js";

export interface Spooled {
  /** Absolute. */
  path: string;
  /** Bytes. */
  size: number;
  remove(): void;
}

/**
 * @param name of the file, for whoever looks at names.
 * @throws WriteError; nothing is left then.
 */
export async function spool(
  content: AsyncIterable<Uint8Array>,
  name: string,
  signal?: AbortSignal,
): Promise<Spooled> {
  const folder = mkdtempSync(join(tmpdir(), "asp-spool-"));
  const path = join(folder, name);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  let size = 0;
  try {
    const fd = openSync(path, "wx", 0o600);
    try {
      for await (const chunk of content) {
        signal?.throwIfAborted();
        for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
        size += chunk.length;
      }
    } finally {
      closeSync(fd);
    }
    return { path, size, remove };
  } catch (error) {
    remove();
    throw writeError(path, error);
  }
}
