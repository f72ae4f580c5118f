/** Text from transcripts is data: what a terminal would obey, or an eye would be fooled by, is taken out. */

const ESC = "\u001b";

/** CSI; OSC, DCS, SOS, PM and APC with their strings; other escapes. Each in its 7-bit and its 8-bit form (ECMA-48). */
const ESCAPES = new RegExp(
  [
    `(?:${ESC}\\[|\u009b)[0-?]*[ -/]*[@-~]?`,
    `(?:${ESC}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007${ESC}\u009c]*(?:\u0007|${ESC}\\\\|\u009c)?`,
    `${ESC}[ -/]*[0-~]?`,
  ].join("|"),
  "g",
);

/**
 * Every control and format character: C0, C1, bidi overrides, isolates and marks, BOM, tags. Kept are line
 * breaks, the joiners that emoji and scripts need, and the format characters that are visible.
 */
const HARMFUL =
  /[[\p{Cc}\p{Cf}]--[\n\u200c\u200d]--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]/gv;

const SPACES = /[\s\u0085]+/g;

/** One printable line: safe to send to a terminal, white space collapsed. */
export function oneLine(text: string): string {
  return text.replace(ESCAPES, "").replace(SPACES, " ").replace(HARMFUL, "").trim().toWellFormed();
}

/** As `oneLine`, but line breaks stay. */
export function printable(text: string): string {
  return text
    .replace(ESCAPES, "")
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/\t/g, "  ")
    .replace(/[\v\f]/g, " ")
    .replace(HARMFUL, "")
    .toWellFormed();
}
