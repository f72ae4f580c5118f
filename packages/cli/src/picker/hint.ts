/** The foot of every screen: the keys, and how it is said without them. */
import { programName } from "../run.js";
import { literal } from "../search/pattern.js";
import type { Terminal } from "../terminal.js";
import { quote } from "../ui/shell.js";
import { oneLine } from "../ui/text.js";
import type { Line } from "./screen.js";

export function hintLines(keys: string, words: string, terminal: Terminal): Line[] {
  return [
    { text: ` ${keys}`, look: "dim" },
    { text: ` next time: ${programName(terminal)} ${oneLine(words)}`, look: "dim" },
  ];
}

/** What lists the same sessions. */
export function grepWords(query: string): string {
  const words = query.split(/\s+/).filter(Boolean);
  return words.length === 0
    ? "list"
    : `list --grep ${quote(words.map((word) => literal(word).source).join(".*"))}`;
}
