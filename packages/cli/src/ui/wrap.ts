/** Labelled lines with a hanging indent, as in a report. */
import { padEnd, width } from "./width.js";

const INDENT = "  ";
/** A space at which no line ends; it is shown as a plain one. */
export const NO_BREAK = "\u00a0";

/** `label` and what belongs to it, joined by `separator` and broken at spaces. */
export function labelled(
  label: string,
  items: readonly string[],
  size: number,
  limit: number,
  separator = "; ",
): string[] {
  const head = INDENT + padEnd(label, size) + INDENT;
  const room = Math.max(20, limit - width(head));
  const lines: string[] = [];
  let line = "";
  for (const word of items.join(separator).split(" ")) {
    if (line !== "" && width(line) + 1 + width(word) > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  if (line !== "") lines.push(line);
  return lines.map(
    (text, index) => (index === 0 ? head : " ".repeat(width(head))) + text.replaceAll(NO_BREAK, " "),
  );
}
