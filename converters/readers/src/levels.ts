/** What a reader takes of a session; what it says nothing of its programs do not have. */
import type { FidelityTable } from "@asp-convert/core";

export function reads(levels: Partial<FidelityTable>): Partial<FidelityTable> {
  // Where the source has no ids, their place in the file stands for them.
  return { messages: "preserved", ids: "partial", ...levels };
}
