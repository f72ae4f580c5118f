/**
 * What a compaction leaves of what the person said, besides its summary: all of it while that is little, else the
 * oldest and the newest with a note between. Counted as the program counts (2.1.0): a token for four ASCII
 * characters, and one for each other character.
 */
import type { Block } from "@asp-convert/core";

const ALL = 20_000;
const OLDEST = 2_000;
const MEDIA = 2_000;

export interface Kept<T> {
  /** `text`: only this much of it is left. */
  of: T;
  text?: string;
}

export interface Selection<T> {
  head: Kept<T>[];
  tail: Kept<T>[];
  /** Something is left out between the two. */
  isCut: boolean;
}

export function selectKept<T>(
  messages: readonly T[],
  blocksOf: (message: T) => readonly Block[],
): Selection<T> {
  const sizes = messages.map((message) => sizeOf(blocksOf(message)));
  if (sizes.reduce((sum, size) => sum + size, 0) <= ALL)
    return { head: [], tail: messages.map((of) => ({ of })), isCut: false };
  const tail: Kept<T>[] = [];
  let left = ALL - OLDEST;
  let first = messages.length;
  let cut: Kept<T> | undefined;
  while (first > 0 && left > 0) {
    const of = messages[--first] as T;
    const size = sizes[first] as number;
    if (size > left) {
      const text = wordsOf(blocksOf(of));
      const end = lastOf(text, left);
      tail.unshift({ of, text: end });
      if (end.length < text.length) cut = { of, text: text.slice(0, text.length - end.length) };
      break;
    }
    tail.unshift({ of });
    left -= size;
  }
  const candidates: Kept<T>[] = messages.slice(0, first).map((of) => ({ of }));
  if (cut) candidates.push(cut);
  const head: Kept<T>[] = [];
  left = OLDEST;
  for (const candidate of candidates) {
    if (left <= 0) break;
    const text = candidate.text ?? wordsOf(blocksOf(candidate.of));
    const size = candidate.text === undefined ? sizeOf(blocksOf(candidate.of)) : tokensIn(text) + ROLE;
    if (size <= left) head.push(candidate);
    else head.push({ of: candidate.of, text: firstOf(text, left) });
    left -= Math.min(size, left);
  }
  return { head, tail, isCut: true };
}

/** The word `user`. */
const ROLE = 1;

function sizeOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => {
    if (block.type === "text") return sum + tokensIn(block.text);
    return block.type === "image" || block.type === "reference" ? sum + MEDIA : sum;
  }, ROLE);
}

function wordsOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}

function tokensIn(text: string): number {
  let plain = 0;
  let other = 0;
  for (const sign of text)
    if ((sign.codePointAt(0) ?? 0) < 0x80) plain++;
    else other++;
  return Math.ceil(plain / 4) + other;
}

function firstOf(text: string, tokens: number): string {
  return taken([...text], tokens).join("");
}

function lastOf(text: string, tokens: number): string {
  return taken([...text].reverse(), tokens)
    .reverse()
    .join("");
}

function taken(signs: readonly string[], tokens: number): string[] {
  let plain = 0;
  let other = 0;
  let count = 0;
  for (const sign of signs) {
    if ((sign.codePointAt(0) ?? 0) < 0x80) plain++;
    else other++;
    if (Math.ceil(plain / 4) + other > tokens) break;
    count++;
  }
  return signs.slice(0, count);
}
