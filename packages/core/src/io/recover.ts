/** Finishes what runs that died left unfinished: their journals lie in `running/`. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { BusyError } from "./busy.js";
import {
  dropReceipt,
  type Journal,
  JournalWriter,
  moveReceipt,
  readJournal,
  receiptIds,
  receiptsFolder,
  runningFolder,
} from "./journal.js";
import { lockRoots } from "./lock.js";
import { isInside } from "./paths.js";
import { isRunning } from "./process.js";
import { takeBack } from "./takeback.js";
import { WriteError } from "./write-error.js";

type OnStep = ((what: string) => Promise<void> | void) | undefined;

/** A run makes its folder and its first line within moments of each other. */
const STILLBORN_MS = 60_000;

/**
 * @param roots real paths this run is about. What cannot be cleaned up elsewhere is left for later.
 * @throws WriteError if a dead run's leftovers in one of `roots` cannot be taken back.
 */
export async function recover(state: string, roots: readonly string[], onStep?: OnStep): Promise<void> {
  const running = runningFolder(state);
  for (const id of receiptIds(running)) {
    const folder = join(running, id);
    const journal = readJournal(folder);
    const { opened } = journal;
    if (!opened) {
      if (Date.now() - modified(folder) > STILLBORN_MS) dropReceipt(folder);
      continue;
    }
    if (isRunning(opened)) continue;
    if (isAway(journal, opened.roots)) continue;
    try {
      const locks = lockRoots(state, opened.roots);
      try {
        await finish(state, folder, journal, onStep);
      } finally {
        locks.release();
      }
    } catch (error) {
      if (error instanceof BusyError) continue;
      if (error instanceof WriteError && !opened.roots.some((root) => roots.includes(root))) continue;
      throw error;
    }
  }
}

/** Something of the run lies on a disk that is not there now: kept until it is. A root it never got to does not count. */
function isAway({ folders, temps, steps }: Journal, roots: readonly string[]): boolean {
  const missing = roots.filter((root) => !existsSync(root) && !folders.includes(root));
  const touched = [...folders, ...temps, ...steps.map(({ path }) => path)];
  return missing.some((root) => touched.some((path) => isInside(path, root, process.platform)));
}

async function finish(state: string, folder: string, journal: Journal, onStep: OnStep): Promise<void> {
  const receipts = receiptsFolder(state);
  if (journal.state === "done" || journal.state === "undone") {
    moveReceipt(folder, receipts);
    return;
  }
  const undoing = journal.state === "undoing";
  const changed = await takeBack(journal, { unfinished: !undoing, onStep });
  if (!undoing && changed.length === 0) {
    dropReceipt(folder);
    return;
  }
  // Kept: of an undo, because people look receipts up; else because it holds what an edited file was before.
  const writer = new JournalWriter(folder, journal.opened?.id ?? "");
  writer.write({ t: "state", state: "undone" });
  writer.close();
  moveReceipt(folder, receipts);
}

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}
