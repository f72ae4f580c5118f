/** The first screen: every session of this machine, narrowed down by typing. */

import { basename } from "node:path";
import type { Terminal } from "../terminal.js";
import { ago, bytes, count, plural } from "../ui/format.js";
import { oneLine, printable } from "../ui/text.js";
import { padEnd, padStart, truncate } from "../ui/width.js";
import { fold } from "./fold.js";
import { type Found, type Item, keyOf } from "./found.js";
import { grepWords, hintLines } from "./hint.js";
import type { Key } from "./keys.js";
import type { Said } from "./messages.js";
import type { Line, Screen, Size, View } from "./screen.js";

/** ms without a key before texts are searched, and before a session is looked into. */
const CALM = 90;
/** Lines of the preview with its head. */
const PREVIEW = 7;
/** Rows of a terminal below which there is none. */
const LOW = 16;

/** What is left when one comes back to it. */
export interface Standing {
  query: string;
  /** Key of the session that is pointed at; absent: the first. */
  at?: string;
}

/** undefined: left with Esc. */
export async function askForSession(
  screen: Screen,
  found: Found,
  standing: Standing,
  terminal: Terminal,
): Promise<Item | undefined> {
  const view = new Sessions(screen, found, standing, terminal);
  found.onChange = () => view.changed();
  try {
    const item = await screen.ask(view);
    return item ? found.chosen(item) : undefined;
  } finally {
    found.onChange = () => {};
    view.end();
  }
}

class Sessions implements View<Item | null> {
  readonly #screen: Screen;
  readonly #found: Found;
  readonly #standing: Standing;
  readonly #terminal: Terminal;
  #items: Item[] = [];
  #at = 0;
  #top = 0;
  #texts: ReadonlyMap<string, string> = new Map();
  #stale = true;
  #calm: NodeJS.Timeout | undefined;
  #said: { of: string; said: Said[]; problem?: string } | undefined;

  constructor(screen: Screen, found: Found, standing: Standing, terminal: Terminal) {
    this.#screen = screen;
    this.#found = found;
    this.#standing = standing;
    this.#terminal = terminal;
    this.#whenCalm();
  }

  changed(): void {
    this.#stale = true;
    this.#calm ??= setTimeout(this.#isCalm, CALM);
    this.#screen.refresh();
  }

