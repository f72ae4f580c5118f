/** Plan → disk, with a receipt; and back. */
import type { Environment } from "../io/paths.js";
import type { Action } from "./plan.js";
import type { Receipt } from "./receipt.js";
import { beginTransaction } from "./transaction.js";

export interface ApplyOptions {
  environment: Environment;
  /** Nothing is written outside these folders. */
  roots: readonly string[];
  /** For the receipt, for people: `2 sessions, claude → codex`. */
  what: string;
  signal?: AbortSignal | undefined;
}

/**
 * Does all of a plan or nothing of it.
 * @throws ConflictError, WriteError, BusyError; whatever was begun has then been taken back.
 */
export async function apply(actions: readonly Action[], options: ApplyOptions): Promise<Receipt> {
  const transaction = await beginTransaction(options);
  try {
    await transaction.stage(actions);
    return await transaction.commit();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}
