/** Keeps a native file's bytes as they come: what was added where it only grew, and what is different where it did not. */
import { createHash, type Hash } from "node:crypto";
import type { OpenFile } from "@asp-convert/core";
import type { CapturedLog } from "../captured/log.js";
import type { CapturedWriter } from "../captured/writer.js";

/** What is remembered of a file's kept bytes while a capture runs. */
interface Known {
  /** Over all of them. */
  sum: Hash;
  size: number;
  /** The last of them. */
  tail: Uint8Array;
}

const TAIL = 1024;

export class FileKeeper {
  readonly #log: CapturedLog;
  readonly #known = new Map<number, Known>();

  constructor(log: CapturedLog) {
    this.#log = log;
  }

  /**
   * @param file its number in the log.
   * @param glance where the kept bytes' last ones are where they were, the rest is taken to be too. Else every byte
   * is looked at. @returns sha256 of all.
   */
  async keep(writer: CapturedWriter, file: number, open: OpenFile, glance: boolean): Promise<string> {
    const named = this.#log.model.files[file];
    if (!named) throw new Error(`the log has no file ${file}`);
    const kept = named.size;
    let known = this.#known.get(file);
    // Another process may have written meanwhile.
    if (known?.size !== kept) known = undefined;
    const grew = known && (glance ? endsSo(open, known) : beginsSo(open, known));
    if (!known || !grew) {
      const same = kept === 0 ? 0 : await commonLength(this.#log.content(named), open);
      if (same < kept) writer.cut(file, same);
      known = { sum: sumOf(open, same), size: same, tail: new Uint8Array() };
    }
    const { sum, size } = known;
    const source = {
      read: (at: number, length: number) => {
        const bytes = open.read(at, length);
        sum.update(bytes);
        return bytes;
      },
    };
    await writer.grow(file, source, size, open.size);
    const tail = open.read(Math.max(0, open.size - TAIL), TAIL);
    this.#known.set(file, { sum, size: open.size, tail });
    return sum.copy().digest("hex");
  }
}

function endsSo(open: OpenFile, { size, tail }: Known): boolean {
  if (open.size < size) return false;
  return Buffer.compare(open.read(size - tail.length, tail.length), tail) === 0;
}

function beginsSo(open: OpenFile, { size, sum }: Known): boolean {
  if (open.size < size) return false;
  return sumOf(open, size).digest("hex") === sum.copy().digest("hex");
}

const BLOCK = 1024 * 1024;

function sumOf(open: OpenFile, length: number): Hash {
  const sum = createHash("sha256");
  for (let at = 0; at < length; at += BLOCK) sum.update(open.read(at, Math.min(BLOCK, length - at)));
  return sum;
}

/** How many bytes at the beginning are the same. */
async function commonLength(kept: AsyncIterable<Uint8Array>, open: OpenFile): Promise<number> {
  let at = 0;
  for await (const part of kept) {
    const now = open.read(at, part.length);
    if (now.length === part.length && Buffer.compare(now, part) === 0) {
      at += part.length;
      continue;
    }
    let same = 0;
    while (same < now.length && now[same] === part[same]) same++;
    return at + same;
  }
  return at;
}
