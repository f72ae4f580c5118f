/** Receipts: which there are, and taking one back. */
import { join } from "node:path";
import {
  JournalWriter,
  moveReceipt,
  readJournal,
  receiptIds,
  receiptOf,
  receiptsFolder,
  runningFolder,
} from "../io/journal.js";
import { lockRoots } from "../io/lock.js";
import type { Environment } from "../io/paths.js";
import { recover } from "../io/recover.js";
import { stateFolder } from "../io/state.js";
import { stateOf, takeBack } from "../io/takeback.js";
import { ChangedSinceError, UnknownReceiptError } from "./errors.js";
import type { Receipt } from "./receipt.js";

/** Every receipt of this person on this machine, newest first; those already undone too. */
export async function listReceipts(environment: Environment): Promise<Receipt[]> {
  const folder = receiptsFolder(stateFolder(environment));
  return receiptIds(folder)
    .flatMap((id) => receiptOf(readJournal(join(folder, id))) ?? [])
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
}

/**
 * Takes back what an apply did: created files removed, edited files restored, appended lines cut off, folders
 * that it made removed where they are empty.
 * @param id a receipt's id, or undefined for the latest one not undone.
 * @throws UnknownReceiptError, ChangedSinceError (nothing was undone), BusyError, WriteError
 */
export async function undo(
  id: string | undefined,
  environment: Environment,
  onStep?: (what: string) => Promise<void> | void,
): Promise<Receipt> {
  const state = stateFolder(environment);
  await recover(state, []);
  const receipts = receiptsFolder(state);
  const all = await listReceipts(environment);
  const found = all.find((receipt) => receipt.state === "done" && (id === undefined || receipt.id === id));
  if (!found) {
    const open = all.filter((receipt) => receipt.state === "done").map((receipt) => receipt.id);
    throw new UnknownReceiptError(
      id,
      open,
      all.some((receipt) => receipt.id === id),
    );
  }
  const locks = lockRoots(state, found.roots);
  try {
    const journal = readJournal(join(receipts, found.id));
    const changed = journal.steps.filter((step) => stateOf(journal, step, false) === "changed");
    if (changed.length > 0)
      throw new ChangedSinceError(
        found.id,
        changed.map(({ path }) => path),
      );
    // In this order: whoever finds it in `running` must see that a living process is on it.
    const mark = new JournalWriter(join(receipts, found.id), found.id);
    mark.takeOver();
    mark.write({ t: "state", state: "undoing" });
    mark.close();
    const running = moveReceipt(join(receipts, found.id), runningFolder(state));
    const writer = new JournalWriter(running, found.id);
    await onStep?.("undoing");
    const left = await takeBack(readJournal(running), { unfinished: false, onStep });
    writer.write({ t: "state", state: "undone" });
    writer.close();
    moveReceipt(running, receipts);
    if (left.length > 0) throw new ChangedSinceError(found.id, left);
    return { ...found, state: "undone" };
  } finally {
    locks.release();
  }
}
