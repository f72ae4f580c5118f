/** What an event counts as that a writer has no place for. */
import { type SessionAxis, sessionAxes } from "../fidelity/axes.js";
import type { Loss } from "../fidelity/ledger.js";
import { type Reason, reasons } from "../fidelity/reasons.js";
import type { SessionEvent } from "./event.js";

const AXES: Readonly<Record<string, SessionAxis>> = {
  approval: "approvals",
  artifact: "documents",
  capabilities: "settings",
  run: "turns",
  turn: "turns",
  task: "plans",
};

/** What the reader did not understand says itself what it is, and why; anything else goes by its type. */
export function unplaced(event: SessionEvent): Pick<Loss, "level" | "reason"> & { axis: SessionAxis } {
  if (event.type !== "unknown.observed")
    return {
      axis: AXES[event.type.slice(0, event.type.indexOf("."))] ?? "side-records",
      level: "evidence-only",
      reason: "no-counterpart",
    };
  const { axis, reason } = event.payload;
  return {
    axis: Object.hasOwn(sessionAxes, axis) ? (axis as SessionAxis) : "side-records",
    level: "evidence-only",
    reason: reason !== undefined && Object.hasOwn(reasons, reason) ? (reason as Reason) : "no-counterpart",
  };
}
