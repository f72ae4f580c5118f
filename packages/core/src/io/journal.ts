/**
 * The receipt on disk: a journal, one JSON value a line, each written before what it tells of is done. While a
 * run goes on its folder lies in `running/`; done, it moves to `receipts/`. So a crash leaves word of itself.
 *
 *     running/<id>/journal.ndjson     receipts/<id>/journal.ndjson
 *     running/<id>/before-0           what an edited file held; what was appended: `text-0`
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Receipt, ReceiptEntry, ReceiptState } from "../pipeline/receipt.js";
import { syncFolder } from "./place.js";
import { type ProcessMark, thisProcess } from "./process.js";
import { errorCode, writeError } from "./write-error.js";

export interface Opened extends ProcessMark {
  t: "open";
  version: 1;
  id: string;
  createdAt: string;
  roots: readonly string[];
  what: string;
}

/** What is about to be done to a file, and all that taking it back needs. `sha256` and `bytes`: of what is put there. */
export type Step =
  | (ReceiptEntry & { t: "step"; do: "create"; temp: string; inode: string })
  | (ReceiptEntry & { t: "step"; do: "link"; to: string })
  /** `before`: absent where the file is new. `saved`: the name of its copy in the receipt's folder. */
  | (ReceiptEntry & {
      t: "step";
      do: "edit";
      temp: string;
      before?: { sha256: string; saved: string; mode: number };
    })
  /** `at`: the size before. `saved`: the name of the text in the receipt's folder. */
  | (ReceiptEntry & { t: "step"; do: "append"; at: number; isNew: boolean; saved: string; mode: number })
  /** `temp`: where the rows were gathered. `saved`: the name of their keys' list in the receipt's folder. */
  | (ReceiptEntry & { t: "step"; do: "rows"; temp: string; saved: string });

export type JournalLine =
  | Opened
  | { t: "state"; state: ReceiptState }
  /** What it came to in the end, in place of what it was begun for. */
  | { t: "what"; what: string }
  /** Another process goes on with it: to undo it. */
  | ({ t: "by" } & ProcessMark)
  /** A folder about to be made. */
  | { t: "folder"; path: string }
  /** A temp file about to be made. */
  | { t: "temp"; path: string }
  | { t: "same"; path: string }
  /** A name about to be taken by an empty file. @see placeNew */
  | { t: "reserve"; path: string }
  | Step;

export interface Journal {
  folder: string;
  /** Absent if the crash came before the first line was whole. */
  opened?: Opened;
  state: ReceiptState;
  folders: string[];
  temps: string[];
  unchanged: string[];
  reserved: string[];
  steps: Step[];
}

const FILE = "journal.ndjson";

export const runningFolder = (state: string): string => join(state, "running");
export const receiptsFolder = (state: string): string => join(state, "receipts");

/** Appends to one journal. */
export class JournalWriter {
  folder: string;
  readonly id: string;
  readonly #fd: number;

  constructor(folder: string, id: string) {
    this.folder = folder;
    this.id = id;
    this.#fd = openSync(join(folder, FILE), "a", 0o600);
  }

  /** Durable when it returns. */
  write(...lines: readonly JournalLine[]): void {
    this.#append(lines, true);
  }

  /**
   * Survives this process, not the machine: for temp files and folders, of which a power cut then leaves an
   * unnamed one at worst. A sync for each would cost more than all else.
   */
  note(...lines: readonly JournalLine[]): void {
    this.#append(lines, false);
  }

  #append(lines: readonly JournalLine[], durable: boolean): void {
    if (lines.length === 0) return;
    const path = join(this.folder, FILE);
    try {
      const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
      if (durable) fsyncSync(this.#fd);
    } catch (error) {
      throw writeError(path, error);
    }
  }

