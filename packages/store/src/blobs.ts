/**
 * Content-addressed bytes. A file is kept in pieces of 4 MiB, each under the sha256 of what it holds, packed with
 * zstd: `blobs/<first two digits>/<sha256>`. So the beginning of a transcript that only grew is kept once.
 */
import { hash, subtle } from "node:crypto";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompressSync } from "node:zlib";
import {
  dropFiles,
  type OpenFile,
  placeFiles,
  putFile,
  type Source,
  type StagedFile,
  stageFile,
  touched,
} from "@asp-convert/core";

export const PIECE = 4 * 1024 * 1024;
/**
 * Fast: evidence is written at every conversion and read at few. A packed piece comes in one or two parts: each
 * has the thread that converts look after it.
 */
const PACKING = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  chunkSize: PIECE / 2,
};

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

  /** Keeps the bytes of a file. Durable when it resolves. @throws WriteError */
  async put(file: Bytes): Promise<Blob> {
    const intake = new Intake(this);
    try {
      const blob = await intake.add(file);
      intake.place();
      return blob;
    } finally {
      intake.drop();
    }
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

/** What is read of a file. */
type Bytes = Pick<OpenFile, "read" | "readBeside" | "size">;

/**
 * Files on their way in: packed and on the disk, but under their names only when they are all to stay. Summing up,
 * packing and syncing are done on other threads.
 */
export class Intake {
  readonly #blobs: Blobs;
  #staged: StagedFile[] = [];
  #room: Buffer | undefined;
  #isDropped = false;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /** @throws WriteError, AbortError after `drop` */
  async add(file: Bytes): Promise<Blob> {
    const pieces: string[] = [];
    let size = 0;
    this.#goOn();
    do {
      const bytes = await this.#read(file, size);
      this.#goOn();
      if (bytes.length === 0 && size > 0) break;
      const name = await sha256(bytes);
      this.#goOn();
      pieces.push(name);
      size += bytes.length;
      const path = this.#blobs.path(name);
      if (!touched(path)) {
        // Waited for first: what is dropped meanwhile has another list in its place.
        const staged = await stageFile(path, await pack(bytes, PACKING));
        this.#staged.push(staged);
        this.#goOn();
      }
    } while (size < file.size);
    const [only = ""] = pieces;
    return pieces.length > 1
      ? { sha256: hash("sha256", pieces.join("")), size, pieces }
      : { sha256: only, size };
  }

  /** All that was added is kept; durable when it returns. @throws WriteError */
  place(): void {
    const staged = this.#staged;
    this.#staged = [];
    placeFiles(staged, "new");
  }

  /** Nothing stays of what was added and is not in place. */
  drop(): void {
    this.#isDropped = true;
    dropFiles(this.#staged);
    this.#staged = [];
  }

  /** Dropped meanwhile: then what is staged since goes too. */
  #goOn(): void {
    if (!this.#isDropped) return;
    this.drop();
    throw new DOMException("given up", "AbortError");
  }

  /** A piece; it holds until the next is read. */
  async #read(file: Bytes, offset: number): Promise<Uint8Array> {
    const wanted = Math.min(PIECE, file.size - offset);
    if (!file.readBeside) return file.read(offset, wanted);
    if (this.#room === undefined || this.#room.length < wanted) this.#room = Buffer.allocUnsafeSlow(wanted);
    return this.#room.subarray(0, await file.readBeside(offset, this.#room.subarray(0, wanted)));
  }
}

async function sha256(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await subtle.digest("SHA-256", bytes)).toString("hex");
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
