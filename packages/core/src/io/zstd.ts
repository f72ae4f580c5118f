/** Opens a zstd file as what it holds, with random access and bounded memory. */
import { Readable } from "node:stream";
import zlib from "node:zlib";
import { blocksOf } from "./blocks.js";
import { openMade } from "./made.js";
import { type OpenFile, SourceError } from "./source.js";

/**
 * @param file the compressed file; it is closed with what is returned.
 * @throws SourceError if it is no zstd. A frame that is cut off gives what could be read of it.
 */
export async function openZstd(file: OpenFile): Promise<OpenFile> {
  return openMade(file, contentOf(file));
}

async function* contentOf(file: OpenFile): AsyncGenerator<Buffer> {
  const unpack = zlib.createZstdDecompress();
  const packed = Readable.from(blocksOf(file), { objectMode: false });
  let any = false;
  try {
    for await (const chunk of packed.pipe(unpack)) {
      any = true;
      yield chunk as Buffer;
    }
  } catch (error) {
    // What a cut-off frame gave so far stands; bytes that are no zstd at all give nothing.
    if (any) return;
    const why = error instanceof Error ? error.message : String(error);
    throw new SourceError(file.path, "unreadable", `cannot be decompressed (${why})`);
  } finally {
    packed.destroy();
    unpack.destroy();
  }
}
