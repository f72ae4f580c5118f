/** Text in lines of a terminal's width, broken at spaces. */
import { truncate, width } from "../ui/width.js";

/** At most `most` lines; the last one ends with `…` where there is more. */
export function fold(text: string, columns: number, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  const words = text.split(" ");
  for (const [index, word] of words.entries()) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (width(longer) <= columns) {
      line = longer;
      continue;
    }
    if (lines.length + 1 >= most || line === "") {
      const rest = line === "" ? words.slice(index) : [line, ...words.slice(index)];
      return [...lines, truncate(rest.join(" "), columns)];
    }
    lines.push(line);
    line = word;
  }
  return line === "" ? lines : [...lines, truncate(line, columns)];
}
