/** The calls of a session that is being written: each id is used once, and each call is answered once. */

export interface Call {
  id: string;
  /** Of the record that made it. */
  uuid: string;
}

export class Calls {
  readonly #open = new Map<string, Call>();
  readonly #used = new Set<string>();

  /** @returns the id that the call gets here: the source's own, if it has one that is free. */
  begin(sourceId: string, uuid: string): string {
    const stem = sourceId || "call";
    let id = stem;
    for (let i = 2; this.#used.has(id); i++) id = `${stem}__${i}`;
    this.#used.add(id);
    this.#open.set(sourceId, { id, uuid });
    return id;
  }

  /** undefined: no such call waits for an answer. */
  answer(sourceId: string): Call | undefined {
    const call = this.#open.get(sourceId);
    this.#open.delete(sourceId);
    return call;
  }

  get waiting(): number {
    return this.#open.size;
  }

  /** Nothing answers them any more. @returns how many there were. */
  abandon(): number {
    const { size } = this.#open;
    this.#open.clear();
    return size;
  }
}
