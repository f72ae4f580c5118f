/** JSON that may be printed: what a terminal would obey is written as escapes. Parsed, it is the same. */

/** JSON escapes C0 itself. DEL, C1, format characters (bidi, tags) and line separators; joiners are in words and emoji. */
const HARMFUL = /[[\u007f-\u009f\p{Cf}\u2028\u2029]--[\u200c\u200d]]/gv;

/** @param indent spaces, where it is one document for people too */
export function json(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(HARMFUL, (character) =>
    Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
