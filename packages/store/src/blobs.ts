/**
 * Content-addressed bytes. A file is kept in pieces of 4 MiB, each under the sha256 of what it holds, packed with
 * zstd: `blobs/<first two digits>/<sha256>`. So the beginning of a transcript that only grew is kept once.
 */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompressSync } from "node:zlib";
import { type OpenFile, putFile, type Source, touched } from "@asp-convert/core";

export const PIECE = 4 * 1024 * 1024;
/** Fast: evidence is written at every conversion and read at few. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

const pack = promisify(zstdCompress);

export interface Blob {
  /** Of the whole, hex; where there are several pieces, of their names one after the other. */
  sha256: string;
  /** Bytes. */
  size: number;
  /** sha256 of each piece; left out where there is one, which is the whole. */
  pieces?: readonly string[] | undefined;
}

/** A blob's bytes are not here, or not what their name says. */
export class BlobError extends Error {
  override name = "BlobError";
  readonly sha256: string;
  constructor(path: string, sha256: string, problem: string) {
    super(`${path}: ${problem}`);
    this.sha256 = sha256;
  }
}

export class Blobs {
  readonly #root: string;
  readonly #source: Source;

  constructor(root: string, source: Source) {
    this.#root = root;
    this.#source = source;
  }

  path(sha256: string): string {
    return `${this.#root}/${sha256.slice(0, 2)}/${sha256}`;
  }

  /** Keeps the bytes of a file from the one at `from`. Durable when it resolves. @throws WriteError */
  async put(file: Pick<OpenFile, "read" | "readInto" | "size">): Promise<Blob> {
    const pieces: string[] = [];
    const room = Array.from({ length: AT_ONCE + 1 }, () => new Piece(file));
    let size = 0;
    try {
      do {
        // While pieces are packed on other threads the next one is read and named.
        const piece = room[pieces.length % room.length] as Piece;
        await piece.kept;
        const bytes = piece.read(size);
        if (bytes.length === 0 && size > 0) break;
        const name = hash("sha256", bytes);
        pieces.push(name);
        size += bytes.length;
        const path = this.path(name);
        if (!touched(path)) piece.keep(path, bytes);
      } while (size < file.size);
    } finally {
      await Promise.allSettled(room.map(({ kept }) => kept));
    }
    for (const { kept } of room) await kept;
    const [only = ""] = pieces;
    return pieces.length > 1
      ? { sha256: hash("sha256", pieces.join("")), size, pieces }
      : { sha256: only, size };
  }

  /** Takes in a piece as it is packed. @throws BlobError if it is not what its name says */
  async take(name: string, packed: Uint8Array): Promise<void> {
    const path = this.path(name);
    unpack(path, name, packed);
    if (!touched(path)) await putFile(path, packed, "new");
  }

  /** A piece as it is packed. @throws BlobError */
  async packed(name: string): Promise<Uint8Array> {
    const path = this.path(name);
    const packed = await this.#source.readFile(path, PIECE * 2);
    if (!packed) throw new BlobError(path, name, "is not there");
    return packed;
  }

  /** Whether all of it is here. */
  async has(blob: Blob): Promise<boolean> {
    for (const name of piecesOf(blob)) if (!(await this.#source.stat(this.path(name)))) return false;
    return true;
  }

  /** The bytes, each piece checked. @throws BlobError */
  async *read(blob: Blob): AsyncGenerator<Uint8Array> {
    for (const name of piecesOf(blob)) yield unpack(this.path(name), name, await this.packed(name));
  }
}

/** Pieces packed at the same time. */
const AT_ONCE = 2;

/** Room for one piece of a file, used again when what it held is kept. */
class Piece {
  readonly #file: Pick<OpenFile, "read" | "readInto" | "size">;
  #room: Buffer | undefined;
  /** Done when the room is free again. @throws WriteError */
  kept: Promise<void> = Promise.resolve();

  constructor(file: Pick<OpenFile, "read" | "readInto" | "size">) {
    this.#file = file;
  }

  read(offset: number): Uint8Array {
    const { size } = this.#file;
    const wanted = Math.min(PIECE, size - offset);
    if (!this.#file.readInto) return this.#file.read(offset, wanted);
    this.#room ??= Buffer.allocUnsafeSlow(Math.min(PIECE, size));
    return this.#room.subarray(0, this.#file.readInto(offset, this.#room.subarray(0, wanted)));
  }

  keep(path: string, bytes: Uint8Array): void {
    this.kept = pack(bytes, PACKING).then((packed) => putFile(path, packed, "new"));
    this.kept.catch(() => {}); // told to whoever waits for it
  }
}

export function piecesOf({ sha256, pieces }: Blob): readonly string[] {
  return pieces ?? [sha256];
}

function unpack(path: string, name: string, packed: Uint8Array): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = zstdDecompressSync(packed, { maxOutputLength: PIECE });
  } catch {
    throw new BlobError(path, name, "cannot be unpacked: it is damaged");
  }
  if (hash("sha256", bytes) !== name)
    throw new BlobError(path, name, "is damaged: its bytes are not those of its name");
  return bytes;
}