  /** Keeps bytes beside the journal. */
  save(name: string, bytes: Uint8Array): void {
    const path = join(this.folder, name);
    try {
      writeFileSync(path, bytes, { flag: "wx", mode: 0o600, flush: true });
      syncFolder(this.folder);
    } catch (error) {
      throw writeError(path, error);
    }
  }

  /** This process goes on with a journal that another one began. */
  takeOver(): void {
    this.write({ t: "by", ...thisProcess() });
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** A new journal, with its first line. @throws WriteError if the state folder cannot be written. */
export function openJournal(state: string, first: Pick<Opened, "roots" | "what">, now: Date): JournalWriter {
  const running = runningFolder(state);
  try {
    mkdirSync(running, { recursive: true, mode: 0o700 });
    for (;;) {
      const second = now.toISOString().slice(0, 19).replaceAll(":", "-");
      const id = `${second}Z-${randomBytes(2).toString("hex")}`;
      if (readdirOf(receiptsFolder(state)).includes(id)) continue;
      const folder = join(running, id);
      try {
        mkdirSync(folder, { mode: 0o700 });
      } catch (error) {
        if (errorCode(error) === "EEXIST") continue;
        throw error;
      }
      const journal = new JournalWriter(folder, id);
      journal.write(
        { t: "open", version: 1, id, createdAt: now.toISOString(), ...first, ...thisProcess() },
        { t: "state", state: "staging" },
      );
      syncFolder(folder);
      syncFolder(running);
      return journal;
    }
  } catch (error) {
    throw writeError(running, error);
  }
}

/** Moves a receipt's folder between `running` and `receipts`, durably. Returns its new place. */
export function moveReceipt(folder: string, to: string): string {
  const moved = join(to, folder.slice(dirname(folder).length + 1));
  try {
    mkdirSync(to, { recursive: true, mode: 0o700 });
    renameSync(folder, moved);
    syncFolder(to);
    syncFolder(dirname(folder));
  } catch (error) {
    throw writeError(moved, error);
  }
  return moved;
}

export function dropReceipt(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Ids of the receipts in a folder, newest first. */
export function receiptIds(folder: string): string[] {
  return readdirOf(folder).sort().reverse();
}

function readdirOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw writeError(folder, error);
  }
}

/** Reads a journal as far as it is whole: a last line that was cut off told of something not yet begun. */
export function readJournal(folder: string): Journal {
  const journal: Journal = {
    folder,
    state: "staging",
    folders: [],
    temps: [],
    unchanged: [],
    reserved: [],
    steps: [],
  };
  let text: string;
  try {
    text = readFileSync(join(folder, FILE), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return journal;
    throw writeError(folder, error);
  }
  for (const row of text.split("\n").slice(0, -1)) {
    let line: JournalLine;
    try {
      line = JSON.parse(row) as JournalLine;
    } catch {
      break;
    }
    if (line.t === "open") journal.opened = line;
    else if (line.t === "by" && journal.opened) {
      journal.opened = { ...journal.opened, pid: line.pid, start: line.start, host: line.host };
    } else if (line.t === "what" && journal.opened) journal.opened = { ...journal.opened, what: line.what };
    else if (line.t === "state") journal.state = line.state;
    else if (line.t === "folder") journal.folders.push(line.path);
    else if (line.t === "temp") journal.temps.push(line.path);
    else if (line.t === "same") journal.unchanged.push(line.path);
    else if (line.t === "reserve") journal.reserved.push(line.path);
    else if (line.t === "step") journal.steps.push(line);
  }
  return journal;
}

export function receiptOf(journal: Journal): Receipt | undefined {
  const { opened, state, steps, unchanged, folders } = journal;
  return (
    opened && {
      id: opened.id,
      state,
      createdAt: opened.createdAt,
      roots: opened.roots,
      what: opened.what,
      entries: steps.map((step) => ({
        do: step.do,
        path: step.path,
        sha256: step.sha256,
        bytes: step.bytes,
      })),
      unchanged,
      folders,
    }
  );
}
