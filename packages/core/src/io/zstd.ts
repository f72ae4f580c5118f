/**
 * Opens a zstd file as what it holds, with random access and bounded memory: small contents are kept, larger
 * ones go to a private temporary file that has no name any more as soon as it is open.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { openBytes } from "./memory.js";
import { type OpenFile, SourceError } from "./source.js";

const HELD = 32 * 1024 * 1024;
const CHUNK = 256 * 1024;

/**
 * @param file the compressed file; it is closed with what is returned.
 * @throws SourceError if it is no zstd. A frame that is cut off gives what could be read of it.
 */
export async function openZstd(file: OpenFile): Promise<OpenFile> {
  const held: Buffer[] = [];
  let size = 0;
  let spill: { fd: number; folder: string } | undefined;
  try {
    for await (const chunk of contentOf(file)) {
      if (spill) writeWhole(spill.fd, chunk);
      else held.push(chunk);
      size += chunk.length;
      if (!spill && size > HELD) {
        spill = await makeSpill();
        for (const part of held) writeWhole(spill.fd, part);
        held.length = 0;
      }
    }
  } catch (error) {
    if (spill) release(spill);
    file.close();
    throw error;
  }
  return spill ? spilled(file, spill, size) : { ...openBytes(file.path, Buffer.concat(held)), ...life(file) };
}

async function* contentOf(file: OpenFile): AsyncGenerator<Buffer> {
  const unpack = createZstdDecompress();
  const packed = Readable.from(chunksOf(file), { objectMode: false });
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

function* chunksOf(file: OpenFile): Generator<Uint8Array> {
  for (let at = 0; at < file.size; at += CHUNK) {
    const bytes = file.read(at, CHUNK);
    if (bytes.length === 0) return;
    yield bytes;
  }
}

async function makeSpill(): Promise<{ fd: number; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "asp-zstd-"));
  try {
    const path = join(folder, "content");
    const fd = openSync(path, "wx+", 0o600);
    // Where the system allows it, an open file needs no name: nothing is left behind by a crash.
    if (process.platform !== "win32") rmSync(folder, { recursive: true, force: true });
    return { fd, folder };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function release({ fd, folder }: { fd: number; folder: string }): void {
  closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
}

function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function life(file: OpenFile): Pick<OpenFile, "mtimeMs" | "check" | "close"> {
  return { mtimeMs: file.mtimeMs, check: () => file.check(), close: () => file.close() };
}

function spilled(file: OpenFile, spill: { fd: number; folder: string }, size: number): OpenFile {
  let closed = false;
  return {
    path: file.path,
    size,
    ...life(file),
    read(offset, length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - offset)));
      let got = 0;
      while (got < bytes.length) {
        const n = readSync(spill.fd, bytes, got, bytes.length - got, offset + got);
        if (n === 0) break;
        got += n;
      }
      return got === bytes.length ? bytes : bytes.subarray(0, got);
    },
    close() {
      if (closed) return;
      closed = true;
      release(spill);
      file.close();
    },
  };
}
