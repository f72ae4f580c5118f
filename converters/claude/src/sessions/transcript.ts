/** Records of an indexed transcript by number: read in file order by large pieces, out of order one by one. */
import type { OpenFile } from "@asp-convert/core";
import { flag, kinds } from "./kinds.js";
import { parseRecord, parseResult } from "./parse.js";
import type { Records } from "./records.js";
import type { Json } from "./value.js";
import { bufferOf, Window } from "./window.js";

const PIECE = 256 * 1024;

export class Transcript {
  readonly file: OpenFile;
  readonly records: Records;
  readonly #window: Window;
  #piece: Buffer = Buffer.alloc(0);
  #from = 0;

  constructor(file: OpenFile, records: Records) {
    this.file = file;
    this.#window = new Window(file);
    this.records = records;
  }

  /** The record's value, or undefined if its bytes are none (then the index knows it, or its inside is broken). */
  get(record: number): Json | undefined {
    const kind = this.records.kind[record] as number;
    if (kind >= kinds.unparsable) return undefined;
    const bytes = this.#bytesOf(record);
    try {
      return (this.records.flags[record] as number) & flag.result ? parseResult(bytes) : parseRecord(bytes);
    } catch {
      return undefined;
    }
  }

  /** A second reader of the same file, with a window of its own. */
  again(): Transcript {
    return new Transcript(this.file, this.records);
  }

  /** The same without moving the window: for a look ahead. */
  peek(record: number): Json | undefined {
    const offset = this.records.offset[record] as number;
    const length = this.records.length[record] as number;
    try {
      return parseRecord(bufferOf(this.file.read(offset, length)));
    } catch {
      return undefined;
    }
  }

  /** Valid until the next one is asked for. */
  #bytesOf(record: number): Buffer {
    const offset = this.records.offset[record] as number;
    const length = this.records.length[record] as number;
    const bytes = this.#at(offset, length);
    const from = bytes === this.#piece ? offset - this.#from : 0;
    return bytes.subarray(from, from + length);
  }

  #at(offset: number, length: number): Buffer {
    if (offset >= this.#from && offset + length <= this.#from + this.#piece.length) return this.#piece;
    if (offset < this.#from) return bufferOf(this.file.read(offset, length));
    this.#from = offset;
    this.#piece = this.#window.read(offset, Math.max(PIECE, length));
    return this.#piece;
  }
}