  end(): void {
    clearTimeout(this.#calm);
  }

  key(key: Key, size: Size): Item | null | undefined {
    const page = Math.max(1, this.#room(size) - 1);
    const query = this.#standing.query;
    if (key.name === "escape") {
      if (query === "") return null;
      this.#type("");
    } else if (key.name === "enter") return this.#items[this.#at];
    else if (key.name === "text") this.#type(query + key.text);
    else if (key.name === "backspace") this.#type(Array.from(query).slice(0, -1).join(""));
    else if (key.name === "clear") this.#type("");
    else if (key.name === "word") this.#type(query.replace(/\S*\s*$/u, ""));
    else if (key.name === "up") this.#go(this.#at - 1);
    else if (key.name === "down") this.#go(this.#at + 1);
    else if (key.name === "pageup") this.#go(this.#at - page);
    else if (key.name === "pagedown") this.#go(this.#at + page);
    else if (key.name === "home") this.#go(0);
    else if (key.name === "end") this.#go(this.#items.length - 1);
    return undefined;
  }

  lines(size: Size): Line[] {
    this.#refill();
    const room = this.#room(size);
    this.#top = Math.min(Math.max(this.#top, this.#at - room + 1, 0), this.#at);
    const shown = this.#items.slice(this.#top, this.#top + room);
    const rows = shown.map((item, index): Line => {
      const here = this.#top + index === this.#at;
      const text = `${here ? "›" : " "} ${this.#row(item, size.columns - 3)}`;
      return here ? { text, look: "bold" } : { text };
    });
    while (rows.length < room) rows.push({ text: "" });
    if (this.#items.length === 0) rows[0] = { text: `  ${this.#nothing()}`, look: "dim" };
    const { query } = this.#standing;
    return [
      { text: this.#head(), look: "bold" },
      {
        text: `  ${query === "" ? "" : oneLine(query)}▏${query === "" ? "type to search titles and texts" : ""}`,
      },
      ...rows,
      ...(size.rows < LOW ? [] : this.#preview(size)),
      ...hintLines(
        `↑↓ choose · type to filter · Enter go on · Esc ${query === "" ? "leave" : "clear"}`,
        grepWords(query),
        this.#terminal,
        size.columns,
        1,
      ),
    ];
  }

  #room({ rows }: Size): number {
    return Math.max(1, rows - 4 - (rows < LOW ? 0 : PREVIEW));
  }

  #head(): string {
    const { size, harnesses, reading, done, problems } = this.#found;
    const matches = this.#standing.query === "" ? "" : `${count(this.#items.length)} of `;
    const doing = reading
      ? ` · reading texts, ${count(reading.done)} of ${count(reading.total)}`
      : done
        ? ""
        : " · looking for more …";
    const closed = problems.length > 0 ? ` · ${plural(problems.length, "problem")}: asp-convert doctor` : "";
    return `Which session?  ${matches}${plural(size, "session")} of ${plural(harnesses, "program")}${doing}${closed}`;
  }

  #nothing(): string {
    if (this.#found.size > 0) return "no session has that in its title or text";
    return this.#found.done ? "no session of a known program was found on this machine" : "looking …";
  }

  #row({ ref, harness, snippet }: Item, columns: number): string {
    const cells = [
      padEnd(truncate(ref.cwd === undefined ? "" : oneLine(basename(ref.cwd)), 14), 14),
      padStart(ago(ref.updatedAt ?? ref.createdAt), 7),
      padStart(bytes(ref.size), 7),
      truncate(this.#found.nameOf(harness), 11),
    ].join("  ");
    const wide = columns - 14 - 7 - 7 - 11 - 8;
    const title = oneLine(ref.title ?? ref.id);
    const text =
      snippet === undefined
        ? title
        : `${truncate(title, Math.max(12, Math.floor(wide / 2)))} ${oneLine(snippet)}`;
    return `${padEnd(truncate(text, wide), wide)}  ${cells}`;
  }

  #preview({ columns }: Size): Line[] {
    const item = this.#items[this.#at];
    const lines: Line[] = [{ text: "─".repeat(columns - 1), look: "dim" }];
    if (item) {
      const known = this.#said?.of === keyOf(item.harness, item.root, item.ref) ? this.#said : undefined;
      lines.push({ text: ` ${oneLine(item.ref.cwd ?? item.root)}  ${oneLine(item.ref.id)}`, look: "dim" });
      if (item.snippet !== undefined)
        lines.push({ text: ` found: ${oneLine(item.snippet)}`, look: "yellow" });
      const most = PREVIEW - lines.length;
      const said = known?.said ?? [];
      if (known?.problem !== undefined)
        lines.push({ text: ` cannot be read: ${oneLine(known.problem)}`, look: "yellow" });
      for (const { role, text } of said) {
        const head = role === "user" ? "you: " : `${this.#found.nameOf(item.harness)}: `;
        const share = Math.max(1, said.length === 1 ? most : role === "user" ? 2 : most - 2);
        const flat = printable(text).replace(/\s+/g, " ").trim();
        lines.push(...fold(head + flat, columns - 3, share).map((line) => ({ text: ` ${line}` })));
      }
    }
    while (lines.length < PREVIEW) lines.push({ text: "" });
    return lines.slice(0, PREVIEW);
  }

  #type(query: string): void {
    this.#standing.query = query;
    this.#texts = new Map();
    this.#stale = true;
    delete this.#standing.at;
    this.#top = 0;
    this.#whenCalm();
  }

  #go(to: number): void {
    this.#at = Math.max(0, Math.min(to, this.#items.length - 1));
    this.#point();
    this.#whenCalm();
  }

  #point(): void {
    const item = this.#items[this.#at];
    if (item) this.#standing.at = keyOf(item.harness, item.root, item.ref);
  }

  #refill(): void {
    if (!this.#stale) return;
    this.#stale = false;
    this.#items = this.#found.matching(this.#standing.query, this.#texts);
    const { at } = this.#standing;
    const index =
      at === undefined
        ? 0
        : this.#items.findIndex(({ harness, root, ref }) => keyOf(harness, root, ref) === at);
    this.#at = Math.max(0, index);
  }

  #whenCalm(): void {
    clearTimeout(this.#calm);
    this.#calm = setTimeout(this.#isCalm, CALM);
  }

  readonly #isCalm = (): void => {
    this.#calm = undefined;
    const { query } = this.#standing;
    const texts = this.#found.inTexts(query);
    if (texts.size > 0 || this.#texts.size > 0) {
      this.#texts = texts;
      this.#stale = true;
    }
    this.#refill();
    this.#screen.refresh();
    const item = this.#items[this.#at];
    if (!item) return;
    const of = keyOf(item.harness, item.root, item.ref);
    if (this.#said?.of === of) return;
    void this.#found.preview(item).then((preview) => {
      if (!preview) return;
      const { said, problem } = preview;
      this.#said = { of, said, ...(problem !== undefined && { problem }) };
      this.#screen.refresh();
    });
  };
}
