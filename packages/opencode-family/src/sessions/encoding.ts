/** How a session is written, as every part of the writer knows it. */
import type { Loss, LossLedger, SessionAxis, SessionEvent } from "@asp-convert/core";

export interface Encoding {
  ledger: LossLedger;
  /** The source is a program of this family: its own parts are its own again. */
  native: boolean;
  /** Ordinal of the record at hand, for losses. */
  record: number | undefined;
}

type Level = Exclude<Loss["level"], "not-in-source">;

export function note(
  { ledger, record }: Encoding,
  axis: SessionAxis,
  level: Level,
  reason: Loss["reason"],
): void {
  ledger.note({ axis, level, reason }, record);
}

/** An event that is not written. */
export function leave(
  { ledger }: Encoding,
  event: SessionEvent,
  axis: SessionAxis,
  reason: Loss["reason"],
): void {
  ledger.leave(event, { axis, level: axis === "raw" ? "dropped" : "evidence-only", reason });
}
