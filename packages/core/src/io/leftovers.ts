/** What runs that died left behind in the state folder, looked at and not touched. `recover` takes it back. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readJournal, receiptIds, receiptsFolder, runningFolder } from "./journal.js";
import { lockOf } from "./lock.js";
import { isRunning } from "./process.js";

export interface Leftovers {
  /** Runs that were taken to their end, and can be undone. */
  receipts: number;
  /** Begun and not finished. `alive`: it goes on at this moment. */
  unfinished: { id: string; what: string; roots: readonly string[]; alive: boolean }[];
  /** `alive`: whoever holds it is there. A dead one's is taken over by the next run. */
  locks: { path: string; root: string; alive: boolean }[];
}

/** @param state the state folder. @throws where it may not be read */
export function leftoversIn(state: string): Leftovers {
  const running = runningFolder(state);
  return {
    receipts: receiptIds(receiptsFolder(state)).length,
    unfinished: receiptIds(running).flatMap((id) => {
      const { opened } = readJournal(join(running, id));
      return opened ? { id, what: opened.what, roots: opened.roots, alive: isRunning(opened) } : [];
    }),
    locks: namesIn(join(state, "locks")).flatMap((name) => {
      const path = join(state, "locks", name);
      const lock = name.endsWith(".lock") ? lockOf(path) : undefined;
      return lock ? { path, root: lock.root, alive: isRunning(lock) } : [];
    }),
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
