/**
 * Bytes that are made, opened as a file: with random access and bounded memory. Small contents are kept, larger
 * ones go to a private temporary file that has no name any more as soon as it is open.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBytes } from "./memory.js";
import type { OpenFile } from "./source.js";

const HELD = 32 * 1024 * 1024;

/**
 * @param of what the bytes are made from: its path, time and state are those of what is returned, and it is
 * closed with it, or at once if making them fails.
 */
export async function openMade(
  of: Omit<OpenFile, "read" | "size">,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<OpenFile> {
  const held: Uint8Array[] = [];
  let size = 0;
  let spill: { fd: number; folder: string } | undefined;
  try {
    for await (const chunk of content) {
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
    of.close();
    throw error;
  }
  return spill ? spilled(of, spill, size) : { ...openBytes(of.path, Buffer.concat(held)), ...life(of) };
}

async function makeSpill(): Promise<{ fd: number; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "asp-made-"));
  try {
    const fd = openSync(join(folder, "content"), "wx+", 0o600);
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

function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function life(of: Omit<OpenFile, "read" | "size">): Pick<OpenFile, "mtimeMs" | "check" | "close"> {
  return { mtimeMs: of.mtimeMs, check: () => of.check(), close: () => of.close() };
}

function spilled(
  of: Omit<OpenFile, "read" | "size">,
  spill: { fd: number; folder: string },
  size: number,
): OpenFile {
  let closed = false;
  return {
    path: of.path,
    size,
    ...life(of),
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
      of.close();
    },
  };
}
