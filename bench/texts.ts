/**
 * Texts as coding sessions hold them: prose, code, command output; newlines, quotes, tabs, a little that is not
 * ASCII. They are cut from a pool that is made once, so that a gigabyte is generated in seconds.
 */
import { type Random, randomFrom } from "../packages/conformance/src/fuzz/random.ts";

const WORDS =
  "the a of to and in is it that for on with as this be are not by from at or an which when if we can has more will one all but so what there use file line value error test code type name path list item key data read write call result check build run make change fix add remove update parse string number object array function return const import export class interface record event session message tool source target convert keep lose stream byte offset length index buffer chunk für größe naïve café 日本語 проверка".split(
    " ",
  );

const CODE = [
  "const value = items.find((item) => item.id === id) ?? null;",
  'throw new Error("unexpected \\"" + name + "\\" at " + line);',
  "  if (!found) return undefined;",
  "export function parse(text: string): Result {",
  "\tfor (let i = 0; i < bytes.length; i++) sum += bytes[i];",
  '    "dependencies": { "left": "^1.2.3", "right": "~4.5.6" },',
  "}",
  "",
  "// Lines end with a newline and nowhere else.",
  "src/io/lines.ts:42:17 - error TS2345: Argument of type 'string' is not assignable.",
  " ✓ reads a file that has a BOM (3 ms)",
  "drwxr-xr-x  2 dev dev   4096 Nov  3 09:30 fixtures",
  "+  return lines.map((line) => line.trimEnd());",
  "-  return lines;",
];

const PROSE_SIZE = 64 * 1024;
const CODE_SIZE = 256 * 1024;

export interface Texts {
  /** Sentences, about `length` characters. */
  prose(random: Random, length: number): string;
  /** Lines of code and output, about `length` characters. */
  output(random: Random, length: number): string;
  /** What looks like a signature or an encrypted payload. */
  base64(random: Random, length: number): string;
}

export function makeTexts(seed: number): Texts {
  const random = randomFrom(seed);
  let prose = "";
  while (prose.length < PROSE_SIZE) {
    const words = Array.from({ length: random.between(5, 18) }, () => random.pick(WORDS)).join(" ");
    prose += `${words.charAt(0).toUpperCase()}${words.slice(1)}${random.pick([".", ".", "?", ":"])}${random.chance(0.2) ? "\n\n" : " "}`;
  }
  let code = "";
  while (code.length < CODE_SIZE)
    code += `${random.chance(0.3) ? `${random.pick(WORDS)}_${random.below(1000)} = ` : ""}${random.pick(CODE)}\n`;
  let base64 = "";
  while (base64.length < PROSE_SIZE) base64 += Buffer.from(random.hex(600), "hex").toString("base64");

  const cut = (pool: string, from: Random, length: number) => {
    const start = from.below(Math.max(1, pool.length - length));
    return pool.slice(start, start + length).toWellFormed();
  };
  return {
    prose: (from, length) => cut(prose, from, length).trim() || "Yes.",
    output: (from, length) => cut(code, from, length),
    base64: (from, length) => cut(base64, from, length - (length % 4)),
  };
}
