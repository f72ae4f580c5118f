/** A file read piece by piece into one array, where the source can do that. A piece holds until the next is read. */
import type { OpenFile } from "@asp-convert/core";

export class Window {
  readonly file: OpenFile;
  #own: Buffer = Buffer.alloc(0);

  constructor(file: OpenFile) {
    this.file = file;
  }

  /** Up to `length` bytes from `offset`; fewer only at the end of the file. */
  read(offset: number, length: number): Buffer {
    const { file } = this;
    const wanted = Math.max(0, Math.min(length, file.size - offset));
    if (!file.readInto) return bufferOf(file.read(offset, wanted));
    if (wanted > this.#own.length) this.#own = Buffer.allocUnsafeSlow(wanted);
    return this.#own.subarray(0, file.readInto(offset, this.#own.subarray(0, wanted)));
  }
}

export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
