/** What `list` found out of a transcript, kept for `read`: indexing is a third of the work of reading. */
import type { OpenFile, SessionRef } from "@asp-convert/core";
import type { Chain } from "./chain.js";
import { type Records, slimmed } from "./records.js";

interface Known {
  records: Records;
  chain: Chain;
  size: number;
  mtimeMs: number;
}

/** As long as somebody holds the session's ref; some forty bytes a record. */
const known = new WeakMap<SessionRef, Known>();

export function remember(ref: SessionRef, file: OpenFile, records: Records, chain: Chain): void {
  // A file without a time could change unseen.
  if (file.mtimeMs === 0) return;
  known.set(ref, { records: slimmed(records), chain, size: file.size, mtimeMs: file.mtimeMs });
}

/** The index, if the file is still as it was. */
export function recall(ref: SessionRef, file: OpenFile): Pick<Known, "records" | "chain"> | undefined {
  const found = known.get(ref);
  return found?.size === file.size && found.mtimeMs === file.mtimeMs ? found : undefined;
}
