/** The calls of a session that is being written: each id is used once, and each call is answered once. */
export class Called {
  /** By the source's id: the last call that has it, until it is answered. */
  readonly #open = new Map<string, string>();
  readonly #used = new Set<string>();

  /** @returns the id that the call gets here: the source's own, if it has one that is free. */
  begin(sourceId: string): string {
    const stem = sourceId || "call";
    let id = stem;
    for (let i = 2; this.#used.has(id); i++) id = `${stem}_${i}`;
    this.#used.add(id);
    this.#open.set(sourceId, id);
    return id;
  }

  /** undefined: no such call waits for an answer. */
  answer(sourceId: string): string | undefined {
    const id = this.#open.get(sourceId);
    this.#open.delete(sourceId);
    return id;
  }

  /** What was called before waits no more. */
  restart(): void {
    this.#open.clear();
  }
}
