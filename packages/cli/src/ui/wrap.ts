/** Labelled lines with a hanging indent, as in a report. */
import { padEnd, width } from "./width.js";

const INDENT = "  ";

/** `label` and what belongs to it; items are joined by `separator` and broken between items only. */
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
  items.forEach((item, index) => {
    const part = index < items.length - 1 ? item + separator.trimEnd() : item;
    if (line !== "" && width(line) + 1 + width(part) > room) {
      lines.push(line);
      line = part;
    } else line = line === "" ? part : `${line} ${part}`;
  });
  if (line !== "") lines.push(line);
  return lines.map((text, index) => (index === 0 ? head : " ".repeat(width(head))) + text);
}
