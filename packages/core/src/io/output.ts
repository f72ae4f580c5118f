/** Joins many small strings into pieces of about 256 KiB, so that a stream of records is written in few calls. */
const FLUSH = 256 * 1024;

export async function* inPieces(parts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let held = "";
  for await (const part of parts) {
    held += part;
    if (held.length >= FLUSH) {
      yield held;
      held = "";
    }
  }
  if (held !== "") yield held;
}
