/** uuid → number for hundreds of thousands of them: 128 bits each in a table, not a string each in a map. */

const HYPHEN = 0x2d;
const LENGTH = 36;

/** Value of a hexadecimal digit in lower case, 255 for any other byte. */
const DIGIT = new Uint8Array(256).fill(255);
for (let i = 0; i < 16; i++) DIGIT["0123456789abcdef".charCodeAt(i)] = i;

export class Uuids {
  #keys: Uint32Array<ArrayBuffer> = new Uint32Array(4 * 1024);
  /** Value + 1; 0: free. */
  #values: Int32Array<ArrayBuffer> = new Int32Array(1024);
  #size = 0;
  /** Any string may be a uuid: those that are none go here. */
  readonly #others = new Map<string, number>();
  readonly #key = new Uint32Array(4);

  get(uuid: string): number | undefined {
    return this.find(Buffer.from(uuid, "latin1"), 0, uuid.length) ?? this.#others.get(uuid);
  }

  /** The value of the uuid at `bytes[from, to)`. */
  find(bytes: Uint8Array, from: number, to: number): number | undefined {
    if (!this.#parse(bytes, from, to)) return this.#others.get(latin(bytes, from, to));
    const value = this.#values[this.#slot()] as number;
    return value === 0 ? undefined : value - 1;
  }

  /** Sets the value; gives back the one before. */
  set(bytes: Uint8Array, from: number, to: number, value: number): number | undefined {
    if (!this.#parse(bytes, from, to)) {
      const name = latin(bytes, from, to);
      const before = this.#others.get(name);
      this.#others.set(name, value);
      return before;
    }
    const slot = this.#slot();
    const before = this.#values[slot] as number;
    this.#values[slot] = value + 1;
    if (before !== 0) return before - 1;
    this.#keys.set(this.#key, 4 * slot);
    if (++this.#size * 4 > this.#values.length * 3) this.#grow();
    return undefined;
  }

  #slot(): number {
    const keys = this.#keys;
    const values = this.#values;
    const [a, b, c, d] = this.#key as unknown as [number, number, number, number];
    const mask = values.length - 1;
    for (let slot = (a ^ (c << 7) ^ d) & mask; ; slot = (slot + 1) & mask) {
      if (values[slot] === 0) return slot;
      const at = 4 * slot;
      if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d) return slot;
    }
  }

  #grow(): void {
    const keys = this.#keys;
    const values = this.#values;
    this.#keys = new Uint32Array(keys.length * 2);
    this.#values = new Int32Array(values.length * 2);
    for (let old = 0; old < values.length; old++) {
      if (values[old] === 0) continue;
      this.#key.set(keys.subarray(4 * old, 4 * old + 4));
      const slot = this.#slot();
      this.#values[slot] = values[old] as number;
      this.#keys.set(this.#key, 4 * slot);
    }
  }

  /** Into `#key`; false if it is not spelled as a uuid in lower case. */
  #parse(bytes: Uint8Array, from: number, to: number): boolean {
    if (to - from !== LENGTH || bytes[from + 8] !== HYPHEN || bytes[from + 13] !== HYPHEN) return false;
    if (bytes[from + 18] !== HYPHEN || bytes[from + 23] !== HYPHEN) return false;
    let bad = 0;
    const four = (at: number): number => {
      const a = DIGIT[bytes[at] as number] as number;
      const b = DIGIT[bytes[at + 1] as number] as number;
      const c = DIGIT[bytes[at + 2] as number] as number;
      const d = DIGIT[bytes[at + 3] as number] as number;
      bad |= a | b | c | d;
      return (a << 12) | (b << 8) | (c << 4) | d;
    };
    const key = this.#key;
    key[0] = (four(from) << 16) | four(from + 4);
    key[1] = (four(from + 9) << 16) | four(from + 14);
    key[2] = (four(from + 19) << 16) | four(from + 24);
    key[3] = (four(from + 28) << 16) | four(from + 32);
    return (bad & 0xf0) === 0;
  }
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1");
}
