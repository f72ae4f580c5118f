/** The foot of every screen: the keys, and how it is said without them. */
import { programName } from "../run.js";
import { literal } from "../search/pattern.js";
import type { Terminal } from "../terminal.js";
import { quote } from "../ui/shell.js";
import { oneLine } from "../ui/text.js";
import { fold } from "./fold.js";
import type { Line } from "./screen.js";

/** `most`: lines that the command may take. */
export function hintLines(
  keys: string,
  words: string,
  terminal: Terminal,
  columns: number,
  most = 2,
): Line[] {
  const command = fold(`next time: ${programName(terminal)} ${oneLine(words)}`, columns - 2, most);
  return [keys, ...command].map((text) => ({ text: ` ${text}`, look: "dim" }));
}

/** What lists the same sessions. */
export function grepWords(query: string): string {
  const words = query.split(/\s+/).filter(Boolean);
  return words.length === 0
    ? "list"
    : `list --grep ${quote(words.map((word) => literal(word).source).join(".*"))}`;
}
