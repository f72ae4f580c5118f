/** How many columns a text takes on a terminal. */

/** Made at first use: most tables are plain. */
let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** One column for each code unit: Latin, Greek and Cyrillic without marks of their own, and common punctuation. */
const PLAIN = /^[\u0020-\u007e\u00a0-\u00ac\u00af-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027]*$/;
const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f/u;
const ZERO = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
/** East Asian wide and fullwidth blocks (Unicode 16, UAX 11), joined where only unassigned code points lie between. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x20000, 0x3fffd],
];

export function width(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes(text)) columns += graphemeWidth(segment);
  return columns;
}

/** The text cut to at most `columns`, the last of them `…` where something was cut. */
export function truncate(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  if (columns < 1) return "";
  if (PLAIN.test(text)) return `${text.slice(0, columns - 1).trimEnd()}…`;
  let kept = "";
  let used = 1;
  for (const { segment } of graphemes(text)) {
    used += graphemeWidth(segment);
    if (used > columns) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - width(text))) + text;
}

function graphemeWidth(grapheme: string): number {
  if (ZERO.test(grapheme)) return 0;
  if (EMOJI.test(grapheme)) return 2;
  const point = grapheme.codePointAt(0) ?? 0;
  return WIDE.some(([from, to]) => point >= from && point <= to) ? 2 : 1;
}
