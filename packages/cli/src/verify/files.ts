/** Files that receipts tell of: are they still what was written? */
import { createHash } from "node:crypto";
import type { Receipt, ReceiptEntry, Source } from "@asp-convert/core";

const CHUNK = 1024 * 1024;

export type FileState =
  /** Byte for byte what was written. */
  | "as-written"
  /** What was written, and more after it: the program went on with the session. */
  | "continued"
  | "changed"
  | "missing";

export interface CheckedFile {
  path: string;
  receipt: string;
  state: FileState;
}

/** Only files that were made as a whole can be told by a hash; edits and appends share theirs with the program. */
export async function checkFiles(
  receipts: readonly Receipt[],
  source: Source,
  signal: AbortSignal,
): Promise<CheckedFile[]> {
  const checked: CheckedFile[] = [];
  for (const receipt of receipts) {
    for (const entry of receipt.entries) {
      signal.throwIfAborted();
      if (entry.do !== "create") continue;
      checked.push({ path: entry.path, receipt: receipt.id, state: await stateOf(entry, source) });
    }
  }
  return checked;
}

async function stateOf({ path, sha256, bytes }: ReceiptEntry, source: Source): Promise<FileState> {
  const info = await source.stat(path);
  if (!info) return "missing";
  if (info.kind !== "file" || info.size < bytes) return "changed";
  const file = await source.open(path);
  try {
    const sum = createHash("sha256");
    for (let at = 0; at < bytes; ) {
      const piece = file.read(at, Math.min(CHUNK, bytes - at));
      if (piece.length === 0) break;
      sum.update(piece);
      at += piece.length;
    }
    if (sum.digest("hex") !== sha256) return "changed";
    return file.size > bytes ? "continued" : "as-written";
  } finally {
    file.close();
  }
}
