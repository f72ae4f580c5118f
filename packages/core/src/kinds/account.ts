/** How a kind says what became of something: one sentence for a person, one count for the table. */
import type { Item, Losses } from "../converter/kinds.js";
import type { StateAxis } from "../fidelity/axes.js";
import type { Loss } from "../fidelity/ledger.js";
import type { Reason } from "../fidelity/reasons.js";

export interface LossWords {
  kind: Exclude<Loss["kind"], "sessions">;
  axis: StateAxis;
  level: Loss["level"];
  reason: Reason;
  /** A name, a path, a key. */
  item: string;
  note?: string | undefined;
}

/** Every item is named: unlike records of a session there are never millions. The count is exact beyond that. */
const PLACES_KEPT = 1000;

/** Adds a loss to those of the same axis, level and reason. */
export function lose(losses: Losses, { kind, axis, level, reason, item, note }: LossWords): void {
  let loss = losses.find(
    (l) => l.kind === kind && l.axis === axis && l.level === level && l.reason === reason,
  );
  if (!loss) {
    loss = { kind, axis, level, reason, count: 0, places: [] };
    losses.push(loss);
  }
  loss.count++;
  if (loss.places.length < PLACES_KEPT)
    loss.places.push({ item: note === undefined ? item : `${item}: ${note}` });
}

type Belonging = Pick<Item, "item" | "scope" | "project">;
type Words = Omit<LossWords, "item" | "level"> & { level?: Loss["level"] };

/** What belongs to whom, for an item. */
export function belonging(of: { scope: string; project?: string | undefined }, item: string): Belonging {
  return { item, scope: of.scope, ...(of.project !== undefined && { project: of.project }) };
}

/** It stays behind: a loss, and an item that says so. */
export function leave(to: { losses: Losses }, of: Belonging, words: Words): Item {
  lose(to.losses, { level: "dropped", ...words, item: of.item });
  return outcome(of, "left", words);
}

/** It goes over, not as it was. */
export function change(to: { losses: Losses }, of: Belonging, words: Words): Item {
  lose(to.losses, { level: "partial", ...words, item: of.item });
  return outcome(of, "changed", words);
}

function outcome(of: Belonging, what: Item["outcome"], { reason, note }: Words): Item {
  return { ...of, outcome: what, reason, ...(note !== undefined && { note }) };
}
