/** What a bundle keeps of the kinds beside sessions: all, but for literal secrets. */
import type { StateKind } from "../../converter/kinds.js";
import { type StateAxis, stateAxes } from "../../fidelity/axes.js";

const everything = Object.fromEntries(Object.keys(stateAxes).map((axis) => [axis, "preserved"])) as Record<
  StateAxis,
  "preserved"
>;

export const bundleStateFidelity: StateKind<unknown>["fidelity"] = {
  read: everything,
  write: { ...everything, secrets: "partial" },
};
