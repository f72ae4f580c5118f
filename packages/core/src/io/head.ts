import type { Source } from "./source.js";

/**
 * Up to `bytes` from the start of a file: enough for a probe, however large the file.
 * @throws SourceError if it is not there or may not be read.
 */
export async function readHead(source: Source, path: string, bytes: number): Promise<Uint8Array> {
  const file = await source.open(path);
  try {
    return file.read(0, bytes);
  } finally {
    file.close();
  }
}
