/** Bytes → lines, each as it came, and lines → bytes, never faster than the other side reads. */
import type { Readable, Writable } from "node:stream";

/** ACP's own SDK ends a connection at 32 MiB; what is between the two is passed on all the same. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
const LF = 0x0a;

export interface WireLine {
  /** With its `\n`; without one only where the stream ended in the middle of a line. */
  bytes: Buffer;
  /** The line is longer than is held: `bytes` is empty, and this is how long it was. */
  over?: number;
}

/** Pulls from the stream only what is asked for: who is slow slows down whoever writes. */
export async function* wireLines(input: Readable, max: number = MAX_LINE_BYTES): AsyncGenerator<WireLine> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    let start = 0;
    for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, start)) {
      const line = take(bytes.subarray(start, at + 1));
      start = at + 1;
      if (line) yield line;
    }
    hold(bytes.subarray(start));
  }
  const last = size > 0 ? take(Buffer.alloc(0)) : undefined;
  if (last) yield last;

  function hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    size += bytes.length;
    if (size > max) parts = [];
    else parts.push(bytes);
  }

  function take(end: Buffer): WireLine | undefined {
    hold(end);
    const line = size > max ? { bytes: Buffer.alloc(0), over: size } : { bytes: Buffer.concat(parts, size) };
    parts = [];
    size = 0;
    return isBlank(line.bytes) && !("over" in line) ? undefined : line;
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length <= 2 && bytes.toString("latin1").trim() === "";
}

/** Writes whole lines in the order they are given. */
export class LineWriter {
  readonly #output: Writable;
  #gone = false;
  /** All who wait for it wait for the same. */
  #drained: Promise<void> | undefined;

  /** @param onGone whoever read it has gone: what is still being made for it need not be. */
  constructor(output: Writable, onGone?: () => void) {
    this.#output = output;
    const gone = () => {
      if (this.#gone) return;
      this.#gone = true;
      onGone?.();
    };
    output.on("error", gone).on("close", gone);
  }

  /** Resolves once the other side can take more. Nothing is written to one that has gone. */
  write(bytes: Uint8Array | string): Promise<void> {
    const output = this.#output;
    if (this.#gone || output.destroyed || output.writableEnded) return Promise.resolve();
    if (output.write(bytes)) return Promise.resolve();
    this.#drained ??= new Promise((resolve) => {
      const done = () => {
        output.off("drain", done).off("close", done).off("error", done);
        this.#drained = undefined;
        resolve();
      };
      output.on("drain", done).on("close", done).on("error", done);
    });
    return this.#drained;
  }

  /** A message as one line. */
  send(message: object): Promise<void> {
    return this.write(`${JSON.stringify(message)}\n`);
  }
}
