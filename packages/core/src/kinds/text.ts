/** Small text files: how bytes become text. */
import type { Source } from "../io/source.js";

/** Instructions, notes and front matter are written by hand; what is larger than this is no such thing. */
export const MAX_TEXT = 4 * 1024 * 1024;

export interface TextFile {
  text: string;
  /** Some bytes were no UTF-8 and are now U+FFFD. */
  invalid: boolean;
}

/** A text file, without a BOM. undefined where nothing is. @throws SourceError if it is over `MAX_TEXT`. */
export async function readText(source: Source, path: string): Promise<TextFile | undefined> {
  const bytes = await source.readFile(path, MAX_TEXT);
  return bytes && decode(bytes);
}

export function decode(bytes: Uint8Array): TextFile {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), invalid: false };
  } catch {
    return { text: new TextDecoder("utf-8").decode(bytes), invalid: true };
  }
}
