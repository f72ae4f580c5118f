/** What a reader takes of a session: where it says nothing else, its programs have no such thing. */
import { type FidelityTable, sessionAxes } from "@asp-convert/core";

export function reads(levels: Partial<FidelityTable>): FidelityTable {
  const nothing = Object.keys(sessionAxes).map((axis) => [axis, "not-in-source"]);
  return {
    ...(Object.fromEntries(nothing) as FidelityTable),
    messages: "preserved",
    // Where the source has none, their place in the file stands for them.
    ids: "partial",
    "side-records": "evidence-only",
    raw: "evidence-only",
    ...levels,
  };
}
