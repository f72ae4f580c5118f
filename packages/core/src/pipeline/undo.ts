import type { Environment } from "../io/paths.js";
import type { Receipt } from "./receipt.js";

/** Every receipt of this person on this machine, newest first; those already undone too. */
export async function listReceipts(_environment: Environment): Promise<Receipt[]> {
  return [];
}

/**
 * Takes back what an apply did.
 * @param id a receipt's id, or undefined for the latest one not undone.
 * @throws UnknownReceiptError, ChangedSinceError (nothing was undone), BusyError
 */
export async function undo(id: string | undefined, _environment: Environment): Promise<Receipt> {
  throw new UnknownReceiptError(id, []);
}

export class UnknownReceiptError extends Error {
  override name = "UnknownReceiptError";
  readonly id: string | undefined;
  constructor(id: string | undefined, known: readonly string[]) {
    const newest = known.length > 0 ? ` The newest: ${known.slice(0, 5).join(", ")}` : "";
    super(id === undefined ? "there is nothing to undo" : `there is no receipt "${id}".${newest}`);
    this.id = id;
  }
}

/** Something that an apply made was changed afterwards, so that taking it back would lose that. */
export class ChangedSinceError extends Error {
  override name = "ChangedSinceError";
  readonly receipt: string;
  readonly paths: readonly string[];
  constructor(receipt: string, paths: readonly string[]) {
    super(
      `receipt ${receipt} cannot be undone: changed since: ${paths.join(", ")}. Nothing was undone. ` +
        "Put these files back as they were, or remove by hand what you do not want",
    );
    this.receipt = receipt;
    this.paths = paths;
  }
}
