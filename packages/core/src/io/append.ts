/** Lines for the end of an index that others append to as well. */
import { lineBatches } from "./lines.js";
import type { OpenFile } from "./source.js";

/**
 * What must be added to `file` so that it holds all lines of `text`, each ended by `\n`: those it has not yet,
 * each once, on a line of their own even if the file's last line is not ended.
 */
export function missingLines(file: OpenFile | undefined, text: string): string {
  const wanted = new Set(text.split("\n").filter((line) => line !== ""));
  let ended = true;
  if (file) {
    const lengths = new Set([...wanted].map((line) => Buffer.byteLength(line)));
    for (const batch of lineBatches(file)) {
      for (const { bytes, ended: whole } of batch) {
        if (bytes && lengths.has(bytes.length)) wanted.delete(bytes.toString());
        ended = whole;
      }
    }
    // Blank last lines are in no batch.
    if (file.size > 0 && !ended) ended = file.read(file.size - 1, 1)[0] === 0x0a;
  }
  if (wanted.size === 0) return "";
  return `${ended ? "" : "\n"}${[...wanted].join("\n")}\n`;
}
