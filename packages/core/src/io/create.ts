/** Writing new bytes: a stream into a temp file, hashed on the way; or a stream against a file that is there. */
import { createHash } from "node:crypto";
import { closeSync, constants, fchmodSync, fdatasync, fsync, futimesSync, openSync, write } from "node:fs";
import { promisify } from "node:util";
import type { Content } from "../pipeline/plan.js";
import type { Written } from "../pipeline/stage.js";
import { inPieces } from "./output.js";
import type { OpenFile } from "./source.js";
import { writeError } from "./write-error.js";

const sync = promisify(fsync);
const flush = promisify(fdatasync);
const writeSome = promisify(write);

/** Bytes after which the disk is set to work, while the next ones are made: then there is little to wait for at the end. */
const STRIDE = 16 * 1024 * 1024;

const COMPARE = 1024 * 1024;

export interface WriteOptions {
  /** Permission bits, lessened by the umask. */
  mode: number;
  mtimeMs?: (() => number | undefined) | undefined;
  signal?: AbortSignal | undefined;
  /** The path that errors name: what the file is to become. */
  as?: string | undefined;
  /** Called after each piece: a place where a test may stop the world. */
  onPiece?: (() => Promise<void> | void) | undefined;
}

/** Writes a file that must not be there, durably. A partial one is left on error: the caller knows its name. */
export async function writeNew(path: string, content: Content, options: WriteOptions): Promise<Written> {
  const { mode, mtimeMs, signal, as = path, onPiece } = options;
  const hash = createHash("sha256");
  let bytes = 0;
  let fd: number | undefined;
  let flushed = 0;
  let flushing = Promise.resolve();
  let writing = Promise.resolve();
  try {
    // Private until it is whole; O_NOFOLLOW for the one who put a link there in between.
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    fd = openSync(path, flags, 0o600);
    for await (const piece of pieces(content)) {
      signal?.throwIfAborted();
      await writing;
      writing = writeWhole(fd, piece);
      writing.catch(() => {}); // told where it is awaited
      hash.update(piece);
      bytes += piece.length;
      if (bytes - flushed >= STRIDE) {
        await flushing;
        flushing = flush(fd);
        flushing.catch(() => {}); // told where it is awaited
        flushed = bytes;
      }
      if (onPiece) await onPiece();
    }
    await writing;
    fchmodSync(fd, mode & ~process.umask());
    const time = mtimeMs?.();
    if (time !== undefined) futimesSync(fd, time / 1000, time / 1000);
    await flushing;
    await sync(fd);
  } catch (error) {
    throw writeError(as, error);
  } finally {
    await writing.catch(() => {});
    await flushing.catch(() => {});
    if (fd !== undefined) closeSync(fd);
  }
  return { sha256: hash.digest("hex"), bytes };
}

/** On another thread: the next piece is made meanwhile. */
async function writeWhole(fd: number, piece: Buffer): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await writeSome(fd, piece, at)).bytesWritten;
}

/** Whether content is what a file holds. Stops pulling at the first difference. */
export async function sameContent(content: Content, file: OpenFile, signal?: AbortSignal): Promise<boolean> {
  let at = 0;
  for await (const piece of pieces(content)) {
    signal?.throwIfAborted();
    for (let from = 0; from < piece.length; ) {
      const part = file.read(at, Math.min(COMPARE, piece.length - from));
      if (part.length === 0 || Buffer.compare(piece.subarray(from, from + part.length), part) !== 0)
        return false;
      from += part.length;
      at += part.length;
    }
  }
  return at === file.size;
}

/** Content as buffers of a size worth a system call. */
export async function* pieces(content: Content): AsyncGenerator<Buffer> {
  if (typeof content === "string") {
    if (content !== "") yield Buffer.from(content);
  } else if (content instanceof Uint8Array) {
    if (content.length > 0) yield asBuffer(content);
  } else yield* inPieces(content());
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
