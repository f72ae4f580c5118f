/** What `list` found out on its way through a session's files, kept for `read`, which would go through them again. */
import type { OpenFile, SessionRef } from "@asp-convert/core";
import type { Pairing } from "./pairing.js";

interface Known {
  pairing: Pairing;
  /** Size and time of each file. */
  state: readonly number[];
}

/** As long as somebody holds the session's ref. */
const known = new WeakMap<SessionRef, Known>();

export function remember(ref: SessionRef, files: readonly OpenFile[], pairing: Pairing): void {
  // A file without a time could change unseen.
  if (files.every(({ mtimeMs }) => mtimeMs !== 0)) known.set(ref, { pairing, state: stateOf(files) });
}

/** If the files are still as they were. Given once: whoever reads takes out of it what is told. */
export function recall(ref: SessionRef, files: readonly OpenFile[]): Pairing | undefined {
  const found = known.get(ref);
  known.delete(ref);
  return found && String(found.state) === String(stateOf(files)) ? found.pairing : undefined;
}

function stateOf(files: readonly OpenFile[]): number[] {
  return files.flatMap(({ size, mtimeMs }) => [size, mtimeMs]);
}
