/** Values that stand in record after record. */
import { unescaped } from "./kinds.js";

/** Remembers the strings of a field by their bytes, so that a value repeated in each record is made once. */
export class Repeated {
  /** The newest few, newest first. */
  readonly #known: { bytes: Uint8Array; text: string }[] = [];

  /** @param plain the bytes are ASCII without escapes. */
  of(bytes: Buffer, from: number, to: number, plain: boolean): string {
    const length = to - from;
    next: for (const { bytes: own, text } of this.#known) {
      if (own.length !== length) continue;
      for (let i = length - 1; i >= 0; i--) if (own[i] !== bytes[from + i]) continue next;
      return text;
    }
    const text = plain
      ? bytes.toString("latin1", from, to)
      : (unescaped(bytes.toString("utf8", from, to)) ?? "");
    this.#known.unshift({ bytes: Uint8Array.from(bytes.subarray(from, to)), text });
    if (this.#known.length > REMEMBERED) this.#known.pop();
    return text;
  }
}

const REMEMBERED = 8;
