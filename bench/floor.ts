/** The floor: a file read in blocks of 1 MiB, each line through JSON.parse, in one thread. Nothing can do less. */
import { closeSync, openSync, readSync } from "node:fs";

const BLOCK = 1024 * 1024;

/** @returns the number of lines. */
export function floor(path: string): number {
  const file = openSync(path, "r");
  const block = Buffer.allocUnsafe(BLOCK);
  let rest: Buffer = Buffer.alloc(0);
  let lines = 0;
  for (let got = readSync(file, block); got > 0; got = readSync(file, block)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, block.subarray(0, got)]) : block.subarray(0, got);
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      if (end > from) JSON.parse(bytes.toString("utf8", from, end));
      lines++;
      from = end + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
  }
  if (rest.length > 0) JSON.parse(rest.toString("utf8"));
  closeSync(file);
  return lines;
}

const [, , path] = process.argv;
if (import.meta.main && path !== undefined) floor(path);
