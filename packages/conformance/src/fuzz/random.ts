/** Numbers that look random and are the same on every run: xorshift over 32 bits, from a seed. */
export interface Random {
  /** A whole number from 0, below `end`. */
  below(end: number): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Hexadecimal digits. */
  hex(length: number): string;
}

export function randomFrom(seed: number): Random {
  let state = (seed >>> 0) ^ 0x9e3779b9 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let i = 0; i < 8; i++) next(); // small seeds begin alike
  const below = (end: number) => Math.floor((next() / 0x1_0000_0000) * end);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => next() / 0x1_0000_0000 < share,
    pick: (items) => {
      if (items.length === 0) throw new RangeError("nothing to pick from");
      return items[below(items.length)] as (typeof items)[number];
    },
    hex: (length) => {
      let text = "";
      while (text.length < length) text += next().toString(16).padStart(8, "0");
      return text.slice(0, length);
    },
  };
}
