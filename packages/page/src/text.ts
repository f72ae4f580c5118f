/** Text of somebody's on its way into a page: nothing in it acts, and what would not be seen is shown. */

/** UTF-16 units of one text that a page holds; what is cut is counted and said. */
const LONGEST = 100_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const COLOURS = /\u001b\[[0-9;]*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Control characters as pictures of themselves, and those that turn text around as their numbers. */
export function neutral(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(COLOURS, "").replace(CONTROLS, pictureOf);
}

function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** For element content and attribute values in double quotes. */
export function escapeHtml(text: string): string {
  return neutral(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** What was left out of the page, to be told in it. */
export interface Cuts {
  texts: number;
  characters: number;
  pictures: number;
}

/** Inert JSON for a `<script type="application/json">`: every text neutral, long ones cut. Pictures (`src`) are whole. */
export function inertJson(value: unknown, cuts: Cuts): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    if (typeof inner !== "string" || key === "src") return inner;
    const text = neutral(inner);
    if (text.length <= LONGEST) return text;
    cuts.texts++;
    cuts.characters += text.length - LONGEST;
    return `${text.slice(0, LONGEST)}\n[${text.length - LONGEST} more characters are not in this page]`;
  }).replaceAll("<", "\\u003c");
}
