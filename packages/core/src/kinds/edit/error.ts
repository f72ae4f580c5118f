/** A file people own cannot be edited safely. It is left as it is, and the message says why. */
export class EditError extends Error {
  override name = "EditError";
}

/** Keys that would reach an object's prototype in careless hands; no file of ours ever gets one. */
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN.has(key);
}

/** The file's own line ending: that of its first line, `\n` for a new file. */
export function lineEnding(text: string): "\n" | "\r\n" {
  const at = text.indexOf("\n");
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
}

/** Line and column, from 1, for people. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let at = before.indexOf("\n"); at !== -1; at = before.indexOf("\n", at + 1)) line++;
  return { line, column: offset - start + 1 };
}
