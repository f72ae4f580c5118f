/** Sums over ledgers: how much of each axis was kept, degraded, dropped. */
import { type Axis, axes, levels } from "./axes.js";
import type { Loss, LossLedger } from "./ledger.js";

export interface AxisTally {
  kept: number;
  degraded: number;
  dropped: number;
}

const PLACES_KEPT = 5;
const order = Object.keys(axes) as Axis[];

/** Axes in their own order; those that nothing touched are left out. What the source does not hold is no loss of ours. */
export function tally(ledgers: readonly LossLedger[]): Partial<Record<Axis, AxisTally>> {
  const sums = new Map<Axis, AxisTally>();
  const of = (axis: Axis): AxisTally => {
    const sum = sums.get(axis) ?? { kept: 0, degraded: 0, dropped: 0 };
    sums.set(axis, sum);
    return sum;
  };
  for (const ledger of ledgers) {
    for (const [axis, count] of ledger.kept) of(axis).kept += count;
    for (const { axis, level, count } of ledger.losses) {
      if (level === "dropped") of(axis).dropped += count;
      else if (level !== "not-in-source") of(axis).degraded += count;
    }
  }
  const inOrder: Partial<Record<Axis, AxisTally>> = {};
  for (const axis of order) {
    const sum = sums.get(axis);
    if (sum) inOrder[axis] = sum;
  }
  return inOrder;
}

/** The losses of several sessions in one list, in the order of the axes: equal ones joined, their first places kept. */
export function joinLosses(ledgers: readonly LossLedger[]): Loss[] {
  const joined = new Map<string, Loss>();
  for (const loss of ledgers.flatMap((ledger) => ledger.losses)) {
    const key = `${loss.kind} ${loss.axis} ${loss.level} ${loss.reason}`;
    const found = joined.get(key);
    if (!found) {
      joined.set(key, { ...loss, places: loss.places.slice(0, PLACES_KEPT) });
      continue;
    }
    found.count += loss.count;
    found.places.push(...loss.places.slice(0, PLACES_KEPT - found.places.length));
  }
  return [...joined.values()].sort(inAxisOrder);
}

/** The same losses in the same order, whichever way they were met. */
function inAxisOrder(a: Loss, b: Loss): number {
  const byAxis = order.indexOf(a.axis) - order.indexOf(b.axis);
  return byAxis || levels.indexOf(a.level) - levels.indexOf(b.level) || (a.reason < b.reason ? -1 : 1);
}
