/** The whole terminal, painted without flicker: only lines that changed are written, and all is as before at the end. */
import { CommandError, exit } from "../errors.js";
import type { Terminal } from "../terminal.js";
import { truncate, width } from "../ui/width.js";
import { type Key, keyReader } from "./keys.js";

export interface Line {
  text: string;
  look?: "bold" | "dim" | "yellow";
}

export interface Size {
  rows: number;
  columns: number;
}

/** What is on the screen. `key` gives the answer, once there is one. */
export interface View<T> {
  lines: (size: Size) => Line[];
  key: (key: Key, size: Size) => T | undefined;
}

const [ENTER, LEAVE] = ["\u001b[?1049h\u001b[?25l\u001b[2J", "\u001b[?25h\u001b[?1049l"];
/** A terminal that knows it shows a frame as a whole; others pass it over. */
const [BEGIN, END] = ["\u001b[?2026h", "\u001b[?2026l"];
/** ms between two paintings that nobody pressed a key for. */
const EVERY = 50;

export class Screen {
  readonly #terminal: Terminal;
  readonly #in = process.stdin;
  readonly #out = process.stdout;
  #shown: string[] = [];
  #view: View<unknown> | undefined;
  #settle: { resolve: (value: unknown) => void; reject: (error: unknown) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #open = false;
  readonly #keys = keyReader((key) => this.#press(key));

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get size(): Size {
    return { rows: this.#out.rows || 24, columns: this.#out.columns || 80 };
  }

  open(): void {
    if (this.#open) return;
    this.#open = true;
    this.#shown = [];
    this.#in.setRawMode(true).setEncoding("utf8").on("data", this.#keys.take).resume();
    this.#out.on("resize", this.#resized);
    process.on("exit", this.close);
    this.#terminal.signal.addEventListener("abort", this.#stopped);
    this.#out.write(ENTER);
  }

  readonly close = (): void => {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#keys.end();
    this.#in.off("data", this.#keys.take).pause().setRawMode(false);
    this.#out.off("resize", this.#resized);
    process.off("exit", this.close);
    this.#terminal.signal.removeEventListener("abort", this.#stopped);
    this.#out.write(LEAVE);
  };

  /** Shows it until it has an answer. @throws CommandError on Ctrl-C */
  ask<T>(view: View<T>): Promise<T> {
    this.open();
    return new Promise<T>((resolve, reject) => {
      this.#view = view;
      this.#settle = { resolve: resolve as (value: unknown) => void, reject };
      this.#paint();
    });
  }

  /** One key for a question below what was printed; nothing is painted. */
  async key(question: string): Promise<Key> {
    // Raw first: whoever reads the question may answer at once.
    this.#in.setRawMode(true).setEncoding("utf8").resume();
    this.#out.write(question);
    try {
      return await new Promise<Key>((resolve) => this.#in.once("data", keyReader(resolve).take));
    } finally {
      this.#in.pause().setRawMode(false);
    }
  }

  /** What is shown has changed by itself. */
  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#paint();
    }, EVERY);
  }

  readonly #resized = () => {
    this.#shown = [];
    this.#out.write("\u001b[2J");
    this.#paint();
  };

  readonly #stopped = () => this.#settle?.reject(interrupted());

  #press(key: Key): void {
    if (key.name === "interrupt") {
      this.#settle?.reject(interrupted());
      return;
    }
    const answer = this.#view?.key(key, this.size);
    if (answer === undefined) {
      this.#paint();
      return;
    }
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve(answer);
  }

  #paint(): void {
    if (!this.#open || !this.#view) return;
    const { rows, columns } = this.size;
    const lines = this.#view.lines({ rows, columns }).slice(0, rows);
    let written = "";
    for (let row = 0; row < rows; row++) {
      const line = lines[row] ?? { text: "" };
      // The last column stays free: some terminals wrap there.
      const text = width(line.text) < columns ? line.text : truncate(line.text, columns - 1);
      const painted = line.look ? this.#terminal.out[line.look](text) : text;
      if (this.#shown[row] === painted) continue;
      this.#shown[row] = painted;
      written += `\u001b[${row + 1};1H${painted}\u001b[K`;
    }
    if (written !== "") this.#out.write(BEGIN + written + END);
  }
}

export function interrupted(): CommandError {
  return new CommandError("nothing was done", { exit: exit.interrupted, code: "interrupted" });
}
