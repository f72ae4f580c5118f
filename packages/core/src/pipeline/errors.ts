/** Why a conversion or its undoing was not done. */
import type { Loss } from "../fidelity/ledger.js";
import type { Report } from "./report.js";

/** A loss was met that the caller forbids. Nothing was written; `report` says what would have been. */
export class ForbiddenLossError extends Error {
  override name = "ForbiddenLossError";
  readonly losses: readonly Loss[];
  readonly report: Report;
  constructor(losses: readonly Loss[], report: Report) {
    const words = losses.map(({ axis, level, count }) => `${level}: ${count} × ${axis}`);
    super(`the conversion would lose what you said it must not (${words.join(", ")}); nothing was written`);
    this.losses = losses;
    this.report = report;
  }
}

export class UnknownReceiptError extends Error {
  override name = "UnknownReceiptError";
  readonly id: string | undefined;
  constructor(id: string | undefined, open: readonly string[], undone: boolean) {
    const newest = open.length > 0 ? ` The newest: ${open.slice(0, 5).join(", ")}` : "";
    const what = undone ? `receipt "${id}" is undone already.` : `there is no receipt "${id}".`;
    super(id === undefined ? "there is nothing to undo" : `${what}${newest}`);
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
      `receipt ${receipt} cannot be undone, because this changed since: ${paths.join(", ")}. Nothing was undone. ` +
        "Put it back as it was, or remove by hand what you do not want",
    );
    this.receipt = receipt;
    this.paths = paths;
  }
}
