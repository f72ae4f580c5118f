/** Colour, where a terminal shows it. Each function gives its text back unchanged where none is wanted. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

const around = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;
const same = (text: string) => text;

const coloured: Style = {
  bold: around(1, 22),
  dim: around(2, 22),
  red: around(31, 39),
  yellow: around(33, 39),
  green: around(32, 39),
};
const plain: Style = { bold: same, dim: same, red: same, yellow: same, green: same };

export function style(on: boolean): Style {
  return on ? coloured : plain;
}

/** By the stream, `NO_COLOR` (no-color.org: any value but an empty one), `FORCE_COLOR` and `TERM=dumb`. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
  return isTerminal && env.TERM !== "dumb";
}
