/**
 * How often an id was seen before: 12 bytes an id instead of the hundred a Map of strings takes, because a
 * session may hold millions of events.
 */
export class Occurrences {
  #keys = new Float64Array(1024);
  #counts = new Uint32Array(1024);
  #used = 0;

  /** @param id hex, well mixed (a sha256): its first 52 bits are the key. */
  next(id: string): number {
    if (this.#used * 2 > this.#keys.length) this.#grow();
    const key = Number.parseInt(id.slice(0, 13), 16) + 1; // 0 means free
    const at = find(this.#keys, key);
    if (this.#keys[at] === 0) {
      this.#keys[at] = key;
      this.#used++;
    }
    const before = this.#counts[at] as number;
    this.#counts[at] = before + 1;
    return before;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    const counts = new Uint32Array(keys.length);
    for (let i = 0; i < this.#keys.length; i++) {
      const key = this.#keys[i] as number;
      if (key === 0) continue;
      const at = find(keys, key);
      keys[at] = key;
      counts[at] = this.#counts[i] as number;
    }
    this.#keys = keys;
    this.#counts = counts;
  }
}

/** Where a key is, or would be. */
function find(keys: Float64Array, key: number): number {
  const mask = keys.length - 1;
  let at = key % keys.length;
  while (keys[at] !== 0 && keys[at] !== key) at = (at + 1) & mask;
  return at;
}
