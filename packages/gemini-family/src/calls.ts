/** The calls of a session that is being written: each id is used once, and each call is answered once. */

interface Call {
  id: string;
  name: string;
}

export class Calls {
  /** By the source's id: the last call that has it, until it is answered. */
  readonly #open = new Map<string, Call>();
  readonly #used = new Set<string>();

  /** @returns the id that the call gets here: the source's own, if it has one that is free. */
  begin(sourceId: string, name: string): string {
    const stem = sourceId || "call";
    let id = stem;
    for (let i = 2; this.#used.has(id); i++) id = `${stem}_${i}`;
    this.#used.add(id);
    this.#open.set(sourceId, { id, name });
    return id;
  }

  /** undefined: no such call waits for an answer. */
  answer(sourceId: string): Call | undefined {
    const call = this.#open.get(sourceId);
    this.#open.delete(sourceId);
    return call;
  }
}
