/** Records of ours in a JSONL file of somebody's: what a session's evidence is carried in. */
import { lineBatches } from "../io/lines.js";
import type { Source } from "../io/source.js";

/**
 * The lines that were carried, in order.
 * @param mark stands near the beginning of each such record, and of no other. @param pick what the record holds.
 */
export async function* carriedLines(
  path: string,
  source: Source,
  mark: string,
  pick: (record: unknown) => unknown,
): AsyncGenerator<string> {
  const sought = Buffer.from(mark);
  const file = await source.open(path);
  try {
    for (const batch of lineBatches(file)) {
      for (const { bytes } of batch) {
        if (!bytes?.subarray(0, 256).includes(sought)) continue;
        const line = lineIn(bytes, pick);
        if (line !== undefined) yield line;
      }
    }
  } finally {
    file.close();
  }
}

/** What was spoilt since is no line: what is missing is found out by who puts it together. */
function lineIn(bytes: Buffer, pick: (record: unknown) => unknown): string | undefined {
  try {
    const line = pick(JSON.parse(bytes.toString("utf8")));
    return typeof line === "string" ? line : undefined;
  } catch {
    return undefined;
  }
}
