/** Plan → disk, with a receipt; and back. */

import { beginTransaction, type TransactionOptions } from "../io/transaction.js";
import type { Action } from "./plan.js";
import type { Receipt } from "./receipt.js";
import { failWith } from "./stage.js";

/**
 * Does all of a plan or nothing of it.
 * @throws ConflictError, WriteError, BusyError; whatever was begun has then been taken back.
 */
export async function apply(actions: readonly Action[], options: TransactionOptions): Promise<Receipt> {
  const transaction = await beginTransaction(options);
  try {
    await transaction.stage(actions);
    return await transaction.commit();
  } catch (error) {
    return failWith(error, transaction);
  }
}
