/** Lines of JSONL bytes, for taking files apart and putting them together again. */

/** Without their ends; blank ones are left out. Views into `bytes`, not copies. */
export function linesOf(bytes: Uint8Array): Buffer[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Buffer[] = [];
  for (let from = 0; from < buffer.length; ) {
    const found = buffer.indexOf(0x0a, from);
    const end = found === -1 ? buffer.length : found;
    if (end > from) lines.push(buffer.subarray(from, end));
    from = end + 1;
  }
  return lines;
}

/** The lines of JSONL; a file that is one JSON object over many lines, whole; none of any other file. */
export function recordsIn(bytes: Uint8Array): Buffer[] {
  if (isJsonl(bytes)) return linesOf(bytes);
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isObject(whole) ? [whole] : [];
}

/** JSONL as the kit can take apart: text, and its first line an object. */
export function isJsonl(bytes: Uint8Array): boolean {
  const [first] = linesOf(bytes);
  return first !== undefined && isObject(first);
}

function isObject(text: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(text.toString("utf8"));
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
