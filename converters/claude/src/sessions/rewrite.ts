/**
 * Replaces values of structural fields in a stream of JSONL bytes: a key and its string value as they stand in
 * a record, never inside a text (there the quotes are escaped). All other bytes pass as they are.
 */

export interface Rewrites {
  /** `sessionId` and `session_id`: from, to. */
  id: readonly [string, string];
  /** `cwd`: this folder and those below it; `/x/foo` does not touch `/x/foo-bar`. */
  cwd?: readonly [string, string] | undefined;
}

export class Rewriter {
  readonly #patterns: { find: Buffer; below: boolean; put: Buffer }[] = [];
  #held: Buffer = Buffer.alloc(0);

  constructor({ id: [from, to], cwd }: Rewrites) {
    for (const key of ["sessionId", "session_id"]) this.#exact(key, from, to);
    if (cwd && cwd[0] !== "") {
      for (const key of ["cwd", "originalCwd", "worktreePath", "project"])
        this.#below(key, inside(cwd[0]), inside(cwd[1]));
    }
  }

  /** Takes bytes, gives back those of whole lines. */
  push(bytes: Uint8Array): Uint8Array {
    const all = Buffer.concat([this.#held, bytes]);
    const end = all.lastIndexOf(0x0a) + 1;
    this.#held = all.subarray(end);
    return this.#rewrite(all.subarray(0, end));
  }

  end(): Uint8Array {
    const rest = this.#rewrite(this.#held);
    this.#held = Buffer.alloc(0);
    return rest;
  }

  #exact(key: string, from: string, to: string): void {
    for (const gap of ["", " "]) {
      this.#patterns.push({
        find: Buffer.from(`"${key}":${gap}"${inside(from)}"`),
        below: false,
        put: Buffer.from(`"${key}":${gap}"${inside(to)}"`),
      });
    }
  }

  #below(key: string, from: string, to: string): void {
    for (const gap of ["", " "]) {
      this.#patterns.push({
        find: Buffer.from(`"${key}":${gap}"${from}`),
        below: true,
        put: Buffer.from(`"${key}":${gap}"${to}`),
      });
    }
  }

  #rewrite(bytes: Buffer): Buffer {
    let now = bytes;
    for (const { find, below, put } of this.#patterns) {
      const parts: Buffer[] = [];
      let from = 0;
      for (let at = now.indexOf(find); at !== -1; at = now.indexOf(find, at + 1)) {
        // A quote with a backslash before it is inside a text.
        if (now[at - 1] === 0x5c || (below && !isBoundary(now[at + find.length]))) continue;
        parts.push(now.subarray(from, at), put);
        from = at + find.length;
      }
      if (from > 0) now = Buffer.concat([...parts, now.subarray(from)]);
    }
    return now;
  }
}

/** A path ends here, or goes on below: the closing quote, `/`, or an escaped `\`. */
function isBoundary(byte: number | undefined): boolean {
  return byte === 0x22 || byte === 0x2f || byte === 0x5c;
}

/** As it stands between the quotes of a JSON string. */
function inside(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
