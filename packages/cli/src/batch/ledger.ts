/**
 * `<out>/report.ndjson`: what a batch has done, a line each session, appended when it is committed. A run that ends
 * by itself leaves it sorted, so that two runs over the same sessions leave the same bytes, whatever came between.
 */
import type { Appendable, BatchLine, Source } from "@asp-convert/core";
import { lineBatches, openAppendable, putFile } from "@asp-convert/core";
import { CommandError } from "../errors.js";

export const REPORT = "report.ndjson";

export class Ledger {
  readonly path: string;
  readonly #lines: Map<string, BatchLine>;
  #file: Appendable | undefined;

  private constructor(path: string, lines: Map<string, BatchLine>) {
    this.path = path;
    this.#lines = lines;
  }

  /** Reads what is there. A last line that a crash cut off told of a session whose work is done again. */
  static async open(path: string, source: Source): Promise<Ledger> {
    const lines = new Map<string, BatchLine>();
    const { kept, size } = (await source.stat(path))
      ? await readLines(path, source, (line) => lines.set(placeOf(line.from), line))
      : { kept: 0, size: 0 };
    const ledger = new Ledger(path, lines);
    if (kept < size) ledger.#open().cut(kept);
    return ledger;
  }

  get lines(): Iterable<BatchLine> {
    return this.#lines.values();
  }

  get size(): number {
    return this.#lines.size;
  }

  lineOf(from: { harness: string; id: string; path: string }): BatchLine | undefined {
    return this.#lines.get(placeOf(from));
  }

  /** Durable when it resolves. */
  async add(lines: readonly BatchLine[]): Promise<void> {
    if (lines.length === 0) return;
    const file = this.#open();
    file.append([Buffer.from(lines.map(textOf).join(""))]);
    for (const line of lines) this.#lines.set(placeOf(line.from), line);
    await file.sync();
  }

  /** Sorted, one line a session. Untouched where it is so already. */
  async finish(source: Source): Promise<void> {
    this.#file?.close();
    this.#file = undefined;
    const sorted = Buffer.from(sortedLines(this.#lines.values()).map(textOf).join(""));
    const there = await source.readFile(this.path, Number.MAX_SAFE_INTEGER);
    if (there && sorted.equals(there)) return;
    await putFile(this.path, sorted, "replace");
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #open(): Appendable {
    this.#file ??= openAppendable(this.path);
    return this.#file;
  }
}

/** Where a session is: its id alone may be in several stores. */
function placeOf({ harness, id, path }: { harness: string; id: string; path: string }): string {
  return `${harness}\n${id}\n${path}`;
}

export function sortedLines(lines: Iterable<BatchLine>): BatchLine[] {
  const keyed = [...lines].map((line) => [placeOf(line.from), line] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, line]) => line);
}

export function textOf(line: BatchLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** @throws CommandError where a line that is whole is none of ours */
export async function readLines(
  path: string,
  source: Source,
  take: (line: BatchLine) => void,
): Promise<{ kept: number; size: number }> {
  const file = await source.open(path);
  let kept = 0;
  try {
    for (const batch of lineBatches(file))
      for (const { bytes, ended, number, offset, length } of batch) {
        if (!ended) continue;
        take(parse(bytes, `${path}:${number}`));
        kept = offset + length + 1;
      }
    return { kept, size: file.size };
  } finally {
    file.close();
  }
}

function parse(bytes: Buffer | undefined, place: string): BatchLine {
  try {
    const line = JSON.parse(bytes?.toString("utf8") ?? "") as Partial<BatchLine> | null;
    if (line?.asp === 1 && typeof line.key === "string" && typeof line.from?.id === "string")
      return line as BatchLine;
  } catch {
    // said below
  }
  throw new CommandError(`${place}: is no line of a batch's report`, {
    code: "not-a-report",
    next: "Move the file away (the sessions are then done again), or use another --out.",
  });
}
