/** What a file of a bundle really holds. */
import { createHash } from "node:crypto";
import { blocksOf } from "../io/blocks.js";
import type { Source } from "../io/source.js";
import { openPart } from "./layout.js";

export async function hashOf(path: string, source: Source): Promise<{ sha256: string; size: number }> {
  const file = await openPart(path, source);
  try {
    const sum = createHash("sha256");
    let size = 0;
    for (const bytes of blocksOf(file)) {
      sum.update(bytes);
      size += bytes.length;
    }
    return { sha256: sum.digest("hex"), size };
  } finally {
    file.close();
  }
}
