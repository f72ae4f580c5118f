/** What the model still sees of what was before a compaction. */
import { type Fields, name, number } from "@asp-convert/core/values";
import type { Entry, Scan } from "./scan.js";

/** In order; of older compactions nothing is left, and Pi's own system messages are made anew. */
export function keptBefore(
  compaction: Entry,
  record: Fields,
  path: readonly Entry[],
  scan: Pick<Scan, "entries">,
): Entry[] {
  const end = path.indexOf(compaction);
  const first = name(record.firstKeptEntryId) ?? idAt(record.firstKeptEntryIndex, scan);
  const from = path.findIndex(({ id }) => id === first);
  if (from === -1 || from >= end) return [];
  return path.slice(from, end).filter(({ type, role }) => type !== "compaction" && role !== "system");
}

/** Version 1 counts records, the header first. */
function idAt(index: unknown, { entries }: Pick<Scan, "entries">): string | undefined {
  const place = number(index);
  return place === undefined ? undefined : entries[place - 1]?.id;
}
