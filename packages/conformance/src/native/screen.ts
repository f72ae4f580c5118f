/** What a terminal would show of a program's output: just enough of a terminal to read text off it. */

/**
 * The lines on the screen after this output, without trailing spaces. Known are text, line ends, and the
 * moving and erasing control sequences; colours and all else change nothing.
 */
export function screenOf(output: string): string[] {
  const lines: string[][] = [[]];
  let row = 0;
  let column = 0;
  const line = (at: number): string[] => {
    while (lines.length <= at) lines.push([]);
    return lines[at] ?? [];
  };
  const control = (final: string, given: string) => {
    const [first, second] = given.split(";").map(Number);
    const count = Math.max(first || 1, 1);
    if (final === "A") row = Math.max(row - count, 0);
    else if (final === "B") row += count;
    else if (final === "C") column += count;
    else if (final === "D") column = Math.max(column - count, 0);
    else if (final === "G") column = count - 1;
    else if (final === "H") [row, column] = [count - 1, Math.max(second || 1, 1) - 1];
    else if (final === "K") line(row).splice(first === 2 ? 0 : column);
    else if (final === "J" && first === 2) lines.length = 0;
    else if (final === "J") [line(row).splice(column), lines.splice(row + 1)];
  };

  for (const [token, given, final] of output.matchAll(TOKENS)) {
    if (final !== undefined) control(final, given ?? "");
    else if (token === "\r") column = 0;
    else if (token === "\n") row++;
    else if (token.startsWith(ESC) || token < " ") continue;
    else {
      const cells = line(row);
      while (cells.length < column) cells.push(" ");
      cells[column++] = token;
    }
  }
  return lines.map((cells) => cells.join("").trimEnd());
}

const ESC = "\x1b";
const BEL = "\x07";
// A control sequence (its numbers, its letter), an operating system command, another escape, or one character.
const TOKENS = new RegExp(
  [
    `${ESC}\\[([0-9;?<>=]*)([A-Za-z])`,
    `${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`,
    `${ESC}[()][A-Z0-9]`,
    `${ESC}.`,
    "[\\s\\S]",
  ].join("|"),
  "gu",
);
