/** The kinds beside sessions, and what became of the things of each, in words. */
import type { Item, StateKindName } from "../converter/kinds.js";
import { reasons } from "../fidelity/reasons.js";

/** In the order in which they are written: what a later one edits, an earlier one may have made. */
export const stateKinds = [
  "instructions",
  "skills",
  "tools",
  "memory",
  "settings",
] as const satisfies readonly StateKindName[];

/** One thing of one kind, and what became of it. */
export type KindItem = Item & { kind: StateKindName };

/** Why something stayed behind, in words. */
export function whyLeft({ reason, note }: Pick<Item, "reason" | "note">): string {
  const words = reason === undefined ? "" : reasons[reason];
  return note === undefined ? words : words === "" ? note : `${words}: ${note}`;
}
