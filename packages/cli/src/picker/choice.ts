/** A screen with a few answers below some text. */
import type { Terminal } from "../terminal.js";
import { hintLines } from "./hint.js";
import type { Key } from "./keys.js";
import type { Line, Size, View } from "./screen.js";

export interface Answer<T> {
  value: T;
  label: string;
  hint?: string;
}

export interface Choice<T> {
  head: string;
  /** Lines above the answers; where they do not fit, they are scrolled. */
  body?: readonly Line[];
  answers: readonly Answer<T>[];
  /** What says the same without a picker, for the answer that is pointed at. */
  words: (value: T | undefined) => string;
}

/** null: one step back. */
export function choiceView<T>(choice: Choice<T>, terminal: Terminal): View<{ value: T } | null> {
  const { answers, body = [] } = choice;
  let at = 0;
  let top = 0;
  const foot = ({ columns }: Size, keys = "") =>
    hintLines(
      `↑↓ choose · Enter go on · Esc back${keys}`,
      choice.words(answers[at]?.value),
      terminal,
      columns,
    );
  /** Lines between head and foot. */
  const inside = (size: Size) => Math.max(2, size.rows - 2 - foot(size).length);
  /** Those of the text among them: the answers come first, but for one line. */
  const shown = (size: Size) => Math.max(1, inside(size) - 1 - Math.min(answers.length, inside(size) - 2));
  return {
    key: (key: Key, size: Size) => {
      const most = Math.max(0, body.length - shown(size));
      if (key.name === "escape") return null;
      if (key.name === "enter") {
        const answer = answers[at];
        return answer && { value: answer.value };
      }
      if (key.name === "up") at = Math.max(0, at - 1);
      else if (key.name === "down") at = Math.min(answers.length - 1, at + 1);
      else if (key.name === "pageup") top = Math.max(0, top - shown(size));
      else if (key.name === "pagedown") top = Math.min(most, top + shown(size));
      return undefined;
    },
    lines: (size: Size) => {
      const room = shown(size);
      top = Math.min(top, Math.max(0, body.length - room));
      const text = body.slice(top, top + room);
      const list = Math.max(1, inside(size) - text.length);
      const first = Math.max(0, Math.min(at - list + 1, answers.length - list));
      const rows = answers.slice(first, first + list).map(({ label, hint }, index): Line => {
        const here = first + index === at;
        const line = `${here ? "›" : " "} ${label}${hint === undefined ? "" : `  (${hint})`}`;
        return here ? { text: line, look: "bold" } : { text: line };
      });
      const lines: Line[] = [{ text: choice.head, look: "bold" }, { text: "" }, ...text, ...rows];
      const bottom = foot(size, body.length > room ? " · PgUp PgDn scroll" : "");
      while (lines.length < size.rows - bottom.length) lines.push({ text: "" });
      return [...lines.slice(0, size.rows - bottom.length), ...bottom];
    },
  };
}

/** What is shown while something is waited for. null: one step back. */
export function waitingView(head: string, terminal: Terminal, words: string): View<null> {
  return {
    key: ({ name }) => (name === "escape" ? null : undefined),
    lines: ({ rows, columns }) => {
      const foot = hintLines("Esc back", words, terminal, columns);
      const empty = Array.from({ length: Math.max(0, rows - 1 - foot.length) }, () => ({ text: "" }));
      return [{ text: head, look: "bold" }, ...empty, ...foot];
    },
  };
}
